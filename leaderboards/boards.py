"""Every read of the boards: ranks, pages, and the window around a player."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Q, QuerySet

from leaderboards.models import Result
from pyramid_site.paging import Keys, Page
from pyramid_site.refusals import Refusal

ORDER = Keys(("ranked_ms", "undo_count", "player_id"))


class Board(StrEnum):
    """Which results are ranked among each other: all, or those without one undo."""

    OVERALL = "overall"
    CLEAN = "clean"


@dataclass(frozen=True, slots=True)
class Entry:
    """A result with its rank on a board; equal results share a rank (1, 2, 2, 4)."""

    rank: int
    result: Result


@dataclass(frozen=True, slots=True)
class Placing:
    """Where a result stands on the overall board of its deal, out of how many."""

    rank: int
    of: int
    result: Result


@contextmanager
def snapshot() -> Iterator[None]:
    """All reads inside see the boards of one instant, or the page and its ranks might differ.

    Inside another transaction they see what that one sees.
    """
    if connection.vendor != "postgresql" or connection.in_atomic_block:
        yield  # SQLite would lock out its writers
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def total(*, deal_id: int, board: Board) -> int:
    """How many results the board has. It changes with every finish and so serves as a version."""
    return _on(deal_id, board).count()


@snapshot()
def placing(*, attempt_id: UUID, final: bool) -> Placing | None:
    """The standing of an attempt, if it is on its board."""
    result = Result.objects.select_related("standing").filter(pk=attempt_id).first()
    if result is None:
        return None
    everyone = _on(result.deal_id, Board.OVERALL)
    rank = result.standing.rank if final else 1 + everyone.filter(_ahead_of(result)).count()
    return Placing(rank, everyone.count(), result)


def page(*, deal_id: int, board: Board, final: bool, cursor: str | None, limit: int) -> Page[Entry]:
    """A page of the board, best first. Raises Refusal `invalid_request` for an unknown cursor."""
    results = ORDER.page(_on(deal_id, board), cursor=cursor, limit=limit)
    return _ranked(results, deal_id=deal_id, board=board, final=final)


def around(*, deal_id: int, board: Board, final: bool, player: Q, limit: int) -> Page[Entry]:
    """The page with a player as near its middle as the ends of the board allow.

    `player` picks one player by a condition on Result fields. Raises Refusal `not_ranked`.
    """
    everyone = _on(deal_id, board)
    result = everyone.filter(player).first()
    if result is None:
        raise Refusal("not_ranked", "This player has no result on this board.")
    keys = ORDER.of(result)
    before = ORDER.preceding(everyone, keys, limit=limit)
    after = [result, *ORDER.following(everyone, keys, limit=limit)]
    results = ORDER.window(before, after, limit=limit)
    return _ranked(results, deal_id=deal_id, board=board, final=final)


def _on(deal_id: int, board: Board) -> "QuerySet[Result]":
    results = Result.objects.select_related("player", "standing").filter(deal=deal_id)
    return results.filter(undo_count=0) if board is Board.CLEAN else results


def _ahead_of(result: Result) -> Q:
    return Q(ranked_ms__lt=result.ranked_ms) | Q(
        ranked_ms=result.ranked_ms, undo_count__lt=result.undo_count
    )


def _ranked(results: Page[Result], *, deal_id: int, board: Board, final: bool) -> Page[Entry]:
    """The page with its ranks: stored ones when final; else the first is counted, others follow."""
    if final:
        ranks = [result.standing.on(clean=board is Board.CLEAN) for result in results.items]
    else:
        ranks = _live_ranks(results.items, _on(deal_id, board))
    items = [Entry(rank, result) for rank, result in zip(ranks, results.items, strict=True)]
    return Page(items, results.next, results.previous)


def _live_ranks(results: list[Result], everyone: "QuerySet[Result]") -> list[int]:
    if not results:
        return []
    first = results[0]
    ahead = everyone.filter(_ahead_of(first)).count()
    tied_before = everyone.filter(
        ranked_ms=first.ranked_ms, undo_count=first.undo_count, player_id__lt=first.player_id
    ).count()
    ranks: list[int] = []
    for place, result in enumerate(results, start=ahead + tied_before + 1):
        if not ranks:
            ranks.append(ahead + 1)
        elif _tied(results[len(ranks) - 1], result):
            ranks.append(ranks[-1])
        else:
            ranks.append(place)
    return ranks


def _tied(one: Result, other: Result) -> bool:
    return (one.ranked_ms, one.undo_count) == (other.ranked_ms, other.undo_count)
