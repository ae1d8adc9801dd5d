"""Moves, undos and redeals: what each makes of an attempt, and when a retry is safe."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Attempt, DailyDeal, LoggedMove
from tests.api.client import Client, Reply
from tests.builders import SHORT_LINE, nothing_changes, publish, publish_short
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core


@pytest.fixture
def deal(db: None, clock: SimulatedClock) -> DailyDeal:
    return publish_short(passes=2)


def log() -> list[str]:
    return list(LoggedMove.objects.order_by("number").values_list("move", flat=True))


def assert_replayed(reply: Reply, attempt: object) -> None:
    assert (reply.status, reply.body) == (200, attempt)
    assert reply.headers["Idempotent-Replayed"] == "true"


def test_a_move_answers_with_the_attempt_after_it(
    ada: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    before = ada.begin()
    clock.advance(ms=250)
    after = ada.play(before, "D")
    stock = ["??"] * 48
    expected = {
        "ply": 1,
        "elapsed_ms": 250,
        "can_undo": True,
        "position": {
            "text": f"Kd/6c7c {''.join(stock)} Ac 1",
            "pyramid": [["Kd"], ["6c", "7c"]],
            "stock": stock,
            "waste": ["Ac"],
            "pass": 1,
            "passes": 2,
        },
    }
    assert after == {**before, **expected}
    assert ada.attempt(before["id"]).body == after


def test_r12_an_undo_takes_the_move_back_and_counts(ada: Client, deal: DailyDeal) -> None:
    before = ada.begin()
    taken_back = ada.play(before, "b1b2", "U")
    counted = {"ply": 2, "undo_count": 1}
    assert taken_back == {**before, **counted}
    assert log() == ["b1b2", "U"]
    attempt = ada.play(taken_back, "D", "D", "U", "U")
    assert (attempt["ply"], attempt["undo_count"], attempt["can_undo"]) == (6, 3, False)
    assert Attempt.objects.get().line == ""


def test_r12_an_undo_of_nothing_is_refused(ada: Client, deal: DailyDeal) -> None:
    attempt = ada.begin()
    with nothing_changes():
        assert ada.move(attempt["id"], "U", 0).refusal == (409, "nothing_to_undo")
    attempt = ada.play(attempt, "D", "U")
    with nothing_changes():
        assert ada.move(attempt["id"], "U", 2).refusal == (409, "nothing_to_undo")


def test_r9_a_redeal_turns_the_waste_over_once(ada: Client, deal: DailyDeal) -> None:
    drawn = ada.begin("one-pass", *["D"] * 49)
    assert drawn["legal_moves"] == ["R", "W", "b1b2"]
    redealt = ada.play(drawn, "R")["position"]
    assert (redealt["stock"], redealt["waste"]) == (drawn["position"]["waste"], [])
    assert (redealt["pass"], redealt["passes"]) == (2, 2)
    attempt = ada.play(ada.attempt(drawn["id"]).body, *["D"] * 49)
    with nothing_changes():
        refused = ada.move(attempt["id"], "R", attempt["ply"])
    assert (refused.status, refused.code, refused.body["rule"]) == (422, "illegal_move", "R9")


def test_r11_stuck_is_not_the_end(ada: Client, deal: DailyDeal) -> None:
    publish_short("double", pyramid=("6d", "Kc", "4s"))
    stuck = ada.begin("double", "b1", *["D"] * 49, "W")
    assert (stuck["stuck"], stuck["legal_moves"], stuck["can_undo"]) == (True, [], True)
    assert (stuck["status"], stuck["finished_at"]) == ("active", None)
    freed = ada.play(stuck, "U")
    assert (freed["stuck"], freed["legal_moves"]) == (False, ["W"])


def test_a_seen_card_stays_shown_after_undo_and_redeal(ada: Client, deal: DailyDeal) -> None:
    attempt = ada.begin("one-pass", "D", "D", "U", "U")
    assert attempt["position"]["stock"] == ["Ac", "2c", *["??"] * 47]
    attempt = ada.play(attempt, *["D"] * 49, *["U"] * 48)
    assert "??" not in attempt["position"]["text"]
    assert len(attempt["position"]["stock"]) == 48


@pytest.mark.parametrize("challenge", ["three-pass", "full-clear"])
def test_r6_an_open_stock_shows_its_top_card_from_the_start(
    ada: Client, deal: DailyDeal, challenge: str
) -> None:
    publish(challenge)
    attempt = ada.begin(challenge)
    first, *others = attempt["position"]["stock"]
    assert first != "??"
    assert set(others) == {"??"}
    stock = ada.play(attempt, "D", "U")["position"]["stock"]
    assert stock[0] == first
    assert stock[1] != "??"
    assert set(stock[2:]) == {"??"}


def test_either_order_of_a_pair_is_taken_and_the_canonical_one_logged(
    ada: Client, deal: DailyDeal
) -> None:
    attempt = ada.play(ada.begin(), "b2b1")
    assert log() == ["b1b2"]
    with nothing_changes():
        for spelling in ("b1b2", "b2b1"):
            assert_replayed(ada.move(attempt["id"], spelling, 0), attempt)


def test_c2_a_retry_changes_nothing_and_says_so(
    ada: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    attempt = ada.begin()
    for move in ("D", "D", "U", "U", "b1b2"):
        attempt = ada.play(attempt, move)
        clock.advance(ms=10)
        now = {**attempt, "elapsed_ms": attempt["elapsed_ms"] + 10}
        with nothing_changes():
            assert_replayed(ada.move(attempt["id"], move, attempt["ply"] - 1), now)
            assert_replayed(ada.move(attempt["id"], move, attempt["ply"] - 1), now)


def test_c2_a_finishing_move_can_be_sent_again(
    ada: Client, ben: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    attempt = ada.begin("one-pass", *SHORT_LINE)
    clock.advance(ms=10)
    with nothing_changes():
        assert_replayed(ada.move(attempt["id"], "a1", 1), attempt)
    ben.begin("one-pass", *SHORT_LINE)
    assert ada.move(attempt["id"], "a1", 1).body["result"]["of"] == 2
    with nothing_changes():
        assert ada.move(attempt["id"], "a1", 2).refusal == (409, "attempt_over")
        assert ada.move(attempt["id"], "b1b2", 0).refusal == (409, "attempt_over")


def test_c2_the_last_move_can_be_sent_again_after_the_attempt_was_resigned(
    ada: Client, deal: DailyDeal
) -> None:
    attempt = ada.begin("one-pass", "D")
    resigned = ada.resign(attempt["id"]).body
    with nothing_changes():
        assert_replayed(ada.move(attempt["id"], "D", 0), resigned)


def test_only_the_last_move_is_a_retry(ada: Client, deal: DailyDeal) -> None:
    attempt = ada.begin("one-pass", "D", "D", "b1b2")
    with nothing_changes():
        for move, ply in (("D", 0), ("D", 1), ("D", 2), ("U", 2)):
            reply = ada.move(attempt["id"], move, ply)
            assert reply.refusal == (409, "stale_ply")
            assert "Idempotent-Replayed" not in reply.headers


@pytest.mark.parametrize("ply", [0, 2, 4, 2**31 - 1])
def test_a_stale_ply_carries_the_attempt_to_go_on_from(
    ada: Client, deal: DailyDeal, clock: SimulatedClock, ply: int
) -> None:
    attempt = ada.begin("one-pass", "D", "U", "D")
    clock.advance(ms=7)
    with nothing_changes():
        reply = ada.move(attempt["id"], "b1b2", ply)
    assert reply.refusal == (409, "stale_ply")
    assert reply.body["attempt"] == {**attempt, "elapsed_ms": 7}


@pytest.mark.parametrize(
    ("move", "rule"),
    [("a1", "R2"), ("b1W", "R4"), ("a1b1", "R4"), ("b1", "R5"), ("W", "R5"), ("S", "R6"),
     ("b1S", "R6"), ("WS", "R6"), ("R", "R9")],
)  # fmt: skip
def test_an_illegal_move_names_its_rule(ada: Client, deal: DailyDeal, move: str, rule: str) -> None:
    attempt = ada.begin("one-pass", "D")
    with nothing_changes():
        reply = ada.move(attempt["id"], move, 1)
    assert reply.refusal == (422, "illegal_move")
    assert reply.body["rule"] == rule
    assert ada.attempt(attempt["id"]).body == attempt


@pytest.mark.parametrize(
    "move",
    ["", " ", "d", "D ", " D", "DD", "X", "c1", "b3", "a0", "g3W", "b1b1", "WW", "SS", "b1b2a1",
     "B1B2", "b1 b2", "b1-b2", "Kd", "b1\n", "\uff24", "é", "x" * 41,
     "D" * 10_000, "\x00", "D\x00"],
)  # fmt: skip
def test_what_is_no_move_on_this_pyramid_is_no_notation(
    ada: Client, deal: DailyDeal, move: str
) -> None:
    attempt = ada.begin("one-pass", "D")
    with nothing_changes():
        assert ada.move(attempt["id"], move, 1).refusal == (400, "invalid_notation")


@pytest.mark.parametrize("ply", [2, 2**31, 2**63, 10**30])
def test_a_ply_ahead_of_the_log_is_stale_however_far(
    ada: Client, deal: DailyDeal, ply: int
) -> None:
    attempt = ada.begin("one-pass", "D")
    with nothing_changes():
        reply = ada.move(attempt["id"], "D", ply)
    assert reply.refusal == (409, "stale_ply")
    assert reply.body["attempt"] == attempt


@pytest.mark.parametrize("line", [["D"], SHORT_LINE], ids=["a move", "a finishing move"])
def test_each_move_writes_its_attempt_once(ada: Client, deal: DailyDeal, line: list[str]) -> None:
    attempt = ada.begin("one-pass", *line[:-1])
    with CaptureQueriesContext(connection) as found:
        ada.play(attempt, line[-1])
    statements = [it["sql"].split() for it in found]
    written = [it for it in statements if it[0] == "UPDATE" and "games_attempt" in it[1]]
    assert len(written) == 1
