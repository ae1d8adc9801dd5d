"""Every read of a deal's boards: ranks, pages, and the window around a player."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial
from uuid import UUID

from django.db import connection

from leaderboards import live, queries, ranking, rows
from leaderboards.models import Result, Tally
from leaderboards.ranking import Counts
from leaderboards.rows import Include, Row, Rows
from pyramid_site.paging import Keys, Page
from pyramid_site.refusals import Refusal

ORDER = Keys(("ranked_ms", "undo_count", "player_id"))


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
Read = Callable[[Include], tuple[Tally | None, Page[Row]]]
"""Reads a page by one statement, with the tally of the same instant."""


class _UncountedError(Exception):
    """One statement and a sorted set do not tell the ranks."""


def placing(*, attempt_id: UUID) -> Placing | None:
    """The standing of an attempt, if it is on its board."""
    if not connection.in_atomic_block:
        with suppress(_UncountedError):
            return _placing(attempt_id, _count_in_set)
    count = _counting()
    with ranking.snapshot():
        return _placing(attempt_id, count)


def page(
    *,
    deal_id: int,
    board: Board,
    cursor: str | None,
    limit: int,
    group_id: UUID | None = None,
    final: bool = False,
) -> Excerpt:
    """A page of the board, best first. If `final` is not so any more, or yet, it takes longer.

    Raises Refusal `invalid_request` for an unknown cursor.
    """
    place = ORDER.place(Result, cursor)
    backwards, values = (place.backwards, place.values) if place else (False, None)
    sides = {"before": limit + 1, "after": 0} if backwards else {"before": 0, "after": limit + 1}
    on_board = Rows(deal_id, board.clean, group_id)

    def read(include: Include) -> tuple[Tally | None, Page[Row]]:
        found = on_board.beside(values, include, **sides)
        return found.tally, ORDER.cut(found.before or found.after, place, limit=limit)

    return _excerpt(on_board, board, read, final=final)


def around(
    *,
    deal_id: int,
    board: Board,
    player_id: UUID,
    limit: int,
    group_id: UUID | None = None,
    final: bool = False,
) -> Excerpt:
    """The page with a player as near its middle as the ends of the board allow.

    If `final` is not so any more, or yet, it takes longer. Raises Refusal `not_ranked`.
    """
    half = limit // 2
    on_board = Rows(deal_id, board.clean, group_id)

    def read(include: Include) -> tuple[Tally | None, Page[Row]]:
        found = on_board.around(player_id, include, before=half + 1, after=limit - half + 1)
        if len(found.before) < half or len(found.after) < limit - half:  # near an end
            found = on_board.around(player_id, include, before=limit, after=limit + 1)
        if not found.after or found.after[0].player_id != player_id:
            raise Refusal("not_ranked", ranking.NOT_RANKED)
        return found.tally, ORDER.window(found.before, found.after, limit=limit)

    return _excerpt(on_board, board, read, final=final)


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
    page = Page([result], None, previous="there may be one")
    [rank] = _ranks(page, tally, Board.OVERALL, count)
    return Placing(rank, tally.overall, result)


def _excerpt(on_board: Rows, board: Board, read: Read, *, final: bool) -> Excerpt:
    """A page with its ranks: by one statement and a sorted set; else by more, in a snapshot."""
    if on_board.group_id is None and not connection.in_atomic_block:
        tally, results = read(Include(final=final, judged=False))
        if tally is not None and not tally.barred and final == (tally.final_at is not None):
            with suppress(_UncountedError):
                ranks = _ranks(results, tally, board, _count_in_set)
                return _shown(results, ranks, _size(tally, board), tally)
    count = _counting()
    with ranking.snapshot():
        tally = rows.tally_of(on_board.deal_id)
        _, results = read(Include(final=tally.final_at is not None, judged=tally.barred > 0))
        if on_board.group_id is None:
            ranks, size = _ranks(results, tally, board, count), _size(tally, board)
        else:
            theirs = queries.on_board(tally.pk, clean=board.clean, group_id=on_board.group_id)
            ranks = ranking.ranks(results, ORDER, partial(ranking.counts, theirs, ORDER))
            size = 0 if tally.void else theirs.count()
        return _shown(results, ranks, size, tally)


def _shown(results: Page[Row], ranks: list[int], size: int, tally: Tally) -> Excerpt:
    entries = [Entry(rank, result) for rank, result in zip(ranks, results.items, strict=True)]
    return Excerpt(Page(entries, results.next, results.previous), size, tally.final_at)


def _size(tally: Tally, board: Board) -> int:
    if tally.void:
        return 0
    return tally.undo_free if board.clean else tally.overall


def _ranks(results: Page[Row], tally: Tally, board: Board, count: Count) -> list[int]:
    """Final ranks are those of the seal, less the disqualified ahead; live ones are counted."""
    if tally.final_at is None:
        return ranking.ranks(results, ORDER, partial(count, tally, board))
    if tally.barred and not connection.in_atomic_block:
        raise _UncountedError  # a further statement might see another instant
    written = (row.clean_rank if board.clean else row.rank for row in results.items)
    return _final_ranks([rank for rank in written if rank is not None], tally, board)


def _final_ranks(written: list[int], tally: Tally, board: Board) -> list[int]:
    if not tally.barred:
        return written
    out = queries.disqualified(tally.pk, clean=board.clean).select_related("standing")
    barred = [it.standing.on(clean=board.clean) for it in out]
    return [rank - sum(other < rank for other in barred) for rank in written]


def _counting() -> Count:
    """How live ranks are counted in the snapshot that comes.

    Inside a transaction no set is asked: what is not committed must not get into one.
    """
    return _count_in_sql if connection.in_atomic_block else _count


def _count(tally: Tally, board: Board, result: Row) -> Counts:
    try:
        return _count_in_set(tally, board, result)
    except _UncountedError:
        return _count_in_sql(tally, board, result)


def _count_in_set(tally: Tally, board: Board, result: Row) -> Counts:
    """By a sorted set of the tally's version. Raises _UncountedError."""
    found = live.counts(tally, result, clean=board.clean)
    if found is None:
        raise _UncountedError
    return found


def _count_in_sql(tally: Tally, board: Board, result: Row) -> Counts:
    """All that stand before a result, which an index tells alone, less the disqualified."""
    everyone = queries.recorded(tally.pk, clean=board.clean)
    found = ranking.counts(everyone, ORDER, result)
    if not tally.barred:
        return found
    barred = queries.disqualified(tally.pk, clean=board.clean)
    return found - ranking.counts(barred, ORDER, result)
