"""Every board, page, window and rank beside a plain recomputation, whatever happens in between."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from django.conf import settings as django_settings
from django.db import connection, transaction
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
from tests import builders
from tests.boards.conftest import Valkey
from tests.boards.table import STAFF, Row, around, page, walk, window
from tests.conftest import Database, SimulatedClock, copied_database

PLAYERS = 6
WHO = st.integers(0, PLAYERS - 1)
A_DAY = timedelta(days=1)


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
        queries.remembered_deal.cache_clear()
        self.valkey.client.flushall()
        self.clock.set("2026-11-27T12:00:00.000Z")
        self.days: list[DailyDeal] = []
        self.results: list[dict[int, Finish]] = []
        self.out: set[UUID] = set()
        self.void: set[int] = set()
        self.gone: set[int] = set()
        self.tried: set[int] = set()
        self.members: set[int] = set()

    def teardown(self) -> None:
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
        self.tried = set()

    @property
    def today(self) -> DailyDeal:
        return self.days[-1]

    def start(self, player: int) -> UUID | None:
        """A new attempt, of one who is there and has none."""
        if player in self.tried | self.gone or len(self.days) - 1 in self.void:
            return None
        self.tried.add(player)
        attempt, _ = attempts.start(deal=self.today, player_id=self.ids[player])
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
        self.results[-1][player] = Finish(ms + 2 * undos, undos, attempt)
        if asks:
            placing = boards.placing(attempt_id=attempt)
            assert placing is not None
            expected = self.board(len(self.days) - 1, Board.OVERALL)
            assert [placing.rank] == [it.rank for it in expected if it.player == self.ids[player]]

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

    @precondition(lambda self: any(self.results))
    @rule(choice=st.integers(0, 50), sure=st.integers(0, 3))
    def is_void(self, choice: int, sure: int) -> None:
        """A day, sealed or not, counted or not."""
        number = choice % len(self.days)
        if sure == 0 and number not in self.void:
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
        queries.remembered_deal.cache_clear()
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

    # What must be

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

    @invariant()
    def todays_boards_are_right_by_every_page_and_window(self) -> None:
        """With ranks from the set, from SQL in a snapshot, and from SQL in a transaction."""
        if not self.days:
            return
        live.circuit.resting_until = live.building.resting_until = 0
        self.todays_boards_are_right()
        url = django_settings.REDIS_URL
        django_settings.REDIS_URL = ""
        self.todays_boards_are_right()
        with transaction.atomic():
            self.todays_boards_are_right()
        django_settings.REDIS_URL = url

    def todays_boards_are_right(self) -> None:
        for board in Board:
            expected = self.board(len(self.days) - 1, board)
            assert walk(self.today, board, limit=2) == expected
            assert walk(self.today, board, limit=3, backwards=True) == expected
            for place, row in enumerate(expected):
                shown = around(self.today, row.player, board, limit=2)
                assert shown.rows == window(expected, place, 2)
                assert shown.total == len(expected)

    @invariant()
    def the_boards_of_all_days_and_within_the_group_are_right(self) -> None:
        for number, deal in enumerate(self.days):
            for board in Board:
                expected = self.board(number, board)
                assert page(deal, board).rows == expected
                within = [row for row in expected if self.ids.index(row.player) in self.members]
                better = [row[1:3] for row in within]
                ranked = [
                    row._replace(rank=1 + sum(it < row[1:3] for it in better)) for row in within
                ]
                if self.members:
                    shown = page(deal, board, group_id=self.group.pk)
                    assert (shown.rows, shown.total) == (ranked, len(ranked))

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
            counted = hasattr(DailyDeal.objects.get(pk=deal.pk), "counted")
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
            max_examples=6,
            stateful_step_count=30,
            database=None,
            deadline=None,
            phases=[Phase.generate],  # told at once, not after minutes of shrinking
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
    )
