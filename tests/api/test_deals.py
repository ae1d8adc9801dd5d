"""Challenges, the deals of today, one deal and the archive."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from celery.signals import after_task_publish
from django.conf import settings
from django.core.cache import caches

from games import deals, queries
from games.models import Challenge
from tests.api.client import Client, Json
from tests.builders import DAY, SHORT_LINE, nothing_changes, publish, publish_short, seal
from tests.conftest import SimulatedClock

CHALLENGES = ["one-pass", "three-pass", "full-clear", "double"]
EMPTY: Json = {"items": [], "next": None, "previous": None}


@pytest.mark.core
def test_the_rule_sets_on_offer(anyone: Client) -> None:
    names = ("rows", "decks", "passes", "stock_top", "outside_pairs", "goal")
    rows = [
        ("one-pass", "One Pass", (7, 1, 1, False, False, "pyramid")),
        ("three-pass", "Three Passes", (7, 1, 3, True, True, "pyramid")),
        ("full-clear", "Full Clear", (7, 1, 3, True, True, "all")),
        ("double", "Double Pyramid", (9, 2, 3, False, False, "pyramid")),
    ]
    assert anyone.get("/challenges").body == {
        "items": [
            {
                "id": name,
                "title": title,
                "rules": dict(zip(names, rules, strict=True)),
                "undo_penalty_ms": 10_000,
            }
            for name, title, rules in rows
        ]
    }


@pytest.mark.core
def test_a_deal_says_nothing_of_its_cards(anyone: Client) -> None:
    deal = publish("three-pass")
    with nothing_changes():
        reply = anyone.get("/deals/2026-11-30/three-pass")
    assert reply.body == {
        "date": "2026-11-30",
        "challenge": "three-pass",
        "status": "open",
        "opens_at": "2026-11-30T00:00:00.000Z",
        "closes_at": "2026-12-01T00:00:00.000Z",
        "seals_at": "2026-12-01T02:00:00.000Z",
        "source": "seed",
        "commitment": None,
        "difficulty": None,
        "void_reason": None,
        "players": 0,
        "cleared": 0,
    }
    assert anyone.get("/deals/today/three-pass").body == reply.body
    assert deal.cards[:2] not in reply.content.decode()


@pytest.mark.core
def test_today_has_a_deal_of_each_challenge_in_order(anyone: Client, clock: SimulatedClock) -> None:
    for challenge in reversed(CHALLENGES):
        publish(challenge)
    publish("one-pass", DAY - timedelta(days=1))
    publish("one-pass", DAY + timedelta(days=1))
    clock.advance(ms=5)
    with nothing_changes():
        today = anyone.get("/deals/today").body
    assert (today["date"], today["now"]) == ("2026-11-30", "2026-11-30T12:00:00.005Z")
    assert [deal["challenge"] for deal in today["items"]] == CHALLENGES
    for deal in today["items"]:
        assert deal == anyone.get(f"/deals/today/{deal['challenge']}").body


@pytest.mark.core
def test_players_and_cleared_count_ranked_attempts(ada: Client, ben: Client) -> None:
    publish_short()
    ada.begin()
    ben.begin("one-pass", *SHORT_LINE)
    deal = ada.get("/deals/today/one-pass").body
    assert (deal["players"], deal["cleared"]) == (2, 1)
    assert ada.get("/deals/today").body["items"][0] == deal


def test_of_a_crowd_not_everybody_counts_again(
    ada: Client, ben: Client, anyone: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "MANY", 0)
    publish_short()
    assert anyone.get("/deals/today").body["items"][0]["players"] == 0
    ada.start()
    seen = anyone.get("/deals/today")
    assert seen.body["items"][0]["players"] == 1
    ben.start()
    assert anyone.get("/deals/today", headers={"If-None-Match": seen.headers["ETag"]}).status == 304
    caches["process"].clear()  # as after some seconds
    assert anyone.get("/deals/today").body["items"][0]["players"] == 2


@pytest.mark.core
def test_a_deal_opens_closes_and_seals_at_its_very_edges(
    anyone: Client, clock: SimulatedClock
) -> None:
    deal = publish()
    edges = [
        ("2026-11-29T23:59:59.999Z", None),
        ("2026-11-30T00:00:00.000Z", "open"),
        ("2026-11-30T23:59:59.999Z", "open"),
        ("2026-12-01T00:00:00.000Z", "closing"),
        ("2026-12-01T01:59:59.999Z", "closing"),
    ]
    for instant, status in edges:
        clock.set(instant)
        reply = anyone.get("/deals/2026-11-30/one-pass")
        assert (reply.body.get("status") if status else reply.code) == (status or "not_found")
        with nothing_changes():
            assert deals.seal(deal_id=deal.pk) is False
    clock.set("2026-12-01T02:00:00.000Z")
    seal(deal)
    assert anyone.get("/deals/2026-11-30/one-pass").body["status"] == "sealed"


@pytest.mark.core
@pytest.mark.parametrize(
    "instant",
    ["2026-11-29T23:59:59.999Z", "2026-11-28T23:59:59.999Z", "2026-11-27T00:00:00.000Z"],
)
def test_a6_the_future_the_past_without_deals_and_nonsense_are_one_answer(
    ada: Client, clock: SimulatedClock, instant: str
) -> None:
    for ahead in range(3):
        publish("one-pass", DAY + timedelta(days=ahead))
    clock.set(instant)
    never = ada.get("/deals/1999-01-01/one-pass")
    assert never.refusal == (404, "not_found")
    days = ["2026-11-30", "2026-12-01", "2026-12-02", "2027-01-01", "9999-12-31", "0001-01-01",
            "2026-02-30", "2026-13-01", "0000-00-00", "20261130", "2026-W49-1", "2026-11-3",
            "2026-11-30T00:00:00", "26-11-30", "+2026-11-30", "tomorrow", "yesterday", "Today",
            "-", "0", "%00", "%20", "2026-11-30%20", "%C3%A9", "%F0%9F%82%A1",
            "%D9%A2%D9%A0%D9%A2%D9%A6-%D9%A1%D9%A1-%D9%A2%D9%A9", "x" * 2_000]  # fmt: skip
    for day in days:
        with nothing_changes():
            for reply in (
                ada.get(f"/deals/{day}/one-pass"),
                ada.get(f"/deals/{day}/one-pass/leaderboard"),
                ada.start("one-pass", day),
            ):
                assert reply.content == never.content, day
                assert reply.headers.get("ETag") is None


@pytest.mark.core
@pytest.mark.parametrize("day", ["20261130", "2026-W49-1", "2026W491"])
def test_a_day_has_one_spelling(ada: Client, day: str) -> None:
    publish()
    assert ada.get("/deals/2026-11-30/one-pass").status == 200
    assert ada.get(f"/deals/{day}/one-pass").refusal == (404, "not_found")


@pytest.mark.core
@pytest.mark.parametrize("challenge", ["two-pass", "One-Pass", "one_pass", "%00", "x" * 300, "-"])
def test_an_unknown_challenge_is_not_found(ada: Client, challenge: str) -> None:
    publish()
    never = ada.get("/deals/1999-01-01/one-pass")
    for day in ("today", "2026-11-30", "2026-11-29", "2026-12-01"):
        with nothing_changes():
            assert ada.get(f"/deals/{day}/{challenge}").content == never.content
            assert ada.board(challenge, day).content == never.content
            assert ada.start(challenge, day).content == never.content


@pytest.mark.core
def test_the_archive_holds_the_sealed_deals_newest_first(
    anyone: Client, clock: SimulatedClock
) -> None:
    assert anyone.get("/deals").body == EMPTY
    for ago in range(3):
        for challenge in ("one-pass", "double"):
            publish(challenge, DAY - timedelta(days=ago))
    assert anyone.get("/deals").body == EMPTY  # unsealed, though over: no sweep came by yet
    clock.set("2026-12-01T01:59:59.999Z")
    assert deals.seal_due() == 4
    with nothing_changes():
        listed = anyone.get("/deals").body
    found = [(deal["date"], deal["challenge"], deal["status"]) for deal in listed["items"]]
    assert found == [
        ("2026-11-29", "one-pass", "sealed"),
        ("2026-11-29", "double", "sealed"),
        ("2026-11-28", "one-pass", "sealed"),
        ("2026-11-28", "double", "sealed"),
    ]
    assert (listed["next"], listed["previous"]) == (None, None)
    of_double = anyone.get("/deals", challenge="double").body["items"]
    assert of_double == [deal for deal in listed["items"] if deal["challenge"] == "double"]


@pytest.mark.core
def test_the_pages_of_the_archive_join_without_a_seam(
    anyone: Client, clock: SimulatedClock
) -> None:
    for ago in range(5):
        publish("one-pass", DAY - timedelta(days=ago))
    clock.set("2026-12-01T01:59:59.999Z")
    assert deals.seal_due() == 4  # all but today's
    clock.set("2026-12-01T02:00:00.000Z")
    whole = anyone.get("/deals").body["items"]
    first = anyone.get("/deals", limit=2, challenge="one-pass").body
    assert (first["items"], first["previous"]) == (whole[:2], None)
    assert deals.seal_due() == 1  # a newer one appears before the first page
    second = anyone.get("/deals", limit=2, challenge="one-pass", cursor=first["next"]).body
    assert (second["items"], second["next"]) == (whole[2:], None)
    back = anyone.get("/deals", limit=2, challenge="one-pass", cursor=second["previous"]).body
    assert back["items"] == whole[:2]
    newest = anyone.get("/deals", limit=2, challenge="one-pass", cursor=back["previous"]).body
    assert [deal["date"] for deal in newest["items"]] == ["2026-11-30"]


@pytest.mark.core
def test_a_deal_of_today_that_nobody_made_is_being_made(ada: Client) -> None:
    publish("one-pass")
    with nothing_changes():
        today = ada.get("/deals/today").body["items"]
        for refused in (
            ada.get("/deals/today/double"),
            ada.get("/deals/2026-11-30/double"),
            ada.board("double"),
            ada.start("double"),
        ):
            assert refused.refusal == (503, "deal_being_made")
            assert int(refused.headers["Retry-After"]) >= 1
    assert [deal["status"] for deal in today] == ["open", *["being_made"] * 3]
    made, *others = today
    for other in others:
        assert other == {**made, "challenge": other["challenge"], "status": "being_made"}


def test_asking_for_deals_that_nobody_made_sets_the_making_off_once(
    anyone: Client, tasks_sent: list[str]
) -> None:
    for _ in range(5):
        anyone.get("/deals/today")
        anyone.get("/deals/today/double")
    assert tasks_sent == ["games.tasks.make_deals"]


def test_a_deal_of_a_paused_challenge_does_not_stand_for_one_that_is_missing(
    anyone: Client, tasks_sent: list[str]
) -> None:
    Challenge.objects.exclude(pk__in=["one-pass", "double"]).delete()
    publish_short("double")
    Challenge.objects.filter(pk="double").update(paused_from=DAY)
    anyone.get("/deals/today")
    assert tasks_sent == ["games.tasks.make_deals"]


def test_asking_for_what_is_made_or_never_will_be_sets_nothing_off(
    anyone: Client, tasks_sent: list[str]
) -> None:
    for challenge in CHALLENGES:
        publish(challenge)
    for path in ("today", "today/double", "2026-12-01/double", "2026-11-29/double", "today/x"):
        anyone.get(f"/deals/{path}")
    assert tasks_sent == []


@pytest.fixture
def tasks_sent() -> Iterator[list[str]]:
    """The tasks that this process has handed to the broker."""
    if not settings.REDIS_URL:
        pytest.skip("without a broker nothing is sent")
    sent: list[str] = []

    def note(sender: str, **message: Any) -> None:
        sent.append(sender)

    after_task_publish.connect(note)
    yield sent
    after_task_publish.disconnect(note)
