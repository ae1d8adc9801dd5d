"""Starting, resuming, resigning, expiring and finishing an attempt."""

from typing import Any
from uuid import uuid4

import pytest

from games.models import Attempt, DailyDeal
from tests.api.client import Client
from tests.builders import SHORT_LINE, nothing_changes, publish, publish_short, seal
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core

LAST_MS = "2026-12-01T01:59:59.999Z"
SEALS_AT = "2026-12-01T02:00:00.000Z"


@pytest.fixture
def deal(db: None, clock: SimulatedClock) -> DailyDeal:
    return publish_short()


def test_a_start_shows_the_cards_and_the_whole_attempt(ada: Client, deal: DailyDeal) -> None:
    reply = ada.start()
    assert reply.status == 201
    attempt = reply.body
    stock = ["??"] * 49
    assert attempt == {
        "id": str(Attempt.objects.get().pk),
        "date": "2026-11-30",
        "challenge": "one-pass",
        "ranked": True,
        "status": "active",
        "ply": 0,
        "undo_count": 0,
        "started_at": "2026-11-30T12:00:00.000Z",
        "expires_at": SEALS_AT,
        "elapsed_ms": 0,
        "finished_at": None,
        "position": {
            "text": f"Kd/6c7c {''.join(stock)} - 1",
            "pyramid": [["Kd"], ["6c", "7c"]],
            "stock": stock,
            "waste": [],
            "pass": 1,
            "passes": 1,
        },
        "legal_moves": ["D", "b1b2"],
        "can_undo": False,
        "stuck": False,
        "result": None,
    }


