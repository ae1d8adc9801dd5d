"""A clock that is set back takes no time from an attempt, and the attempt says so (B4, G)."""

import pytest

from games import deals
from games.models import Attempt, AttemptStatus, DailyDeal
from leaderboards.models import Result
from tests import recomputation
from tests.api.client import Client, sign_up
from tests.builders import SHORT_LINE, publish_short
from tests.conftest import SimulatedClock

pytestmark = [pytest.mark.core, pytest.mark.django_db]


@pytest.fixture
def deal(db: None, clock: SimulatedClock) -> DailyDeal:
    return publish_short()


@pytest.fixture
def ada(deal: DailyDeal) -> Client:
    return sign_up("Ada")


def stored() -> Attempt:
    return Attempt.objects.select_related("deal").get()


def test_g_a_step_back_between_moves_stops_the_time_and_is_noted(
    ada: Client, clock: SimulatedClock
) -> None:
    attempt = ada.begin()
    clock.advance(seconds=8)
    attempt = ada.play(attempt, "D")
    assert not stored().clock_stepped
    clock.advance(seconds=-5)
    attempt = ada.play(attempt, "U")
    assert (attempt["elapsed_ms"], stored().clock_stepped) == (8_000, True)
    clock.advance(seconds=9)
    attempt = ada.play(attempt, *SHORT_LINE)
    assert attempt["elapsed_ms"] == attempt["result"]["elapsed_ms"] == 12_000
    assert stored().clock_stepped
    recomputation.check()


@pytest.mark.parametrize("end", ["resign", "finish"])
def test_g_a_step_back_after_the_start_is_neither_negative_nor_an_end_before_it(
    ada: Client, clock: SimulatedClock, end: str
) -> None:
    attempt = ada.begin()
    clock.advance(seconds=-5)
    assert ada.attempt(attempt["id"]).body["elapsed_ms"] == 0
    if end == "resign":
        ada.resign(attempt["id"])
    else:
        ada.play(attempt, *SHORT_LINE)
    ended = stored()
    assert (ended.elapsed_ms, ended.finished_at, ended.clock_stepped) == (0, ended.started_at, True)
    assert set(Result.objects.values_list("finished_at", flat=True)) <= {ended.started_at}
    recomputation.check()


def test_g_an_attempt_whose_clock_ran_on_is_not_flagged(ada: Client, clock: SimulatedClock) -> None:
    attempt = ada.begin("one-pass", "D")
    attempt = ada.play(attempt, "U")  # within the same ms
    clock.advance(ms=1)
    ada.play(attempt, *SHORT_LINE)
    assert not stored().clock_stepped


def test_g_a_step_back_over_the_seal_opens_nothing_again(
    ada: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    attempt = ada.begin("one-pass", "b1b2")
    clock.set("2026-12-01T02:00:00.000Z")
    assert deals.seal_due() == 1
    clock.advance(seconds=-5)
    assert ada.move(attempt["id"], "a1", 1).refusal == (409, "attempt_over")
    assert ada.start(day="2026-11-30").body["ranked"] is False
    assert deals.seal_due() == 0
    ended = Attempt.objects.get(pk=attempt["id"])
    assert (ended.status, ended.finished_at) == (AttemptStatus.EXPIRED, deal.seals_at)
    assert not Result.objects.exists()
    assert ada.get("/deals/2026-11-30/one-pass").body["status"] == "sealed"
