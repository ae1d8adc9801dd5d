"""Challenges that are off the offer from a day on."""

from datetime import date, timedelta

import pytest

from games import deals, queries
from games.models import Challenge
from pyramid_site.refusals import Refusal
from tests.api.client import Client, sign_up
from tests.builders import DAY, nothing_changes, publish_short, seal
from tests.conftest import SimulatedClock

pytestmark = [pytest.mark.core, pytest.mark.django_db]

TOMORROW = DAY + timedelta(days=1)


@pytest.fixture(autouse=True)
def paused(clock: SimulatedClock) -> None:
    """`double` from tomorrow on, which has its deals already."""
    Challenge.objects.filter(pk__in=["three-pass", "full-clear"]).delete()
    for challenge in ("one-pass", "double"):
        for day in (DAY, TOMORROW):
            publish_short(challenge, day=day)
    deals.pause(challenge_id="double", first_day=TOMORROW)


def listed() -> list[str]:
    return [deal["challenge"] for deal in Client().get("/deals/today").body["items"]]


def offered() -> list[str]:
    return [it["id"] for it in Client().get("/challenges").body["items"]]


def test_a_day_before_the_pause_is_as_it_was(clock: SimulatedClock) -> None:
    clock.set("2026-11-30T23:59:59.999Z")
    assert listed() == offered() == ["one-pass", "double"]
    assert sign_up().start("double").status == 201


def test_from_the_first_day_on_the_challenge_is_not_on_offer(clock: SimulatedClock) -> None:
    ada = sign_up()
    begun = ada.begin("double")
    clock.set("2026-12-01T00:00:00.000Z")
    assert listed() == offered() == ["one-pass"]
    never = Client().get("/deals/1999-01-01/double")
    with nothing_changes():
        for day in ("today", "2026-12-01"):
            assert Client().get(f"/deals/{day}/double").content == never.content
            assert ada.start("double", day).content == never.content
            assert ada.board("double", day).content == never.content
    assert ada.play(begun, "D")["ply"] == 1  # what has begun goes on


def test_no_deal_of_a_paused_day_is_made() -> None:
    days = [TOMORROW, TOMORROW + timedelta(days=1)]
    assert [(day, it.pk) for day, it in queries.missing_deals(days)] == [(days[1], "one-pass")]


def test_a_deal_that_was_made_for_a_paused_day_comes_to_the_archive(clock: SimulatedClock) -> None:
    clock.set("2026-12-02T02:00:00.000Z")
    seal(queries.deals().get(date=TOMORROW, challenge="double"))
    found = Client().get("/deals/2026-12-01/double").body
    assert (found["status"], found["players"]) == ("sealed", 0)
    assert sign_up().start("double", "2026-12-01").status == 201


def test_a_resumed_challenge_is_on_offer_at_once(clock: SimulatedClock) -> None:
    clock.set("2026-12-01T12:00:00.000Z")
    deals.resume(challenge_id="double")
    assert listed() == offered() == ["one-pass", "double"]
    assert sign_up().start("double").status == 201


@pytest.mark.parametrize("first_day", [date(2026, 11, 30), date(2026, 11, 29)])
def test_no_day_that_has_begun_is_paused(first_day: date) -> None:
    with nothing_changes(), pytest.raises(Refusal, match="deal_closed"):
        deals.pause(challenge_id="one-pass", first_day=first_day)


def test_what_is_no_challenge_is_neither_paused_nor_resumed() -> None:
    with nothing_changes():
        with pytest.raises(Refusal, match="not_found"):
            deals.pause(challenge_id="triple", first_day=TOMORROW)
        with pytest.raises(Refusal, match="not_found"):
            deals.resume(challenge_id="triple")
