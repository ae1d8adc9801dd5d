"""Every read of a deal's boards: ranks, pages, and the window around a player."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import TypeVar
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet

from leaderboards import live, queries, ranking
from leaderboards.models import Result, Tally
from leaderboards.ranking import Counts
from pyramid_site.paging import Keys, Page

T = TypeVar("T")

ORDER = Keys(("ranked_ms", "undo_count", "player_id"))
TRIES = 3  # of a set that has gone on between the database's answer and its own


class Board(StrEnum):
    """Which results are ranked among each other: all, or those without one undo."""

    OVERALL = "overall"
    CLEAN = "clean"

    @property
    def clean(self) -> bool:
        return self is Board.CLEAN


@dataclass(frozen=True, slots=True)
class Entry:
    """A result with its rank on a board; equal results share a rank (1, 2, 2, 4)."""

    rank: int
    result: Result


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A page of a board, and of the same instant the size of all of it, and since when it is final.

    Of a board within a group, the size is that of the group's part.
    """

    page: Page[Entry]
    total: int
    final_at: datetime | None


@dataclass(frozen=True, slots=True)
class Placing:
    """Where a result stands on the overall board of its deal, out of how many."""

    rank: int
    of: int
    result: Result


Count = Callable[[Tally, Board, Result], Counts]


def placing(*, attempt_id: UUID) -> Placing | None:
    """The standing of an attempt, if it is on its board."""
    return _of_one_instant(partial(_placing, attempt_id))


def final_placings(results: list[Result]) -> list[Placing]:
    """The standings of results of sealed deals, which are loaded with standing, deal and tally."""
    return [
        Placing(rank, result.deal.tally.overall, result)
        for result in results
        for rank in _final_ranks([result], result.deal.tally, Board.OVERALL)
    ]


def page(
    *, deal_id: int, board: Board, cursor: str | None, limit: int, group_id: UUID | None = None
) -> Excerpt:
    """A page of the board, best first. Raises Refusal `invalid_request` for an unknown cursor."""
    read = partial(ORDER.page, cursor=cursor, limit=limit)
    return _of_one_instant(partial(_excerpt, deal_id, board, group_id, read))


def around(
    *, deal_id: int, board: Board, player: Q, limit: int, group_id: UUID | None = None
) -> Excerpt:
    """The page with a player as near its middle as the ends of the board allow.

    `player` picks one player by a condition on Result fields. Raises Refusal `not_ranked`.
    """
    read = partial(ranking.around, order=ORDER, player=player, limit=limit)
    return _of_one_instant(partial(_excerpt, deal_id, board, group_id, read))


def _placing(attempt_id: UUID, count: Count) -> Placing | None:
    result = queries.qualified().select_related("standing").filter(pk=attempt_id).first()
    if result is None:
        return None
    tally = _tally(result.deal_id)
    [rank] = _ranks(Page([result], None, previous="perhaps"), tally, Board.OVERALL, count)
    return Placing(rank, tally.overall, result)


def _excerpt(
    deal_id: int,
    board: Board,
    group_id: UUID | None,
    read: "Callable[[QuerySet[Result]], Page[Result]]",
    count: Count,
) -> Excerpt:
    tally = _tally(deal_id)
    rows = queries.on_board(deal_id, clean=board.clean, group_id=group_id)
    if tally.void:
        rows = rows.none()
    results = read(rows.select_related("player", "standing"))
    if group_id is not None or tally.void:
        total = rows.count()
        ranks = ranking.ranks(results, ORDER, partial(ranking.counts, rows, ORDER))
    else:
        total = tally.undo_free if board.clean else tally.overall
        ranks = _ranks(results, tally, board, count)
    entries = [Entry(rank, result) for rank, result in zip(ranks, results.items, strict=True)]
    return Excerpt(Page(entries, results.next, results.previous), total, tally.final_at)


def _tally(deal_id: int) -> Tally:
    return Tally.objects.filter(pk=deal_id).first() or Tally(deal_id=deal_id)


def _ranks(results: Page[Result], tally: Tally, board: Board, count: Count) -> list[int]:
    """Final ranks are those of the seal, less the disqualified ahead; live ones are counted."""
    if tally.final_at is None:
        return ranking.ranks(results, ORDER, partial(count, tally, board))
    return _final_ranks(results.items, tally, board)


def _final_ranks(results: list[Result], tally: Tally, board: Board) -> list[int]:
    found = [it.standing.on(clean=board.clean) for it in results]
    if not tally.barred:
        return found
    out = queries.disqualified(tally.pk, clean=board.clean).select_related("standing")
    barred = [it.standing.on(clean=board.clean) for it in out]
    return [rank - sum(other < rank for other in barred) for rank in found]


def _of_one_instant(read: Callable[[Count], T]) -> T:
    """What `read` finds with all its questions put to one state of the database.

    Inside a transaction no set is asked: what is not committed must not get into one.
    """
    if not connection.in_atomic_block:
        for _ in range(TRIES):
            with suppress(live.OvertakenError), ranking.snapshot():
                return read(_count_in_set)
    with ranking.snapshot():
        return read(_count_in_sql)


def _count_in_set(tally: Tally, board: Board, result: Result) -> Counts:
    """By the sorted set; where none can say, by the database."""
    found = live.counts(tally, result, clean=board.clean)
    return found or _count_in_sql(tally, board, result)


def _count_in_sql(tally: Tally, board: Board, result: Result) -> Counts:
    """All that stand before a result, which an index tells alone, less the disqualified."""
    everyone = queries.recorded(tally.pk, clean=board.clean)
    found = ranking.counts(everyone, ORDER, result)
    if not tally.barred:
        return found
    barred = queries.disqualified(tally.pk, clean=board.clean)
    return found - ranking.counts(barred, ORDER, result)
