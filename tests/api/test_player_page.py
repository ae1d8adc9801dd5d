"""A player's public page."""

from urllib.parse import quote

import pytest

from games.api.players import RECENT
from tests.api.client import Client, sign_up
from tests.builders import DAY, SHORT_LINE, publish_short, seal
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core


def test_a_page_shows_streak_stats_and_sealed_results(
    ada: Client, ben: Client, anyone: Client, clock: SimulatedClock
) -> None:
    deal = publish_short()
    ben.begin("one-pass", *SHORT_LINE)
    attempt = ada.begin("one-pass", "D", "U")
    clock.advance(ms=1_500)
    ada.play(attempt, *SHORT_LINE)
    before = {"name": "Ada", "since": "2026-11-30T12:00:00.000Z", "streak": 1}
    before["longest_streak"] = 1
    assert anyone.get("/players/Ada").body == {**before, "stats": [], "results": []}

    clock.set("2026-12-01T02:00:00.000Z")
    seal(deal)
    publish_short(day=clock.instant.date())
    ada.begin("one-pass", *SHORT_LINE)
    reply = anyone.get("/players/Ada")
    assert reply.body == {
        **before,
        "streak": 2,
        "longest_streak": 2,
        "stats": [
            {"challenge": "one-pass", "played": 1, "cleared": 1, "clean": 0, "best_ms": 1_500}
        ],
        "results": [
            {
                "date": "2026-11-30",
                "challenge": "one-pass",
                "rank": 2,
                "of": 2,
                "ranked_ms": 11_500,
                "elapsed_ms": 1_500,
                "undo_count": 1,
                "ply": 4,
                "attempt_id": attempt["id"],
            }
        ],
    }


def test_f5_a_page_depends_on_no_caller(ada: Client, ben: Client, anyone: Client) -> None:
    replies = [caller.get("/players/Ada") for caller in (anyone, ada, ben)]
    assert len({(reply.content, *reply.headers.items()) for reply in replies}) == 1
    assert replies[0].headers["Cache-Control"] == "no-cache"
    assert ada.player["id"] not in replies[0].content.decode()


@pytest.mark.parametrize("written", ["Ada", "ADA", " ada", "\uff21da"])
def test_a_name_is_known_in_any_case_and_form(ada: Client, written: str) -> None:
    assert ada.get(f"/players/{quote(written)}").body["name"] == "Ada"


@pytest.mark.parametrize(
    "name", ["<b>7</b>", "a/b/c", "50% of 7", "\u738b\u5c0f\u660e", "7?a=b", "a#b", "a+b c", "a//b"]
)
def test_every_name_has_a_page(ada: Client, name: str) -> None:
    sign_up(name)
    for safe in ("", "/"):
        assert ada.get(f"/players/{quote(name, safe=safe)}").body["name"] == name


@pytest.mark.parametrize("name", ["Nobody", "\u0410da", "Ada\0", "Ada/", "x" * 2_000, "me"])
def test_whom_nobody_is_called_is_not_found(ada: Client, name: str) -> None:
    assert ada.get(f"/players/{quote(name)}").refusal == (404, "not_found")


def test_a_page_lists_the_newest_results(ada: Client, clock: SimulatedClock) -> None:
    days = [DAY.replace(day=number) for number in range(1, RECENT + 3)]
    for day in days:
        deal = publish_short(day=day)
        clock.set(f"{day}T12:00:00.000Z")
        ada.begin("one-pass", *SHORT_LINE) if day != days[0] else None
        clock.advance(days=2)
        seal(deal)
    results = ada.get("/players/Ada").body["results"]
    assert [result["date"] for result in results] == [str(day) for day in days[:1:-1]]
    assert len(results) == RECENT
