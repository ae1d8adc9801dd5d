"""Streaks: consecutive days cleared, and what breaks them."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from games import records
from games.records import Streaks, streaks
from leaderboards import standings
from leaderboards.models import Result
from pyramid_site import clock as the_clock
from pyramid_site.models import Outage
from tests.api.client import Client, sign_up
from tests.builders import SHORT_LINE, publish_short
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core

FIRST = date(2026, 11, 1)


def days(*numbers: int) -> list[date]:
    return [FIRST + timedelta(days=number) for number in numbers]


@pytest.mark.parametrize(
    ("cleared", "bridged", "over", "expected"),
    [
        ([], [], 9, (0, 0)),
        ([9], [], 9, (1, 1)),
        ([8], [], 9, (0, 1)),
        ([9, 10], [], 9, (2, 2)),  # the tenth day is not over
        ([8, 10], [], 9, (1, 1)),
        ([9, 11], [], 9, (2, 2)),  # nor is the day between
        ([0, 1, 2, 8, 9], [], 9, (2, 3)),
        ([7, 9], [8], 9, (2, 2)),
        ([7], [8, 9], 9, (1, 1)),
        ([5, 9], [6, 8], 9, (1, 1)),
        ([5, 9], [6, 7, 8], 9, (2, 2)),
        ([8, 9], [8], 9, (2, 2)),  # cleared all the same
    ],
)
def test_days_cleared_in_a_row(
    cleared: list[int], bridged: list[int], over: int, expected: tuple[int, int]
) -> None:
    [last] = days(over)
    assert streaks(days(*cleared), bridged=days(*bridged), over=last) == Streaks(*expected)


@given(st.sets(st.integers(0, 14)), st.sets(st.integers(0, 14)), st.integers(0, 14))
def test_streaks_are_their_plain_recomputation(
    cleared: set[int], bridged: set[int], over: int
) -> None:
    """Day by day, as one counts on a calendar."""
    length = longest = 0
    for day in range(max(*cleared, over) + 1 if cleared else over + 1):
        if day in cleared:
            length += 1
        elif day not in bridged and day <= over:
            length = 0
        longest = max(longest, length)
    [last] = days(over)
    found = streaks(days(*sorted(cleared)), bridged=days(*bridged), over=last)
    assert found == Streaks(length, longest)


@pytest.fixture
def ada(db: None, clock: SimulatedClock) -> Client:
    clock.set("2026-11-26T12:00:00.000Z")
    return sign_up("Ada")


def clear(client: Client, challenge: str = "one-pass") -> None:
    publish_short(challenge, the_clock.today())
    client.begin(challenge, *SHORT_LINE)


def shown(client: Client) -> tuple[int, int]:
    me = client.get("/me").body
    page = client.get("/players/Ada").body
    assert (page["streak"], page["longest_streak"]) == (me["streak"], me["longest_streak"])
    return me["streak"], me["longest_streak"]


def test_any_challenge_counts_and_an_open_day_breaks_nothing(
    ada: Client, clock: SimulatedClock
) -> None:
    clear(ada)
    assert shown(ada) == (1, 1)
    clock.advance(days=1)
    clear(ada, "double")
    clear(ada)
    assert shown(ada) == (2, 2)
    clock.set("2026-11-29T01:59:59.999Z")  # the 28th may still be finished
    assert shown(ada) == (2, 2)
    clock.advance(ms=1)
    assert shown(ada) == (0, 2)


def test_a_resigned_attempt_and_one_disqualified_add_nothing(
    ada: Client, clock: SimulatedClock
) -> None:
    clear(ada)
    clock.advance(days=1)
    publish_short("one-pass", the_clock.today())
    ada.resign(ada.begin()["id"])
    assert shown(ada) == (1, 1)
    result = Result.objects.get()
    standings.disqualify(attempt_id=result.pk, by=standings.Staff(1, "root"), why="a bot")
    assert shown(ada) == (0, 0)
    [stats] = ada.get("/me").body["stats"]
    assert (stats["played"], stats["cleared"], stats["best_ms"]) == (2, 0, None)


def test_a_day_on_which_nobody_could_play_is_bridged(
    ada: Client, clock: SimulatedClock, settings: Settings
) -> None:
    settings.OUTAGE_SHARE = 0.25
    clear(ada)
    Outage.objects.create(began_at="2026-11-27T10:00:00.000Z", ended_at="2026-11-27T16:00:00.000Z")
    clock.set("2026-11-28T12:00:00.000Z")
    clear(ada)
    clock.set("2026-11-29T03:00:00.000Z")
    assert shown(ada) == (1, 1)  # down for just a quarter of the 27th
    Outage.objects.create(began_at="2026-11-27T20:00:00.000Z", ended_at="2026-11-27T20:00:00.001Z")
    assert shown(ada) == (2, 2)


def test_without_an_outage_no_day_is_bridged(db: None) -> None:
    assert records.bridged_days() == set()
