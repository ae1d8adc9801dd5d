"""Results to rank, boards as plain rows, and the same boards computed without a database."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.db import transaction

from games.models import DailyDeal
from leaderboards import boards, standings
from leaderboards.boards import Board
from players.models import Player
from pyramid_site import clock as the_clock

Finish = tuple[int, int]
"""Elapsed ms and undo count."""

HOUR = 3_600_000
LONGEST = 26 * HOUR  # of a ranked attempt: from midnight to the seal
STAFF = standings.Staff(id=1, name="root")


class Row(NamedTuple):
    rank: int
    ms: int
    undos: int
    player: UUID


class Shown(NamedTuple):
    """A page of a board, with the size of all of it."""

    rows: list[Row]
    next: str | None
    previous: str | None
    total: int

    @property
    def ranks(self) -> list[int]:
        return [row.rank for row in self.rows]


def players(count: int) -> list[UUID]:
    """New players, in the order in which they break ties."""
    ids = sorted(uuid4() for _ in range(count))
    Player.objects.bulk_create(
        Player(
            id=it,
            name=it.hex[:24],
            name_key=it.hex,
            skeleton=it.hex,
            joined_at=the_clock.now(),
        )
        for it in ids
    )
    return ids


def finish(
    deal: DailyDeal, player_id: UUID, ms: int, undos: int = 0, *, undo_penalty_ms: int = 0
) -> UUID:
    """Records a result; the id of its attempt."""
    attempt_id = uuid4()
    with transaction.atomic():
        standings.record(
            attempt_id=attempt_id,
            deal_id=deal.pk,
            player_id=player_id,
            elapsed_ms=ms,
            undo_count=undos,
            undo_penalty_ms=undo_penalty_ms,
            ply=30,
            finished_at=the_clock.now(),
        )
    return attempt_id


def record(deal: DailyDeal, finishes: Sequence[Finish], *, undo_penalty_ms: int = 0) -> list[UUID]:
    """Each finish by a player of its own; the players' ids, in the order in which they break ties.

    Recorded last to first: the order of a board is not that of its rows.
    """
    ids = players(len(finishes))
    for player_id, (ms, undos) in reversed(list(zip(ids, finishes, strict=True))):
        finish(deal, player_id, ms, undos, undo_penalty_ms=undo_penalty_ms)
    return ids


def finalize(deal: DailyDeal) -> None:
    """Writes the final ranks, as the seal of the deal does."""
    with transaction.atomic():
        standings.finalize(deal_id=deal.pk, at=the_clock.now())


def page(deal: DailyDeal, board: Board = Board.OVERALL, **options: Any) -> Shown:
    asked = {"cursor": None, "limit": 100, **options}
    return _shown(boards.page(deal_id=deal.pk, board=board, **asked))


def around(deal: DailyDeal, player: UUID, board: Board = Board.OVERALL, **options: Any) -> Shown:
    asked = {"limit": 100, **options}
    return _shown(boards.around(deal_id=deal.pk, board=board, player_id=player, **asked))


def _shown(excerpt: boards.Excerpt) -> Shown:
    rows = [
        Row(it.rank, it.result.ranked_ms, it.result.undo_count, it.result.player_id)
        for it in excerpt.page.items
    ]
    return Shown(rows, excerpt.page.next, excerpt.page.previous, excerpt.total)


def walk(
    deal: DailyDeal, board: Board = Board.OVERALL, *, backwards: bool = False, **options: Any
) -> list[Row]:
    """All rows, page by page from one end to the other, in the order of the board."""
    here = page(deal, board, **options)
    found = here.rows
    while here.next:
        here = page(deal, board, **options, cursor=here.next)
        found = here.rows if backwards else found + here.rows
    while backwards and here.previous:
        here = page(deal, board, **options, cursor=here.previous)
        found = here.rows + found
    return found


def plainly(finishes: Sequence[Finish], ids: Sequence[UUID], board: Board) -> list[Row]:
    """The board, recomputed without a database."""
    on_it = [
        (ms, undos, player)
        for (ms, undos), player in zip(finishes, ids, strict=True)
        if board is Board.OVERALL or undos == 0
    ]
    return [
        Row(1 + sum(other[:2] < (ms, undos) for other in on_it), ms, undos, player)
        for ms, undos, player in sorted(on_it)
    ]


def window(rows: Sequence[Row], place: int, limit: int) -> list[Row]:
    """The rows around one of them, as near its middle as the ends allow."""
    first = max(0, min(place - limit // 2, len(rows) - limit))
    return list(rows[first : first + limit])


@contextmanager
def rolled_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
