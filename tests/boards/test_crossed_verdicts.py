"""Verdicts crossed with undos, ties, reinstatement, groups, seals and void days, by every path."""

from collections.abc import Callable
from contextlib import nullcontext

import pytest
from django.db import transaction
from pytest_django import Settings

from games.models import DailyDeal
from leaderboards import boards, groups, standings
from leaderboards.boards import Board
from leaderboards.models import Result
from tests.boards.table import (
    STAFF,
    Finish,
    Row,
    around,
    finalize,
    page,
    plainly,
    record,
    walk,
    window,
)  # fmt: skip

pytestmark = pytest.mark.core

TIED: list[Finish] = [
    (1000, 0), (2000, 0), (2000, 0), (2000, 1), (2000, 1), (3000, 0), (3000, 3), (4000, 0),
]  # fmt: skip


class Judged:
    """A deal with results, which of them are disqualified, and how its boards must be."""

    def __init__(self, deal: DailyDeal, finishes: list[Finish]) -> None:
        self.deal, self.finishes = deal, finishes
        self.ids = record(deal, finishes)
        self.out: set[int] = set()
        self.void = False
        self.group = groups.make(name="friends", owner_id=self.ids[0])
        self.members = {0, *range(1, len(finishes), 2)}
        for number in self.members - {0}:
            groups.join(code=self.group.code, player_id=self.ids[number])

    def turn(self, *numbers: int) -> None:
        """Disqualifies these, or reinstates them."""
        for number in numbers:
            judge = standings.reinstate if number in self.out else standings.disqualify
            attempt = Result.objects.get(player=self.ids[number]).pk
            judge(attempt_id=attempt, by=STAFF, why="to and fro")
            self.out ^= {number}

    def rows(self, board: Board, among: set[int] | None = None) -> list[Row]:
        """The board, computed without a database."""
        on_it = [
            number
            for number in range(len(self.finishes))
            if number not in self.out and (among is None or number in among) and not self.void
        ]
        finishes = [self.finishes[number] for number in on_it]
        return plainly(finishes, [self.ids[number] for number in on_it], board)

    def check(self) -> None:
        """Reads both boards by pages of each size, by windows, within the group and by result."""
        for board in Board:
            rows = self.rows(board)
            for limit in (1, 2, 5):
                assert walk(self.deal, board, limit=limit) == rows
                assert walk(self.deal, board, limit=limit, backwards=True) == rows
            for place, row in enumerate(rows):
                for limit in (1, 3):
                    shown = around(self.deal, row.player, board, limit=limit)
                    assert shown.rows == window(rows, place, limit)
                    assert shown.total == len(rows)
            within = page(self.deal, board, group_id=self.group.pk)
            theirs = self.rows(board, self.members)
            assert (within.rows, within.total) == (theirs, len(theirs))
        ranks = {row.player: row.rank for row in self.rows(Board.OVERALL)}
        for player in self.ids:
            found = boards.placing(attempt_id=Result.objects.get(player=player).pk)
            assert (found and (found.rank, found.of)) == (
                (ranks[player], len(ranks)) if player in ranks else None
            )


@pytest.fixture(params=["set", "database", "transaction"])
def read(
    request: pytest.FixtureRequest, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Judged], None]:
    """Checks all boards; ranks come from the set alone, from SQL in a snapshot or a transaction."""
    if request.param != "set":
        settings.REDIS_URL = ""

    def check(judged: Judged) -> None:
        with monkeypatch.context() as patched:
            if request.param == "set":
                patched.setattr(boards, "_count_in_sql", lambda *given: 1 / 0)
            with transaction.atomic() if request.param == "transaction" else nullcontext():
                judged.check()

    return check


def test_f4_a_verdict_on_a_result_with_undos_moves_nobody_on_the_clean_board(
    played: DailyDeal, read: Callable[[Judged], None]
) -> None:
    """The second overall stands between the neighbours of the clean board, and goes."""
    finishes = [(1000, 0), (2000, 1), (2000, 1), (3000, 0), (4000, 0), (5000, 2)]
    judged = Judged(played, finishes)

    def ranks() -> tuple[list[int], list[int]]:
        return page(played).ranks, page(played, Board.CLEAN).ranks

    judged.turn(1)
    read(judged)
    assert ranks() == ([1, 2, 3, 4, 5], [1, 2, 3])
    finalize(played)
    read(judged)
    assert ranks() == ([1, 2, 3, 4, 5], [1, 2, 3])
    judged.turn(1, 2)
    read(judged)
    assert ranks() == ([1, 2, 3, 4, 5], [1, 2, 3])


def test_f4_verdicts_among_equals_to_and_fro_before_and_after_the_seal(
    played: DailyDeal, read: Callable[[Judged], None]
) -> None:
    judged = Judged(played, TIED)
    read(judged)
    for turned in [(1,), (2, 3), (1, 4), (0, 6), (0, 3)]:
        judged.turn(*turned)
        read(judged)
    finalize(played)
    read(judged)
    for turned in [(1, 2), (0, 5), (3, 0, 7), (2, 1, 4)]:
        judged.turn(*turned)
        read(judged)
    standings.void(deal_id=played.pk)
    judged.void = True
    read(judged)
    judged.turn(1)  # a verdict on a day that is void puts nobody back
    read(judged)


def test_f4_a_day_that_is_void_before_its_seal_has_nobody_whatever_is_judged(
    played: DailyDeal, read: Callable[[Judged], None]
) -> None:
    judged = Judged(played, TIED)
    judged.turn(0, 3)
    read(judged)
    standings.void(deal_id=played.pk)
    judged.void = True
    read(judged)
    judged.turn(0, 1)
    read(judged)
    finalize(played)
    read(judged)
    judged.turn(1)
    read(judged)