def test_b2_a_second_start_is_the_first_one_for_ever(
    ada: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    first = ada.begin()
    clock.advance(ms=1_500)
    again = ada.start(day="2026-11-30")
    assert again.status == 200
    assert again.body == {**first, "elapsed_ms": 1_500}
    for change in ("resign", "wait"):
        if change == "resign":
            over = ada.resign(first["id"]).body
        else:
            clock.set("2026-12-01T01:00:00.000Z")
        with nothing_changes():
            again = ada.start(day="2026-11-30")
        assert (again.status, again.body) == (200, over)
    assert Attempt.objects.count() == 1


def test_players_and_challenges_have_attempts_of_their_own(
    ada: Client, ben: Client, deal: DailyDeal
) -> None:
    publish("double")
    ids = {ada.begin()["id"], ada.begin("double")["id"], ben.begin()["id"]}
    assert len(ids) == Attempt.objects.count() == 3


def test_b3_a_get_never_starts(ada: Client, deal: DailyDeal) -> None:
    with nothing_changes():
        assert ada.get("/deals/2026-11-30/one-pass/attempts").refusal == (405, "method_not_allowed")
        for path in ("/deals/today", "/deals/today/one-pass", "/me", "/me/attempts"):
            assert "Kd" not in ada.get(path).content.decode()
        assert ada.get("/me/attempts").body == {"items": [], "next": None, "previous": None}


def test_only_a_player_can_start(anyone: Client, deal: DailyDeal) -> None:
    with nothing_changes():
        assert anyone.start().refusal == (401, "not_authenticated")


def test_own_attempts_newest_first_by_day_and_challenge(
    ada: Client, ben: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    for challenge in ("double", "full-clear"):
        publish(challenge)
    older = ada.begin()
    clock.advance(ms=1)
    newer = ada.begin("double", "D")
    clock.advance(ms=1)
    ben.begin("full-clear")
    with nothing_changes():
        listed = ada.get("/me/attempts").body
    assert listed["items"] == [{**newer, "elapsed_ms": 1}, {**older, "elapsed_ms": 2}]

    def ids(**query: Any) -> list[str]:
        return [row["id"] for row in ada.get("/me/attempts", **query).body["items"]]

    assert ids(date="2026-11-30", challenge="one-pass") == [older["id"]]
    assert ids(challenge="double") == [newer["id"]]
    assert ids(date="2026-11-29") == ids(challenge="full-clear") == []
    page = ada.get("/me/attempts", limit=1).body
    assert ids(limit=1, cursor=page["next"]) == [older["id"]]


def test_elapsed_time_is_exact_and_no_pause_stops_it(
    ada: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    attempt = ada.begin()
    clock.advance(ms=1_234)
    assert ada.play(attempt, "D")["elapsed_ms"] == 1_234
    clock.advance(ms=1)
    assert ada.attempt(attempt["id"]).body["elapsed_ms"] == 1_235
    clock.advance(hours=8)
    assert ada.attempt(attempt["id"]).body["elapsed_ms"] == 8 * 3_600_000 + 1_235


def test_elapsed_time_never_decreases_when_the_clock_is_set_back(
    ada: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    attempt = ada.begin()
    clock.advance(ms=-5_000)
    assert ada.attempt(attempt["id"]).body["elapsed_ms"] == 0
    clock.advance(ms=25_000)
    attempt = ada.play(attempt, "D")
    clock.advance(ms=-15_000)
    attempt = ada.play(attempt, "U", *SHORT_LINE)
    assert (attempt["status"], attempt["elapsed_ms"]) == ("cleared", 20_000)
    log = ada.get(f"/attempts/{attempt['id']}/moves").body["items"]
    assert [row["at_ms"] for row in log] == [20_000] * 4


def test_resigning_ends_the_attempt_off_the_board_and_is_harmless_to_repeat(
    ada: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    attempt = ada.begin("one-pass", "D")
    clock.advance(ms=700)
    reply = ada.resign(attempt["id"])
    over = {"status": "resigned", "elapsed_ms": 700, "finished_at": "2026-11-30T12:00:00.700Z"}
    closed = {"legal_moves": [], "can_undo": False}
    assert (reply.status, reply.body) == (200, {**attempt, **over, **closed})
    clock.advance(ms=700)
    with nothing_changes():
        assert ada.resign(attempt["id"]).body == reply.body
        assert ada.attempt(attempt["id"]).body == reply.body
        assert ada.move(attempt["id"], "U", 1).refusal == (409, "attempt_over")
    assert ada.board().body["total"] == 0


def test_what_is_over_cannot_be_resigned(
    ada: Client, ben: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    cleared, expired = ada.begin("one-pass", *SHORT_LINE), ben.begin()
    clock.set(SEALS_AT)
    with nothing_changes():
        assert ada.resign(cleared["id"]).refusal == (409, "attempt_over")
        assert ben.resign(expired["id"]).refusal == (409, "attempt_over")


def test_an_attempt_expires_at_the_very_ms_of_the_seal(
    ada: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    attempt = ada.begin()
    clock.set(LAST_MS)
    attempt = ada.play(attempt, "D")
    assert (attempt["status"], attempt["elapsed_ms"]) == ("active", 14 * 3_600_000 - 1)
    clock.set(SEALS_AT)
    over = {"status": "expired", "finished_at": SEALS_AT, "elapsed_ms": 14 * 3_600_000}
    expected = {**attempt, **over, "legal_moves": [], "can_undo": False}
    with nothing_changes():
        assert ada.move(attempt["id"], "b1b2", 1).refusal == (409, "attempt_over")
        assert ada.move(attempt["id"], "U", 1).refusal == (409, "attempt_over")
        assert ada.attempt(attempt["id"]).body == expected
    clock.advance(days=3)
    assert ada.attempt(attempt["id"]).body == expected  # as long as no sweep came by
    retry = ada.move(attempt["id"], "D", 0)
    assert (retry.status, retry.headers["Idempotent-Replayed"]) == (200, "true")
    assert retry.body == expected


def test_a_finish_in_the_last_ms_counts(
    ada: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    attempt = ada.begin("one-pass", "b1b2")
    clock.set(LAST_MS)
    result = ada.play(attempt, "a1")["result"]
    assert (result["rank"], result["of"], result["elapsed_ms"]) == (1, 1, 14 * 3_600_000 - 1)


def test_a_deal_is_open_to_the_last_ms_of_its_day(
    ada: Client, ben: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    clock.set("2026-11-30T23:59:59.999Z")
    attempt = ada.begin()
    clock.set("2026-12-01T00:00:00.000Z")
    with nothing_changes():
        assert ben.start(day="2026-11-30").refusal == (409, "deal_closed")
        again = ada.start(day="2026-11-30")
    assert (again.status, again.body) == (200, {**attempt, "elapsed_ms": 1})
    assert ada.play(again.body, "D")["ply"] == 1
    clock.set(SEALS_AT)  # over, but no sweep has sealed it yet
    with nothing_changes():
        assert ben.start(day="2026-11-30").refusal == (409, "deal_closed")


def test_a_sealed_deal_is_open_for_practice(
    ada: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    ranked = ada.begin("one-pass", *SHORT_LINE)
    clock.set(SEALS_AT)
    seal(deal)
    deal_before = ada.get("/deals/2026-11-30/one-pass").body
    first = ada.start(day="2026-11-30")
    assert first.status == 201
    assert (first.body["ranked"], first.body["expires_at"]) == (False, None)
    clock.advance(days=30)
    again = ada.start(day="2026-11-30")
    assert (again.status, again.body["id"]) == (200, first.body["id"])
    assert again.body["elapsed_ms"] == 30 * 24 * 3_600_000
    finished = ada.play(again.body, *SHORT_LINE)
    assert (finished["status"], finished["ranked"], finished["result"]) == ("cleared", False, None)
    second = ada.start(day="2026-11-30")
    assert second.status == 201
    assert len({ranked["id"], first.body["id"], second.body["id"]}) == 3
    assert ada.board(day="2026-11-30").body["total"] == 1
    assert ada.get("/deals/2026-11-30/one-pass").body == deal_before


def test_a_finish_has_its_rank_in_the_same_reply_and_ever_after(
    ada: Client, ben: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    mine, theirs = ada.begin(), ben.begin()
    clock.advance(ms=4_000)
    finished = ada.play(mine, "D", "U", *SHORT_LINE)
    result = {
        "rank": 1, "of": 1, "ranked_ms": 14_000, "elapsed_ms": 4_000, "undo_count": 1, "ply": 4,
    }  # fmt: skip
    assert finished["result"] == result
    assert (finished["status"], finished["legal_moves"]) == ("cleared", [])
    assert (finished["can_undo"], finished["stuck"]) == (False, False)
    assert finished["finished_at"] == "2026-11-30T12:00:04.000Z"
    clock.advance(ms=9_999)
    assert ben.play(theirs, *SHORT_LINE)["result"]["rank"] == 1
    overtaken = {**finished, "result": {**result, "rank": 2, "of": 2}}
    assert ada.attempt(mine["id"]).body == overtaken
    assert ada.start().body == overtaken
    assert ada.get("/me/attempts").body["items"] == [overtaken]
    clock.set(SEALS_AT)
    seal(deal)
    assert ada.attempt(mine["id"]).body == overtaken


def test_b6_other_peoples_attempts_are_not_there_before_the_seal(
    ada: Client, ben: Client, anyone: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    attempt = ada.begin("one-pass", *SHORT_LINE)
    paths = [f"/attempts/{attempt['id']}", f"/attempts/{attempt['id']}/moves"]
    never = anyone.attempt(str(uuid4()))
    with nothing_changes():
        for caller in (ben, anyone):
            for path in paths:
                assert caller.get(path).content == never.content
        assert ben.move(attempt["id"], "D", 0).content == never.content
        assert ben.resign(attempt["id"]).content == never.content
    clock.set(SEALS_AT)
    seal(deal)
    for caller in (ben, anyone):
        assert caller.get(paths[0]).body == attempt
        assert len(caller.get(paths[1]).body["items"]) == 2
        with nothing_changes():
            refused = caller.move(attempt["id"], "D", 2)
        assert refused.code == ("not_found" if caller is ben else "not_authenticated")
