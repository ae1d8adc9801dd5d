"""No reply tells anything of a card before its player has turned it over (A2, A3, A4)."""

import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from tests.attacks import twins
from tests.attacks.script import Exchange, Script
from tests.conftest import SimulatedClock

Play = Callable[[Script], Any]
AGREED = 8
OURS = ("games.", "leaderboards.", "players.", "pyramid_site.")


@pytest.fixture
def in_both(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, clock: SimulatedClock
) -> Callable[..., list[Any]]:
    """Does the same in both worlds; what came of it in each."""

    def in_both(play: Play, *, agreed: int = AGREED) -> list[Any]:
        found = []
        for twin in (False, True):
            with twins.world(twin, django_db_blocker, clock, agreed=agreed):
                found.append(play(Script(clock, agreed=agreed)))
        return found

    return in_both


def assert_alike(one: list[Exchange], other: list[Exchange]) -> None:
    """Told by the first difference, not by megabytes."""
    for exchange, twin in zip(one, other, strict=True):
        assert exchange == twin


def test_a2_two_servers_that_differ_in_hidden_cards_alone_answer_alike(
    in_both: Callable[..., list[Any]],
) -> None:
    def play(script: Script) -> tuple[list[Exchange], Exchange]:
        script.run(steps=200)
        told = list(script.exchanges)
        return told, turn_the_next_card(script)

    (told, turned), (told_by_twin, turned_by_twin) = in_both(play)
    assert_alike(told, told_by_twin)
    assert turned.content != turned_by_twin.content
    statuses = Counter(it.status for it in told)
    assert set(statuses) >= {200, 201, 302, 304, 400, 401, 403, 404, 405, 409, 422, 500}
    assert any(b"cleared" in it.content for it in told)


def turn_the_next_card(script: Script) -> Exchange:
    """Draws until a card is turned over that the twins do not agree on."""
    name, challenge = "one who comes last", "double"
    script.tokens[name] = script.sign_up()
    script.start(name, challenge)
    while True:
        attempt = script.attempts[name, challenge]
        last = script.hidden(attempt) == script.hidden_at_the_end(attempt)
        exchange = script.play(name, challenge, "D", attempt["ply"])
        assert exchange.status == 200
        if last:
            return exchange


def test_a4_with_two_cards_left_nothing_tells_their_order(
    in_both: Callable[..., list[Any]],
) -> None:
    """A digest over what is hidden would: there are two orders to try."""

    def play(script: Script) -> list[Exchange]:
        script.start("Ada", "double")
        attempt = script.attempts["Ada", "double"]
        for ply in range(57):
            script.play("Ada", "double", "D", ply)
        assert script.attempts["Ada", "double"]["position"]["stock"] == ["??", "??"]
        for path in (f"/attempts/{attempt['id']}", f"/attempts/{attempt['id']}/moves?positions=1"):
            script.as_player("Ada", "GET", path)
        for path in ("/deals/today", "/deals/today/double", "/me/attempts"):
            script.as_player("Ada", "GET", path)
        return script.exchanges

    one, other = in_both(play, agreed=-2)
    assert_alike(one, other)


def test_a3_a_draw_takes_the_same_work_whatever_lies_behind_it(
    in_both: Callable[..., list[Any]],
) -> None:
    """Counted in calls, which unlike times are exact."""

    def play(script: Script) -> list[Counter[str]]:
        counts = []
        for challenge in ("double", "three-pass"):
            script.start("Ada", challenge)
            script.play("Ada", challenge, "D", 0)  # what is remembered from the first is set up
            counts.append(calls(partial(script.play, "Ada", challenge, "D", 1)))
        return counts

    one, other = in_both(play)
    assert one == other
    assert all("play" in counted and counted.total() > 200 for counted in one)


def calls(work: Callable[[], Any]) -> Counter[str]:
    """How often each function of the server is called in the course of some work."""
    counted: Counter[str] = Counter()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_globals["__name__"].startswith(OURS):
            counted[frame.f_code.co_qualname] += 1

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted
