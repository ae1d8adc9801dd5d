"""Tasks that come twice, ten at once, or not for days: each thing is done once (C3)."""

from collections import Counter
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection
from pytest_django import Settings

from games import attempts, deals, engine, making, tasks
from games.models import Attempt, AttemptStatus, Challenge, DailyDeal, Seal
from leaderboards.models import Standing
from pyramid_site import clock as the_clock
from tests import recomputation
from tests.api.client import Json, sign_up
from tests.builders import DAY, SHORT_LINE, everything_stored, publish_short
from tests.conftest import Database, SimulatedClock
from tests.threads import at_once

SEALS_AT = "2026-12-01T02:00:00.000Z"


@pytest.fixture(autouse=True)
def on_postgresql() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time: there is nothing to race")


@pytest.fixture
def deal(on_postgresql: None, committed_db: Database, clock: SimulatedClock) -> DailyDeal:
    return publish_short()


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


@pytest.mark.parametrize("due", [1, 2, 3, 5])
def test_c3_attempts_that_are_due_expire_however_many_batches_they_are(
    deal: DailyDeal, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch, due: int
) -> None:
    monkeypatch.setattr(attempts, "BATCH", 2)
    for _ in range(due):
        sign_up().begin()
    clock.set(SEALS_AT)
    assert attempts.expire_due() == due
    assert set(Attempt.objects.values_list("status", flat=True)) == {AttemptStatus.EXPIRED}
    assert attempts.expire_due() == 0


def test_c3_ten_sweeps_at_once_and_ten_more_do_what_one_does(
    deal: DailyDeal, clock: SimulatedClock
) -> None:
    for number in range(6):
        sign_up().begin("one-pass", *SHORT_LINE[: number % 3])
    clock.set(SEALS_AT)
    at_once(*[tasks.sweep] * 10)
    stored = everything_stored()
    at_once(*[tasks.sweep] * 10)
    assert everything_stored() == stored
    assert Counter(Attempt.objects.values_list("status", flat=True)) == {"cleared": 2, "expired": 4}
    assert Seal.objects.get().cleared == Standing.objects.count() == 2
    recomputation.check()


def test_c3_ten_makings_at_once_and_ten_more_make_each_deal_once(
    committed_db: Database, clock: SimulatedClock, settings: Settings
) -> None:
    """One of them past the mark that keeps a second maker from work that is under way."""
    settings.DEALS_AHEAD_DAYS = 0
    Challenge.objects.filter(pk="double").update(rows=1)  # which is found at once
    for challenge in ("one-pass", "three-pass", "full-clear"):
        publish_short(challenge)
    at_once(partial(making.make_missing, days=1), *[tasks.make_deals] * 9)
    made = DailyDeal.objects.get(challenge="double")
    line = engine.parse_log(made.winning_line, made.rules)
    assert engine.replay(made.deal, made.rules, line).outcome is engine.Outcome.CLEARED
    deals_made = list(DailyDeal.objects.values())
    at_once(*[tasks.make_deals] * 10)
    assert list(DailyDeal.objects.values()) == deals_made
    assert len(deals_made) == 4


def test_c3_three_days_without_a_beat_end_as_if_it_had_come_each_minute(
    committed_db: Database, clock: SimulatedClock
) -> None:
    players = [sign_up() for _ in range(3)]
    days = [DAY + timedelta(days=number) for number in range(3)]
    live = []
    for day in days:
        clock.instant = the_clock.midnight(day)
        publish_short(day=day)
        for number, player in enumerate(players, start=1):
            attempt = player.begin()
            clock.advance(seconds=number)
            player.play(attempt, *SHORT_LINE[:number])  # the first of them stops half way
        live.append(players[0].board(day=str(day)).body["items"])
    clock.set("2026-12-05T00:00:00.000Z")
    for _ in range(2):
        tasks.sweep()
    assert list(Seal.objects.order_by("deal__date").values_list("players", "cleared")) == [
        (3, 2)
    ] * len(days)
    for day, before in zip(days, live, strict=True):
        board = players[0].board(day=str(day)).body
        assert board["final"]
        assert [told(row) for row in board["items"]] == [told(row) for row in before]
    for open_till_the_end in Attempt.objects.filter(status=AttemptStatus.EXPIRED):
        assert open_till_the_end.finished_at == open_till_the_end.deal.seals_at
    recomputation.check()


def told(row: Json) -> Json:
    """What of a row is told before the seal, too."""
    return {name: value for name, value in row.items() if name not in ("ply", "attempt_id")}


def test_c3_more_attempts_that_are_due_than_one_batch_all_expire(
    deal: DailyDeal, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "BATCH", 2)
    for _ in range(5):
        sign_up().begin()
    clock.set("2026-12-01T01:59:59.999Z")
    assert attempts.expire_due() == 0
    clock.set("2026-12-01T02:00:00.000Z")
    assert attempts.expire_due() == 5
    assert attempts.expire_due() == 0
    assert set(Attempt.objects.values_list("status", flat=True)) == {"expired"}
