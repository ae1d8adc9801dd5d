"""Polling a board: what finds nothing new costs one query, and nothing new is missed."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import departures
from games.models import DailyDeal
from leaderboards import standings
from leaderboards.models import Result
from tests.api.client import Client, Reply, sign_up
from tests.builders import SHORT_LINE, publish_short, seal
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core

BOARDS = ["/deals/today/one-pass/leaderboard", "/deals/2026-11-30/one-pass/leaderboard?board=clean"]


@pytest.fixture
def deal(db: None, clock: SimulatedClock) -> DailyDeal:
    return publish_short()


@pytest.fixture
def cyd(deal: DailyDeal) -> Client:
    """Who has cleared the deal."""
    cyd = sign_up("Cyd")
    cyd.begin("one-pass", *SHORT_LINE)
    return cyd


def again(client: Client, path: str, reply: Reply) -> Reply:
    return client.get(path, headers={"If-None-Match": reply.headers["ETag"]})


@contextmanager
def costing(most: int) -> Iterator[None]:
    with CaptureQueriesContext(connection) as queries:
        yield
    assert len(queries) <= most, [query["sql"] for query in queries]


@pytest.mark.parametrize("path", BOARDS)
def test_a_poll_that_finds_nothing_new_costs_one_query(
    anyone: Client, cyd: Client, path: str
) -> None:
    reply = anyone.get(path)
    with costing(1):
        assert again(anyone, path, reply).status == 304


def test_who_sends_a_token_costs_its_look_up_as_well(cyd: Client) -> None:
    path = f"{BOARDS[0]}?around=me"
    reply = cyd.get(path)
    with costing(2):
        assert again(cyd, path, reply).status == 304


def test_a_poll_of_a_sealed_board_costs_one_query(
    anyone: Client, cyd: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    clock.instant = deal.seals_at
    seal(deal)
    reply = anyone.get(BOARDS[1])
    with costing(1):
        assert again(anyone, BOARDS[1], reply).status == 304


def test_a_poll_of_a_period_costs_two(anyone: Client, cyd: Client) -> None:
    path = "/leaderboards/one-pass/week"
    reply = anyone.get(path)
    with costing(2):
        assert again(anyone, path, reply).status == 304


@pytest.mark.parametrize("path", BOARDS)
@pytest.mark.parametrize(
    "event", ["a finish", "a verdict", "a rename", "a new case", "a departure", "the seal"]
)
def test_f4_whatever_changes_a_board_changes_its_version(
    anyone: Client, cyd: Client, deal: DailyDeal, clock: SimulatedClock, path: str, event: str
) -> None:
    path = path.replace("today", "2026-11-30")
    before = anyone.get(path)
    match event:
        case "a finish":
            sign_up("Dot").begin("one-pass", *SHORT_LINE)
        case "a verdict":
            result = Result.objects.get()
            standings.disqualify(attempt_id=result.pk, by=standings.Staff(1, "root"), why="bot")
        case "a rename":
            cyd.request("PATCH", "/me", b'{"name": "Cynthia"}')
        case "a new case":
            cyd.request("PATCH", "/me", b'{"name": "CYD"}')
        case "a departure":
            departures.delete(player_id=Result.objects.get().player_id)
        case "the seal":
            clock.instant = deal.seals_at
            seal(deal)
    after = again(anyone, path, before)
    assert after.status == 200
    assert after.body["items"] != before.body["items"]


def test_f5_a_then_b_through_a_shared_cache(anyone: Client, cyd: Client, deal: DailyDeal) -> None:
    """What a cache may keep is the same for everybody; what is one's own it may not keep."""
    dot = sign_up("Dot")
    for path in (*BOARDS, "/leaderboards/one-pass/all-time"):
        replies = [client.get(path) for client in (anyone, cyd, dot)]
        assert len({reply.content for reply in replies}) == 1
        assert len({reply.headers["ETag"] for reply in replies}) == 1
        assert {reply.headers["Cache-Control"] for reply in replies} == {"no-cache"}
    group = cyd.post("/groups", {"name": "friends"}).body
    for path in (BOARDS[0], "/leaderboards/one-pass/all-time"):
        reply = cyd.get(f"{path}?group={group['id']}")
        assert reply.headers["Cache-Control"] == "private, no-cache"
        assert "Authorization" in reply.headers["Vary"]
        assert reply.headers["ETag"] != anyone.get(path).headers["ETag"]
