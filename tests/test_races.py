"""Requests and tasks at the very same time, on real threads and a real PostgreSQL (C1, C3)."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import date, datetime, timedelta
from functools import partial

import pytest
from django.db import connection, transaction

from games import attempts, deals, engine, making
from games.models import Attempt, AttemptStatus, DailyDeal, LoggedMove, Seal
from leaderboards.models import Result, Standing
from pyramid_site import clock as the_clock
from tests.api.client import Client, Json, Reply, sign_up
from tests.builders import DAY, SHORT_LINE, publish_short
from tests.conftest import Database, SimulatedClock
from tests.threads import at_once, meanwhile

LAST_MS = "2026-12-01T01:59:59.999Z"
SEALS_AT = "2026-12-01T02:00:00.000Z"


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


def moves(client: Client, attempt: Json, *texts: str) -> list[Reply]:
    """Moves that are all sent at once, with the present ply."""
    callers = [Client(client.token) for _ in texts]
    return at_once(
        *[
            partial(caller.move, attempt["id"], text, attempt["ply"])
            for caller, text in zip(callers, texts, strict=True)
        ]
    )


def repeat(task: Callable[[], int]) -> None:
    """Does a task again and again until it has done something."""
    while not task():
        pass


def days(count: int) -> list[date]:
    """Days in their order."""
    return [DAY + timedelta(days=number) for number in range(count)]


def outcomes(replies: Sequence[Reply]) -> Counter[str]:
    """How many were played, replayed, and refused by which code."""
    return Counter(
        reply.code or ("replayed" if "Idempotent-Replayed" in reply.headers else "played")
        for reply in replies
    )


def logged() -> list[str]:
    rows = list(LoggedMove.objects.order_by("number").values_list("number", "move"))
    assert [number for number, _ in rows] == list(range(1, len(rows) + 1))
    return [move for _, move in rows]


def test_b2_fifty_starts_at_once_are_one_start(deal: DailyDeal) -> None:
    ada = sign_up()
    replies = at_once(*[Client(ada.token).start for _ in range(50)])
    assert Counter(reply.status for reply in replies) == {201: 1, 200: 49}
    assert len({reply.content for reply in replies}) == 1
    assert Attempt.objects.count() == 1


def test_practice_starts_at_once_are_one_start(deal: DailyDeal, clock: SimulatedClock) -> None:
    ada = sign_up()
    clock.set(SEALS_AT)
    assert deals.seal_due() == 1
    replies = at_once(*[partial(Client(ada.token).start, day="2026-11-30") for _ in range(8)])
    assert Counter(reply.status for reply in replies) == {201: 1, 200: 7}
    assert Attempt.objects.count() == 1


def test_c1_of_different_moves_at_one_ply_exactly_one_is_logged(deal: DailyDeal) -> None:
    ada = sign_up()
    attempt = ada.begin("one-pass", "D")
    texts = ["D", "U", "b1b2", "D", "U", "b1b2", "D", "U"]
    replies = moves(ada, attempt, *texts)
    first, won = logged()
    assert (first, texts.count(won)) == ("D", [reply.status for reply in replies].count(200))
    assert outcomes(replies)["played"] == 1
    now = ada.attempt(attempt["id"]).body
    for text, reply in zip(texts, replies, strict=True):
        if text == won:
            assert (reply.status, reply.body) == (200, now)
        else:
            assert (reply.code, reply.body["attempt"]) == ("stale_ply", now)


@pytest.mark.parametrize("move", ["D", "U", "b1b2"])
def test_c2_the_same_move_eight_times_at_once_is_logged_once(deal: DailyDeal, move: str) -> None:
    ada = sign_up()
    attempt = ada.begin("one-pass", "D")
    replies = moves(ada, attempt, *[move] * 8)
    assert outcomes(replies) == {"played": 1, "replayed": 7}
    assert len({reply.content for reply in replies}) == 1
    assert logged() == ["D", move]


def test_c1_eight_finishes_at_once_are_one_result(deal: DailyDeal) -> None:
    ada = sign_up()
    attempt = ada.begin("one-pass", "b1b2")
    replies = moves(ada, attempt, *["a1"] * 8)
    assert outcomes(replies) == {"played": 1, "replayed": 7}
    assert {reply.body["result"]["of"] for reply in replies} == {1}
    assert Result.objects.count() == 1


@pytest.mark.parametrize("move", ["D", "U", "a1"])
def test_c1_a_move_and_a_resignation_at_once_leave_one_end(deal: DailyDeal, move: str) -> None:
    ada = sign_up()
    attempt = ada.begin("one-pass", "b1b2")
    other = Client(ada.token)
    moved, resigned = at_once(
        partial(ada.move, attempt["id"], move, 1), partial(other.resign, attempt["id"])
    )
    ended = ada.attempt(attempt["id"]).body
    if moved.status == 200 and move == "a1":
        assert (resigned.code, ended["status"]) == ("attempt_over", "cleared")
    else:
        assert (resigned.status, ended["status"]) == (200, "resigned")
        assert moved.status == 200 or moved.code == "attempt_over"
    assert Result.objects.count() == (ended["status"] == "cleared")
    assert logged() == ["b1b2", *[move] * (moved.status == 200)]


def test_finishes_of_eight_players_at_once_are_all_ranked(deal: DailyDeal) -> None:
    players = [sign_up() for _ in range(8)]
    started = [player.begin("one-pass", "b1b2") for player in players]
    replies = at_once(
        *[
            partial(player.move, attempt["id"], "a1", 1)
            for player, attempt in zip(players, started, strict=True)
        ]
    )
    assert {reply.body["result"]["rank"] for reply in replies} == {1}
    assert players[0].attempt(started[0]["id"]).body["result"]["of"] == 8


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


def test_c1_a_finish_racing_the_seal_is_in_it_or_refused(
    committed_db: Database, running_clock: RunningClock
) -> None:
    ada = None
    for ms, day in enumerate(days(20)):
        running_clock.set(the_clock.midnight(day))
        ada = ada or sign_up()
        deal = publish_short(day=day)
        attempt = ada.begin("one-pass", "b1b2")
        running_clock.set(deal.seals_at - timedelta(milliseconds=ms))
        (reply,), _ = at_once(
            partial(moves, ada, attempt, "a1"),
            partial(repeat, partial(deals.seal, deal_id=deal.pk)),
        )
        in_time = reply.status == 200
        assert in_time or reply.code == "attempt_over"
        assert not in_time or reply.body["result"]["rank"] == 1
        assert deal.results.count() == in_time
        assert Standing.objects.filter(result__deal=deal).count() == in_time
        assert Seal.objects.get(deal=deal).cleared == in_time


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
        (reply,), _ = at_once(
            partial(moves, ada, attempt, "D"), partial(repeat, attempts.expire_due)
        )
        in_time = reply.status == 200
        assert in_time or reply.code == "attempt_over"
        ended = Attempt.objects.get(pk=attempt["id"])
        assert (ended.status, ended.finished_at) == (AttemptStatus.EXPIRED, deal.seals_at)
        assert ended.ply == ended.log.count() == 1 + in_time


def test_c3_ten_seals_at_once_are_one(deal: DailyDeal, clock: SimulatedClock) -> None:
    for _ in range(3):
        sign_up().begin("one-pass", *SHORT_LINE)
    clock.set(SEALS_AT)
    sealed = at_once(*[partial(deals.seal, deal_id=deal.pk)] * 10)
    assert Counter(sealed) == {True: 1, False: 9}
    assert Seal.objects.get().cleared == 3
    assert list(Standing.objects.values_list("rank", "clean_rank")) == [(1, 1)] * 3


def test_c3_ten_sweeps_at_once_expire_each_attempt_once(
    deal: DailyDeal, clock: SimulatedClock
) -> None:
    for _ in range(3):
        sign_up().begin()
    clock.set(SEALS_AT)
    assert sum(at_once(*[attempts.expire_due] * 10)) == 3
    assert set(Attempt.objects.values_list("status", flat=True)) == {AttemptStatus.EXPIRED}


def test_c3_a_deal_made_twice_at_once_is_one_deal(
    committed_db: Database, clock: SimulatedClock
) -> None:
    for challenge in ("one-pass", "three-pass", "full-clear"):
        publish_short(challenge)
    at_once(*[partial(making.make_missing, days=1)] * 2)
    made = DailyDeal.objects.get(challenge="double")
    line = engine.parse_log(made.winning_line, made.rules)
    assert engine.replay(made.deal, made.rules, line).outcome is engine.Outcome.CLEARED
    assert DailyDeal.objects.count() == 4
