"""Every board, page, window and rank beside a plain recomputation, whatever happens in between."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.test import override_settings
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from games import attempts, deals, departures, queries
from games.models import DailyDeal
from leaderboards import boards, groups, live, periods, standings, tasks
from leaderboards.boards import Board
from leaderboards.models import Period
from players import accounts
from players.models import Player
from pyramid_site.clock import ms_between
from pyramid_site.refusals import Refusal
from tests import builders
from tests.boards.conftest import Valkey
from tests.boards.table import STAFF, Row, around, page, walk, window
from tests.conftest import Database, SimulatedClock, copied_database

PLAYERS = 6
WHO = st.integers(0, PLAYERS - 1)
PATHS = ("by the set", "by a set built anew", "without a set", "in a transaction")


class Finish(NamedTuple):
    ms: int
    undos: int
    attempt: UUID


class ProcessDied(BaseException):
    """What a process does at this point is not done any more."""


class Days(RuleBasedStateMachine):
    """Six players, some days, and a process that dies. `results` and `out` are what must be."""

    clock: SimulatedClock
    valkey: Valkey

    def __init__(self) -> None:
        super().__init__()
        self.copy = copied_database()
        self.copy.__enter__()
        queries.cached_deal.cache_clear()
        self.valkey.client.flushall()
        self.clock.set("2026-11-27T12:00:00.000Z")
        self.days: list[DailyDeal] = []
        self.results: list[dict[int, Finish]] = []
        self.out: set[UUID] = set()
        self.void: set[int] = set()
        self.gone: set[int] = set()
        self.tried: set[int] = set()
        self.begun: dict[int, UUID] = {}
        self.started: dict[int, datetime] = {}
        self.members: set[int] = set()

    def teardown(self) -> None:
        try:
            for number in range(len(self.days)):
                for path in PATHS:
                    self.are_right(number, path, limit=2, final=False)
        finally:
            connection.close()
            self.copy.__exit__(None, None, None)

    @initialize()
    def begin(self) -> None:
        ids = [accounts.sign_up(name=f"Player {n}").player.pk for n in range(PLAYERS)]
        self.ids = sorted(ids)
        self.group = groups.make(name="friends", owner_id=self.ids[0])
        self.members = {0}
        self.next_day()

    def next_day(self) -> None:
        self.days.append(builders.publish_short(day=self.clock.instant.date(), undo_penalty_ms=2))
        self.results.append({})
        self.tried, self.begun = set(), {}

    @property
    def today(self) -> DailyDeal:
        return self.days[-1]

    def start(self, player: int) -> UUID | None:
        """The attempt that the player has begun; or a new one, of one who is there and has none."""
        if player in self.begun:
            return self.begun.pop(player)
        if player in self.tried | self.gone or len(self.days) - 1 in self.void:
            return None
        self.tried.add(player)
        attempt, _ = attempts.start(deal=self.today, player_id=self.ids[player])
        self.started[player] = attempt.started_at
        return attempt.pk

    @rule(player=WHO, ms=st.integers(0, 4), undos=st.integers(0, 2), asks=st.booleans())
    def finishes(self, player: int, ms: int, undos: int, asks: bool) -> None:
        """And asks for the rank, as the reply to the last move does; or dies before."""
        attempt = self.start(player)
        if attempt is None:
            return
        moves = [*["D", "U"] * undos, *builders.SHORT_LINE]
        for ply, move in enumerate(moves):
            if ply == len(moves) - 1:
                self.clock.advance(ms=ms)
            attempts.play(attempt_id=attempt, player_id=self.ids[player], move=move, ply=ply)
        # One that began before has waited for what others did meanwhile.
        elapsed = ms_between(self.started[player], self.clock.instant)
        self.results[-1][player] = Finish(elapsed + 2 * undos, undos, attempt)
        if asks:
            self.is_placed(len(self.days) - 1, player)

    @rule(player=WHO)
    def begins(self, player: int) -> None:
        """And goes on later, if the day does not end before; a day that is void meanwhile."""
        attempt = self.start(player)
        if attempt is not None:
            self.begun[player] = attempt

    @rule(player=WHO)
    def resigns(self, player: int) -> None:
        attempt = self.start(player)
        if attempt is not None:
            attempts.resign(attempt_id=attempt, player_id=self.ids[player])

    @precondition(lambda self: any(self.results))
    @rule(choice=st.integers(0, 50))
    def is_judged(self, choice: int) -> None:
        """A result is disqualified, or reinstated."""
        found = [it.attempt for day in self.results for it in day.values()]
        attempt = found[choice % len(found)]
        judge = standings.reinstate if attempt in self.out else standings.disqualify
        judge(attempt_id=attempt, by=STAFF, why="to and fro")
        self.out ^= {attempt}

    @rule(choice=st.integers(0, 50), really=st.integers(0, 2))
    def is_voided(self, choice: int, really: int) -> None:
        """A day that has begun: sealed or not, counted or not."""
        number = choice % len(self.days)
        if number not in self.void and really == 0:
            deals.void(deal_id=self.days[number].pk, reason="A card was missing.")
            self.void.add(number)

    @rule(player=WHO, name=st.integers(0, 10_000))
    def is_renamed(self, player: int, name: int) -> None:
        if player not in self.gone:
            accounts.rename(player_id=self.ids[player], name=f"Renamed {name}", by_staff=True)

    @rule(player=WHO, really=st.integers(0, 3))
    def leaves(self, player: int, really: int) -> None:
        if player not in self.gone and really == 0:
            departures.delete(player_id=self.ids[player])
            self.gone.add(player)
            self.begun.pop(player, None)
            self.members.discard(player)

    @rule(player=WHO)
    def joins_or_leaves_the_group(self, player: int) -> None:
        if player in self.gone or not self.members:
            return
        if player in self.members:
            them = self.ids[player]
            groups.remove(group_id=self.group.pk, member_id=them, by_id=them)
        else:
            groups.join(code=self.group.code, player_id=self.ids[player])
        self.members ^= {player}

    @rule(counted=st.booleans(), sealed_twice=st.booleans())
    def the_day_ends(self, counted: bool, sealed_twice: bool) -> None:
        """Its results may be counted at once, or with those of a later day."""
        self.clock.instant = self.today.seals_at
        for _ in range(1 + sealed_twice):
            deals.seal_due()
        if counted:
            deals.count_sealed()
        self.next_day()

    @rule()
    def valkey_is_flushed(self) -> None:
        self.valkey.client.flushall()

    @rule()
    def valkey_is_restarted(self) -> None:
        self.valkey.client.flushall()
        self.valkey.client.script_flush()
        self.valkey.client.client_kill_filter(_type="normal", skipme=True)

    @rule()
    def the_web_process_is_restarted(self) -> None:
        connection.close()
        queries.cached_deal.cache_clear()
        live._client.cache_clear()
        live._script.cache_clear()
        live.circuit.resting_until = live.building.resting_until = 0

    @rule()
    def the_worker_comes_by(self) -> None:
        tasks.rebuild_boards()

    @precondition(lambda self: any(self.results[-1:]))
    @rule(written=st.booleans(), board=st.sampled_from(Board))
    def a_process_dies_at_the_set(self, written: bool, board: Board) -> None:
        """Before its write to the set, or right after it."""
        run: Callable[..., Any] = live._run

        def dies(script: str, *rest: Any, **options: Any) -> Any:
            if script != live.ADVANCE:
                return run(script, *rest, **options)
            if written:
                run(script, *rest, **options)
            raise ProcessDied

        live._run = dies  # it takes what the other does
        try:
            for row in self.board(len(self.days) - 1, board)[1:]:
                around(self.today, row.player, board, limit=1)
        except ProcessDied:
            connection.close()
        finally:
            live._run = run

    @rule(
        choice=st.integers(0, 50),
        path=st.sampled_from(PATHS),
        limit=st.integers(1, 3),
        final=st.booleans(),
    )
    def somebody_reads(self, choice: int, path: str, limit: int, final: bool) -> None:
        """All that there is of a day. `final` is no more than a guess."""
        self.are_right(choice % len(self.days), path, limit=limit, final=final)

    @rule(path=st.sampled_from(PATHS), limit=st.integers(1, 3))
    def somebody_reads_today(self, path: str, limit: int) -> None:
        """Not after each step: a set may be some changes behind."""
        self.are_right(len(self.days) - 1, path, limit=limit, final=False)

    # What must be

    def are_right(self, number: int, path: str, *, limit: int, final: bool) -> None:
        """Both boards of a day, of all and within the group, by one way of counting."""
        deal = self.days[number]
        with self.counted(path):
            for board in Board:
                self.is_right(deal, self.board(number, board), board, limit=limit, final=final)
                if self.members:
                    members = self.within_the_group(number, board)
                    group = self.group.pk
                    self.is_right(deal, members, board, limit=limit, final=final, group_id=group)
            for player in self.results[number]:
                self.is_placed(number, player)

    @contextmanager
    def counted(self, path: str) -> Iterator[None]:
        live.circuit.resting_until = live.building.resting_until = 0
        if path == "by a set built anew":
            self.valkey.client.flushall()
        if path == "without a set":
            with override_settings(REDIS_URL=""):
                yield
        elif path == "in a transaction":
            with transaction.atomic():
                yield
        else:
            yield

    def is_right(
        self, deal: DailyDeal, expected: list[Row], board: Board, *, limit: int, **options: Any
    ) -> None:
        """Every page both ways, every window, and the refusal of who is not on the board."""
        assert walk(deal, board, limit=limit, **options) == expected
        assert walk(deal, board, limit=limit, backwards=True, **options) == expected
        assert page(deal, board, limit=limit, **options).total == len(expected)
        for place, row in enumerate(expected):
            shown = around(deal, row.player, board, limit=limit, **options)
            assert (shown.rows, shown.total) == (window(expected, place, limit), len(expected))
        for player in set(self.ids) - {row.player for row in expected}:
            with pytest.raises(Refusal, match="not_ranked"):
                around(deal, player, board, limit=limit, **options)

    def is_placed(self, number: int, player: int) -> None:
        """A result's rank out of how many, unless it is on no board."""
        board = self.board(number, Board.OVERALL)
        placing = boards.placing(attempt_id=self.results[number][player].attempt)
        found = [(placing.rank, placing.of)] if placing else []
        assert found == [(it.rank, len(board)) for it in board if it.player == self.ids[player]]

    def board(self, number: int, board: Board) -> list[Row]:
        """A board of a day, from the model."""
        if number in self.void:
            return []
        order = sorted(
            (it.ms, it.undos, self.ids[player])
            for player, it in self.results[number].items()
            if it.attempt not in self.out and (board is Board.OVERALL or it.undos == 0)
        )
        return [
            Row(1 + sum(other[:2] < (ms, undos) for other in order), ms, undos, player)
            for ms, undos, player in order
        ]

    def within_the_group(self, number: int, board: Board) -> list[Row]:
        """Its members on a board of a day, ranked among each other."""
        them = {self.ids[member] for member in self.members}
        within = [row for row in self.board(number, board) if row.player in them]
        keys = [(row.ms, row.undos) for row in within]
        return [row._replace(rank=1 + sum(it < row[1:3] for it in keys)) for row in within]

    @invariant()
    def the_boards_of_all_days_are_right(self) -> None:
        for number, deal in enumerate(self.days):
            for board in Board:
                assert page(deal, board).rows == self.board(number, board)

    @invariant()
    def the_names_are_those_of_the_players(self) -> None:
        if not self.days:
            return
        bear = dict(Player.objects.values_list("pk", "name"))
        shown = boards.page(
            deal_id=self.today.pk, board=Board.OVERALL, cursor=None, limit=100
        ).page.items
        assert [it.result.name for it in shown] == [bear[it.result.player_id] for it in shown]

    @invariant()
    def the_periods_are_right(self) -> None:
        for period in Period.objects.all():
            expected = self.period(period.name)
            shown = periods.page(challenge="one-pass", name=period.name, cursor=None, limit=100)
            rows = [
                (it.rank, it.score.player_id, it.score.days_cleared, it.score.ranked_ms)
                for it in shown.page.items
            ]
            assert (rows, shown.total) == (expected, len(expected))
            for rank, player, *_ in expected:
                [entry] = periods.around(
                    challenge="one-pass", name=period.name, player_id=player, limit=1
                ).page.items
                assert (entry.rank, entry.score.player_id) == (rank, player)

    def period(self, name: str) -> list[tuple[int, UUID, int, int]]:
        sums: dict[UUID, tuple[int, int]] = {}
        for number, deal in enumerate(self.days):
            counted = number not in self.void and hasattr(
                DailyDeal.objects.get(pk=deal.pk), "counted"
            )
            if counted and name in (
                periods.week_of(deal.date), periods.month_of(deal.date), "all-time"
            ):  # fmt: skip
                for row in self.board(number, Board.OVERALL):
                    cleared, ms = sums.get(row.player, (0, 0))
                    sums[row.player] = cleared + 1, ms + row.ms
        order = sorted((-cleared, ms, player) for player, (cleared, ms) in sums.items())
        return [
            (1 + sum(other[:2] < (minus, ms) for other in order), player, -minus, ms)
            for minus, ms, player in order
        ]


@pytest.mark.core
def test_f4_every_board_is_its_plain_recomputation_after_each_step(
    committed_db: Database, clock: SimulatedClock, valkey: Valkey
) -> None:
    class DaysByThisClock(Days):
        pass

    DaysByThisClock.clock, DaysByThisClock.valkey = clock, valkey
    run_state_machine_as_test(
        DaysByThisClock,
        settings=settings(
            max_examples=8,
            stateful_step_count=30,
            database=None,
            deadline=None,
            phases=[Phase.generate],  # told at once, not after minutes of shrinking
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
    )
