"""A finish and the seal of its deal at the very same time: in the standings or refused (C1)."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import date, datetime, timedelta
from functools import partial
from threading import Barrier
from uuid import UUID

import pytest
from django.db import connection, transaction

from games import attempts, deals, engine, queries
from games.models import Attempt, AttemptStatus, DailyDeal, LoggedMove, Seal
from leaderboards import standings
from leaderboards.models import Result, Standing, Verdict
from players import accounts
from pyramid_site import clock as the_clock
from pyramid_site.refusals import Refusal
from tests import recomputation
from tests.api.client import sign_up
from tests.builders import DAY, SHORT_LINE, publish_short
from tests.conftest import Database, SimulatedClock
from tests.threads import at_once, meanwhile, with_a_connection

LAST_MS = "2026-12-01T01:59:59.999Z"
SEALS_AT = "2026-12-01T02:00:00.000Z"
RACES = 500


@pytest.fixture(autouse=True)
def on_postgresql() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time: there is nothing to race")


class RunningClock:
    """The database's clock, moved so that it is a given instant now, and running on."""

    offset = timedelta(0)

    def set(self, instant: datetime) -> None:
        self.offset = timedelta(0)
        self.offset = instant - the_clock.now()

    def sql(self) -> str:
        ms = self.offset // timedelta(milliseconds=1)
        return f"date_trunc('milliseconds', clock_timestamp() + interval '{ms} milliseconds')"


@pytest.fixture
def running_clock(on_postgresql: None, monkeypatch: pytest.MonkeyPatch) -> RunningClock:
    running = RunningClock()
    monkeypatch.setattr(the_clock, "sql", running.sql)
    return running


@pytest.fixture
def deal(on_postgresql: None, committed_db: Database, clock: SimulatedClock) -> DailyDeal:
    return publish_short()


def test_c1_the_seal_waits_for_a_finish_that_is_under_way(
    deal: DailyDeal, clock: SimulatedClock
) -> None:
    ada = sign_up()
    attempt = ada.begin("one-pass", "b1b2")
    clock.set(LAST_MS)
    with ExitStack() as stack:
        with transaction.atomic():
            assert ada.play(attempt, "a1")["status"] == "cleared"
            clock.set(SEALS_AT)
            sealing = stack.enter_context(meanwhile(partial(deals.seal, deal_id=deal.pk)))
            assert not sealing.done()
        assert sealing.result(timeout=30) is True
    assert Seal.objects.get().cleared == Standing.objects.count() == 1


def test_c1_a_finish_that_waited_for_the_seal_is_too_late(
    deal: DailyDeal, clock: SimulatedClock
) -> None:
    ada = sign_up()
    attempt = ada.begin("one-pass", "b1b2")
    with ExitStack() as stack:
        with transaction.atomic():
            clock.set(SEALS_AT)
            assert deals.seal(deal_id=deal.pk) is True
            clock.set(LAST_MS)  # which the finish reads before it has to wait
            finishing = stack.enter_context(meanwhile(partial(ada.move, attempt["id"], "a1", 1)))
            assert not finishing.done()
            clock.set(SEALS_AT)
        assert finishing.result(timeout=30).refusal == (409, "attempt_over")
    assert Seal.objects.get().cleared == Standing.objects.count() == Result.objects.count() == 0
    assert logged() == ["b1b2"]


def test_c1_a_move_under_way_is_waited_for_and_a_sealed_log_grows_no_more(
    deal: DailyDeal, clock: SimulatedClock
) -> None:
    ada = sign_up()
    attempt = ada.begin("one-pass", "b1b2")
    clock.set(LAST_MS)
    with ExitStack() as stack:
        with transaction.atomic():
            assert ada.move(attempt["id"], "D", 1).status == 200
            clock.set(SEALS_AT)
            sealing = stack.enter_context(meanwhile(partial(deals.seal, deal_id=deal.pk)))
            assert not sealing.done()
        assert sealing.result(timeout=30) is True
    assert logged() == ["b1b2", "D"]
    assert Attempt.objects.get().status == AttemptStatus.EXPIRED
    assert ada.move(attempt["id"], "D", 2).refusal == (409, "attempt_over")
    assert logged() == ["b1b2", "D"]


