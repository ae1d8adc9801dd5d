"""The order in which the refusals of a move are looked for."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import uuid4

import pytest

from games.engine import MAX_LOG
from games.models import Attempt, LoggedMove
from tests.api.client import Client
from tests.builders import SHORT_LINE, nothing_changes, publish_short
from tests.conftest import SimulatedClock


class Case(NamedTuple):
    """A move that is wrong in more than one way; only the first is told."""

    named: str
    refusal: tuple[int, str | None]
    attempt: str
    body: Mapping[str, Any]
    token: str = "own"


NO_MOVE, UNKNOWN_KEY = "x9", {"move": "x9", "ply": -1, "time": 0}
CASES = [
    Case("no token, no such attempt, no body", (401, "not_authenticated"), "unknown", {}, "none"),
    Case("a dead token, a bad body", (401, "not_authenticated"), "new", UNKNOWN_KEY, "dead"),
    Case("a bad body at no such attempt", (400, "invalid_request"), "unknown", UNKNOWN_KEY),
    Case("a negative ply and no notation", (400, "invalid_request"), "new",
         {"move": NO_MOVE, "ply": -1}),
    Case("no notation at no such attempt", (404, "not_found"), "unknown",
         {"move": NO_MOVE, "ply": 0}),
    Case("no notation at another's attempt", (404, "not_found"), "another's",
         {"move": NO_MOVE, "ply": 9}),
    Case("no notation when it is over", (400, "invalid_notation"), "cleared",
         {"move": NO_MOVE, "ply": 1}),
    Case("no notation and a stale ply", (400, "invalid_notation"), "new",
         {"move": NO_MOVE, "ply": 9}),
    Case("a retry when it is over", (200, None), "cleared", {"move": "a1", "ply": 1}),
    Case("a stale ply when it is over", (409, "attempt_over"), "cleared", {"move": "D", "ply": 9}),
    Case("an illegal move when it is over", (409, "attempt_over"), "resigned",
         {"move": "R", "ply": 0}),
    Case("a retry in a full log", (200, None), "full", {"move": "U", "ply": MAX_LOG - 1}),
    Case("a stale ply in a full log", (409, "stale_ply"), "full", {"move": "D", "ply": 0}),
    Case("a stale and illegal move", (409, "stale_ply"), "new", {"move": "R", "ply": 1}),
    Case("a stale undo of nothing", (409, "stale_ply"), "new", {"move": "U", "ply": 1}),
    Case("a legal move in a full log", (409, "log_full"), "full", {"move": "D", "ply": MAX_LOG}),
    Case("an undo of nothing in a full log", (409, "log_full"), "full",
         {"move": "U", "ply": MAX_LOG}),
    Case("an illegal move in a full log", (409, "log_full"), "full",
         {"move": "R", "ply": MAX_LOG}),
    Case("an undo of nothing", (409, "nothing_to_undo"), "new", {"move": "U", "ply": 0}),
    Case("an illegal move", (422, "illegal_move"), "new", {"move": "R", "ply": 0}),
]  # fmt: skip


@pytest.mark.core
@pytest.mark.parametrize("case", CASES, ids=[case.named for case in CASES])
def test_the_first_refusal_is_the_one_that_is_told(
    ada: Client, ben: Client, anyone: Client, clock: SimulatedClock, case: Case
) -> None:
    publish_short()
    attempt_id = an_attempt(case.attempt, ada, ben)
    caller = {"own": ada, "none": anyone, "dead": Client("dead")}[case.token]
    with nothing_changes():
        reply = caller.post(f"/attempts/{attempt_id}/moves", case.body)
    assert reply.refusal == case.refusal


def an_attempt(state: str, ada: Client, ben: Client) -> str:
    """The id of Ada's attempt in some state, or of one that is not hers."""
    match state:
        case "unknown":
            return str(uuid4())
        case "another's":
            return str(ben.begin()["id"])
    attempt = ada.begin("one-pass", *(SHORT_LINE if state == "cleared" else []))
    if state == "resigned":
        ada.resign(attempt["id"])
    if state == "full":
        fill(attempt["id"])
    return str(attempt["id"])


def fill(attempt_id: str) -> None:
    """Draws and takes back until the log is full (R13)."""
    LoggedMove.objects.bulk_create(
        LoggedMove(attempt_id=attempt_id, number=number, move="D" if number % 2 else "U", at_ms=0)
        for number in range(1, MAX_LOG + 1)
    )
    Attempt.objects.filter(pk=attempt_id).update(ply=MAX_LOG, undo_count=MAX_LOG // 2, seen=1)


@pytest.mark.core
def test_r13_a_full_log_can_only_be_resigned(ada: Client, clock: SimulatedClock) -> None:
    publish_short()
    attempt = ada.begin()
    assert attempt["legal_moves"] == ["D", "b1b2"]
    fill(attempt["id"])
    for read in (ada.attempt(attempt["id"]).body, ada.start().body):
        assert (read["status"], read["ply"], read["undo_count"]) == ("active", MAX_LOG, 5_000)
        assert (read["legal_moves"], read["can_undo"], read["stuck"]) == ([], False, False)
    log = ada.get(f"/attempts/{attempt['id']}/moves").body
    assert (len(log["items"]), log["items"][-1]["number"]) == (1_000, 1_000)
    again = ada.attempt(attempt["id"]).body
    assert (again["status"], again["ply"], again["legal_moves"]) == ("active", MAX_LOG, [])
    reply = ada.resign(attempt["id"])
    assert (reply.status, reply.body["status"], reply.body["ply"]) == (200, "resigned", MAX_LOG)
