"""Every read of a deal's boards: ranks, pages, and the window around a player."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
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
    """Which results are ranked together: all, or those without undos."""

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
    """A page, the board's size and its final time, from one snapshot.

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


Read = Callable[[Include], tuple[Tally | None, Page[Row]]]
"""Reads a page by one statement, with the tally of the same instant."""


def placing(*, attempt_id: UUID) -> Placing | None:
    """The standing of an attempt, if it is on its board."""
    asks_set = not connection.in_atomic_block
    if asks_set:
        found = rows.placed(attempt_id)
        if found is None:
            return None
        tally, result = found
        if ranks := _quick_ranks(tally, Board.OVERALL, [result], result):
            return Placing(ranks[0], tally.overall, result)
    with ranking.snapshot():
        found = rows.placed(attempt_id)
        if found is None:
            return None
        tally, result = found
        [rank] = _exact_ranks(tally, Board.OVERALL, [result], result, asks_set=asks_set)
        return Placing(rank, tally.overall, result)


def page(
    *,
    deal_id: int,
    board: Board,
    cursor: str | None,
    limit: int,
    group_id: UUID | None = None,
    final: bool = False,
) -> Excerpt:
    """A page of the board, best first. `final` is a hint; a wrong one costs extra queries.

    Raises Refusal `invalid_request` for an unknown cursor.
    """
    anchor = ORDER.anchor(Result, cursor)
    backwards, values = (anchor.backwards, anchor.values) if anchor else (False, None)
    sides = {"before": limit + 1, "after": 0} if backwards else {"before": 0, "after": limit + 1}
    on_board = Rows(deal_id, board.clean, group_id)

    def read(include: Include) -> tuple[Tally | None, Page[Row]]:
        found = on_board.beside(values, include, **sides)
        return found.tally, ORDER.cut(found.before or found.after, anchor, limit=limit)

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

    `final` is a hint; a wrong one costs extra queries. Raises Refusal `not_ranked`.
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


def _excerpt(on_board: Rows, board: Board, read: Read, *, final: bool) -> Excerpt:
    """A page with its ranks: by one statement and a sorted set; else by more, in a snapshot."""
    asks_set = not connection.in_atomic_block
    if on_board.group_id is None and asks_set:
        tally, results = read(Include(final=final, judged=False))
        if tally is not None and not tally.disqualified and final == (tally.final_at is not None):
            first = ranking.row_to_count(results)
            ranks = _quick_ranks(tally, board, results.items, first)
            if ranks is not None:
                return _shown(results, ranks, _size(tally, board), tally)
    with ranking.snapshot():
        tally = rows.tally_of(on_board.deal_id)
        _, results = read(Include(final=tally.final_at is not None, judged=tally.disqualified > 0))
        first = ranking.row_to_count(results)
        if on_board.group_id is None:
            ranks = _exact_ranks(tally, board, results.items, first, asks_set=asks_set)
            size = _size(tally, board)
        else:
            theirs = queries.on_board(tally.pk, clean=board.clean, group_id=on_board.group_id)
            ranks = ranking.ranks(results.items, ORDER, ranking.counts(theirs, ORDER, first))
            size = 0 if tally.void else theirs.count()
        return _shown(results, ranks, size, tally)


def _shown(results: Page[Row], ranks: list[int], size: int, tally: Tally) -> Excerpt:
    entries = [Entry(rank, result) for rank, result in zip(ranks, results.items, strict=True)]
    return Excerpt(Page(entries, results.next, results.previous), size, tally.final_at)


def _size(tally: Tally, board: Board) -> int:
    if tally.void:
        return 0
    return tally.clean_results if board.clean else tally.overall


def _quick_ranks(
    tally: Tally, board: Board, results: Sequence[Row], first: Row | None
) -> list[int] | None:
    """The ranks as the rows and a sorted set tell them; None where it takes another statement.

    That one might see another instant. `first` is the row to count, None at the board's start.
    """
    if tally.final_at is not None:
        return None if tally.disqualified else _written_ranks(results, board)
    counts = _count_in_set(tally, board, first)
    return None if counts is None else ranking.ranks(results, ORDER, counts)


def _exact_ranks(
    tally: Tally, board: Board, results: Sequence[Row], first: Row | None, *, asks_set: bool
) -> list[int]:
    """The ranks by as many statements as it takes, inside a snapshot.

    Where the snapshot is part of a transaction that writes, no set is asked: what is not committed
    must not get into one.
    """
    if tally.final_at is not None:
        return _final_ranks(_written_ranks(results, board), tally, board)
    counts = _count_in_set(tally, board, first) if asks_set else None
    return ranking.ranks(results, ORDER, counts or _count_in_sql(tally, board, first))


def _written_ranks(results: Sequence[Row], board: Board) -> list[int]:
    """The ranks that the seal has written."""
    written = (row.clean_rank if board.clean else row.rank for row in results)
    return [rank for rank in written if rank is not None]


def _final_ranks(written: list[int], tally: Tally, board: Board) -> list[int]:
    """Those of the seal, less the disqualified ahead."""
    if not tally.disqualified:
        return written
    out = queries.disqualified(tally.pk, clean=board.clean).select_related("standing")
    disqualified = [it.standing.on(clean=board.clean) for it in out]
    return [rank - sum(other < rank for other in disqualified) for rank in written]


def _count_in_set(tally: Tally, board: Board, row: Row | None) -> Counts | None:
    """By a sorted set of the tally's version; None where there is no such set."""
    if row is None:
        return ranking.NONE_AHEAD
    return live.counts(tally, row, clean=board.clean)


def _count_in_sql(tally: Tally, board: Board, row: Row | None) -> Counts:
    """All that stand before a result, which an index tells alone, less the disqualified."""
    everyone = queries.recorded(tally.pk, clean=board.clean)
    found = ranking.counts(everyone, ORDER, row)
    if not tally.disqualified:
        return found
    disqualified = queries.disqualified(tally.pk, clean=board.clean)
    return found - ranking.counts(disqualified, ORDER, row)