def test_c1_of_500_finishes_that_race_the_seal_none_is_lost(
    committed_db: Database, running_clock: RunningClock
) -> None:
    """Each sets out some ms before the end, at a deal of its own."""
    running_clock.set(the_clock.midnight(DAY))
    player_id = accounts.sign_up(name="Ada").player.pk
    races = [one_move_left(number, player_id) for number in range(RACES)]
    taken: list[bool] = []
    note = taken.append
    start = Barrier(2, action=partial(next, set_out(races, taken, running_clock)))

    def finish() -> None:
        for attempt in races:
            note(in_time(attempt, start))

    def seal() -> None:
        for attempt in races:
            start.wait(timeout=30)
            while not deals.seal(deal_id=attempt.deal_id):
                pass

    with ThreadPoolExecutor(2) as pool:
        sealing = pool.submit(with_a_connection, seal)
        pool.submit(with_a_connection, finish).result()
        sealing.result()
    assert min(Counter(taken).values()) > RACES // 20, "one of the two came first nearly always"
    finished = {attempt.pk for attempt, was_taken in zip(races, taken, strict=True) if was_taken}
    assert set(Result.objects.values_list("attempt_id", flat=True)) == finished
    assert set(Standing.objects.values_list("result_id", "rank")) == {(it, 1) for it in finished}
    assert Seal.objects.count() == RACES
    recomputation.check()


def one_move_left(number: int, player_id: UUID) -> Attempt:
    """An attempt that one more move finishes, at a deal of its own."""
    challenge = list(engine.RULE_SETS)[number % 4]
    deal = publish_short(challenge, day=DAY + timedelta(days=number // 4))
    attempt = Attempt.objects.create(
        deal=deal, player_id=player_id, ranked=True, started_at=deal.opens_at, seen=0,
        ply=1, line="b1b2",
    )  # fmt: skip
    LoggedMove.objects.create(attempt=attempt, number=1, move="b1b2", at_ms=0)
    return attempt


def set_out(races: list[Attempt], taken: list[bool], clock: RunningClock) -> Iterator[None]:
    """Before each race the clock is some ms before the end: a little more after a finish that was
    too late, and less after one in time, so that on any machine neither always wins.
    """
    early = 5
    for attempt in races:
        if taken:
            early = max(0, early + (-1 if taken[-1] else 1))
        clock.set(attempt.deal.seals_at - timedelta(milliseconds=early))
        yield


def in_time(attempt: Attempt, start: Barrier) -> bool:
    """Whether the finishing move was taken; it is refused as too late, or not at all."""
    start.wait(timeout=30)
    try:
        attempts.play(attempt_id=attempt.pk, player_id=attempt.player_id, move="a1", ply=1)
    except Refusal as refusal:
        if refusal.code != "attempt_over":
            raise
        return False
    return True


def test_c1_a_move_racing_the_expiry_is_logged_or_refused(
    committed_db: Database, running_clock: RunningClock
) -> None:
    ada = None
    for ms, day in enumerate(days(10)):
        running_clock.set(the_clock.midnight(day))
        ada = ada or sign_up()
        deal = publish_short(day=day)
        attempt = ada.begin("one-pass", "b1b2")
        running_clock.set(deal.seals_at - timedelta(milliseconds=ms))
        reply, _ = at_once(
            partial(ada.move, attempt["id"], "D", 1), partial(repeat, attempts.expire_due)
        )
        in_time = reply.status == 200
        assert in_time or reply.code == "attempt_over"
        ended = Attempt.objects.get(pk=attempt["id"])
        assert (ended.status, ended.finished_at) == (AttemptStatus.EXPIRED, deal.seals_at)
        assert ended.ply == ended.log.count() == 1 + in_time


def repeat(task: Callable[[], int]) -> None:
    """Does a task again and again until it has done something."""
    while not task():
        pass


def days(count: int) -> list[date]:
    """Days in their order."""
    return [DAY + timedelta(days=number) for number in range(count)]


def logged() -> list[str]:
    rows = list(LoggedMove.objects.order_by("number").values_list("number", "move"))
    assert [number for number, _ in rows] == list(range(1, len(rows) + 1))
    return [move for _, move in rows]


def test_c1_a_verdict_and_a_seal_wait_for_each_other_in_no_ring(deal: DailyDeal) -> None:
    """A verdict holds the tally and refers to the deal, which the seal holds when it wants both."""
    sign_up().begin("one-pass", *SHORT_LINE)
    attempt = Attempt.objects.get()
    judge = partial(
        standings.disqualify, attempt_id=attempt.pk, by=standings.Staff(1, "root"), why="a bot"
    )
    with transaction.atomic():
        queries.lock_deal_to_seal(deal.pk)
        with ThreadPoolExecutor(1) as pool:
            pool.submit(with_a_connection, judge).result(timeout=15)
    assert Verdict.objects.count() == 1
