"""Every read of a deal's boards: ranks, pages, and the window around a player."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import TypeVar
from uuid import UUID

from django.db import connection

from leaderboards import live, queries, ranking, rows
from leaderboards.models import Result, Tally
from leaderboards.ranking import Counts
from leaderboards.rows import Row, Rows
from pyramid_site.paging import Keys, Page
from pyramid_site.refusals import Refusal

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
    result: Row


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
    result: Row


Count = Callable[[Tally, Board, Row], Counts]


def placing(*, attempt_id: UUID) -> Placing | None:
    """The standing of an attempt, if it is on its board."""
    if not connection.in_atomic_block:
        found = rows.placed(attempt_id)  # one statement, and so of one instant by itself
        if found is None:
            return None
        with suppress(live.OvertakenError):
            tally, result = found
            counts = None if tally.final_at else live.counts(tally, result, clean=False)
            if counts:
                return Placing(counts.ahead + 1, tally.overall, result)
    return _of_one_instant(partial(_placing, attempt_id))


def page(
    *, deal_id: int, board: Board, cursor: str | None, limit: int, group_id: UUID | None = None
) -> Excerpt:
    """A page of the board, best first. Raises Refusal `invalid_request` for an unknown cursor."""

    def read(found: Rows) -> Page[Row]:
        return ORDER.page_of(found.beside, Result, cursor=cursor, limit=limit)

    return _of_one_instant(partial(_excerpt, deal_id, board, group_id, read))


def around(
    *, deal_id: int, board: Board, player_id: UUID, limit: int, group_id: UUID | None = None
) -> Excerpt:
    """The page with a player as near its middle as the ends of the board allow.

    Raises Refusal `not_ranked`.
    """

    def read(found: Rows) -> Page[Row]:
        row = found.of_player(player_id)
        if row is None:
            raise Refusal("not_ranked", ranking.NOT_RANKED)
        return ORDER.around(found.beside, row, limit=limit)

    return _of_one_instant(partial(_excerpt, deal_id, board, group_id, read))


def final_standing(result: Result) -> tuple[int, int]:
    """Rank and size of the board, of a result of a sealed deal that is on it.

    It comes with its standing, and its deal with the tally.
    """
    tally = result.deal.tally
    [rank] = _final_ranks([result.standing.rank], tally, Board.OVERALL)
    return rank, tally.overall


def _placing(attempt_id: UUID, count: Count) -> Placing | None:
    found = rows.placed(attempt_id)
    if found is None:
        return None
    tally, result = found
    [rank] = _ranks(Page([result], None, previous="perhaps"), tally, Board.OVERALL, count)
    return Placing(rank, tally.overall, result)


def _excerpt(
    deal_id: int,
    board: Board,
    group_id: UUID | None,
    read: Callable[[Rows], Page[Row]],
    count: Count,
) -> Excerpt:
    tally = rows.tally_of(deal_id)
    results = read(Rows(tally, board.clean, group_id))
    if group_id is not None:
        theirs = queries.on_board(deal_id, clean=board.clean, group_id=group_id)
        total = theirs.count()
        ranks = ranking.ranks(results, ORDER, partial(ranking.counts, theirs, ORDER))
    else:
        total = tally.undo_free if board.clean else tally.overall
        ranks = _ranks(results, tally, board, count)
    entries = [Entry(rank, result) for rank, result in zip(ranks, results.items, strict=True)]
    return Excerpt(Page(entries, results.next, results.previous), total, tally.final_at)


def _ranks(results: Page[Row], tally: Tally, board: Board, count: Count) -> list[int]:
    """Final ranks are those of the seal, less the disqualified ahead; live ones are counted."""
    if tally.final_at is None:
        return ranking.ranks(results, ORDER, partial(count, tally, board))
    written = (row.clean_rank if board.clean else row.rank for row in results.items)
    return _final_ranks((rank for rank in written if rank is not None), tally, board)


def _final_ranks(written: Iterable[int], tally: Tally, board: Board) -> list[int]:
    if not tally.barred:
        return list(written)
    out = queries.disqualified(tally.pk, clean=board.clean).select_related("standing")
    barred = [it.standing.on(clean=board.clean) for it in out]
    return [rank - sum(other < rank for other in barred) for rank in written]


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


def _count_in_set(tally: Tally, board: Board, result: Row) -> Counts:
    """By the sorted set; where none can say, by the database."""
    found = live.counts(tally, result, clean=board.clean)
    return found or _count_in_sql(tally, board, result)


def _count_in_sql(tally: Tally, board: Board, result: Row) -> Counts:
    """All that stand before a result, which an index tells alone, less the disqualified."""
    everyone = queries.recorded(tally.pk, clean=board.clean)
    found = ranking.counts(everyone, ORDER, result)
    if not tally.barred:
        return found
    barred = queries.disqualified(tally.pk, clean=board.clean)
    return found - ranking.counts(barred, ORDER, result)
