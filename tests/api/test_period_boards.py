"""The boards of weeks, months and all time, as HTTP shows them."""

from typing import Any

import pytest

from games import deals, tasks
from games.models import DailyDeal
from tests.api.client import Client, Json, Reply, sign_up
from tests.builders import SHORT_LINE, nothing_changes, publish_short
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core


@pytest.fixture
def players(db: None, clock: SimulatedClock) -> dict[str, Client]:
    """Who played on Sunday the 29th and Monday the 30th of November; it is Tuesday now."""
    clock.set("2026-11-29T12:00:00.000Z")
    players = {name: sign_up(name) for name in ("Cyd", "Dot", "Eve")}
    for runs in ({"Cyd": 3000, "Dot": 1000}, {"Cyd": 3000, "Dot": 5000, "Eve": 2000}):
        deal = publish_short(day=clock.instant.date())
        for name, ms in runs.items():
            attempt = players[name].begin()
            clock.advance(ms=ms)
            players[name].play(attempt, *SHORT_LINE)
        clock.instant = deal.closes_at
        clock.advance(hours=12)
    tasks.sweep()
    return players


def board(client: Client, period: str, challenge: str = "one-pass", **query: Any) -> Reply:
    return client.get(f"/leaderboards/{challenge}/{period}", **query)


def ranking(body: Json) -> list[tuple[int, str, int, int]]:
    return [
        (it["rank"], it["player"]["name"], it["days_cleared"], it["ranked_ms"])
        for it in body["items"]
    ]


@pytest.mark.parametrize(
    ("period", "name", "expected"),
    [
        ("week", "2026-W49", [(1, "Eve", 1, 2000), (2, "Cyd", 1, 3000), (3, "Dot", 1, 5000)]),
        ("2026-W48", "2026-W48", [(1, "Dot", 1, 1000), (2, "Cyd", 1, 3000)]),
        ("month", "2026-12", []),
        ("2026-11", "2026-11",
         [(1, "Cyd", 2, 6000), (1, "Dot", 2, 6000), (3, "Eve", 1, 2000)]),
        ("all-time", "all-time",
         [(1, "Cyd", 2, 6000), (1, "Dot", 2, 6000), (3, "Eve", 1, 2000)]),
    ],
)  # fmt: skip
def test_most_days_then_least_time(
    anyone: Client,
    players: dict[str, Client],
    period: str,
    name: str,
    expected: list[tuple[int, str, int, int]],
    clock: SimulatedClock,
) -> None:
    body = board(anyone, period).body
    assert sorted(ranking(body)) == expected
    assert (body["challenge"], body["period"], body["total"]) == ("one-pass", name, len(expected))
    assert body["as_of"].startswith("2026-12-01T12:00")


def test_around_and_cursors_and_groups(anyone: Client, players: dict[str, Client]) -> None:
    eve = players["Eve"]
    assert ranking(board(eve, "2026-11", around="me", limit=1).body) == [(3, "Eve", 1, 2000)]
    assert ranking(board(anyone, "2026-11", around="eve", limit=1).body) == [(3, "Eve", 1, 2000)]
    first = board(anyone, "2026-11", limit=2).body
    assert ranking(board(anyone, "2026-11", cursor=first["next"]).body) == [(3, "Eve", 1, 2000)]
    group = eve.post("/groups", {"name": "friends"}).body
    players["Dot"].post("/groups/join", {"code": group["code"]})
    within = board(eve, "2026-11", group=group["id"]).body
    assert ranking(within) == [(1, "Dot", 2, 6000), (2, "Eve", 1, 2000)]
    assert within["total"] == 2
    assert board(eve, "2026-W48", around="me").refusal == (404, "not_ranked")
    assert board(anyone, "2026-11", around="me").refusal == (401, "not_authenticated")


@pytest.mark.parametrize(
    "period",
    ["2026-W50", "2027-01", "2026-10", "2026-W47", "2026-W54", "2026-13", "2026-W00", "2026-00",
     "2026-W1", "2026-1", "20261", "2026", "today", "2026-11-30", "Week", "week%00", "all", "%F0"],
)  # fmt: skip
def test_a_period_to_come_and_one_that_never_was_are_not_found(
    anyone: Client, players: dict[str, Client], period: str
) -> None:
    never = board(anyone, "1999-01")
    with nothing_changes():
        reply = board(anyone, period)
    assert (reply.status, reply.content) == (404, never.content)


def test_a_challenge_that_is_not_there_is_not_found(anyone: Client) -> None:
    for challenge in ("none", "%00", "x" * 50):
        assert board(anyone, "week", challenge).refusal == (404, "not_found")


@pytest.mark.parametrize("query", ["board=clean", "limit=0", "cursor=x", "group=1", "around="])
def test_a_bad_query_is_refused(anyone: Client, players: dict[str, Client], query: str) -> None:
    with nothing_changes():
        reply = anyone.get(f"/leaderboards/one-pass/all-time?{query}")
    assert reply.refusal == (400, "invalid_request")


def test_a_day_counts_only_when_it_is_sealed(anyone: Client, clock: SimulatedClock) -> None:
    deal: DailyDeal = publish_short()
    sign_up("Cyd").begin("one-pass", *SHORT_LINE)
    assert deals.count_sealed() == 0
    assert board(anyone, "all-time").body["items"] == []
    clock.instant = deal.seals_at
    tasks.sweep()
    assert ranking(board(anyone, "all-time").body) == [(1, "Cyd", 1, 0)]


def test_the_export_holds_the_scores(players: dict[str, Client]) -> None:
    scores = players["Eve"].get("/me/export").body["scores"]
    assert [(it["period"], it["days_cleared"], it["ranked_ms"]) for it in scores] == [
        ("2026-11", 1, 2000), ("all-time", 1, 2000), ("2026-W49", 1, 2000)
    ]  # fmt: skip
