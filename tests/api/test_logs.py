"""The log of an attempt."""

import pytest

from games.models import DailyDeal
from tests.api.client import Client, Json
from tests.builders import CERTIFIED, nothing_changes, publish
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core
MOVES = ["D", "U", *CERTIFIED["three-pass"].moves[:6], "U", "D", "g1g7", "U"]


@pytest.fixture
def deal(db: None, clock: SimulatedClock) -> DailyDeal:
    return publish("three-pass")


def test_a_new_log_is_empty(ada: Client, deal: DailyDeal) -> None:
    attempt = ada.begin("three-pass")
    path = f"/attempts/{attempt['id']}/moves"
    nothing: Json = {"items": [], "next": None, "previous": None}
    assert ada.get(path).body == nothing
    assert ada.get(path, positions=1).body == {**nothing, "start": attempt["position"]["text"]}


def test_a_log_tells_each_move_and_the_position_seen_after_it(
    ada: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    attempt = ada.begin("three-pass")
    start = attempt["position"]["text"]
    seen: list[Json] = []
    for number, move in enumerate(MOVES[:8], start=1):
        clock.advance(ms=100)
        attempt = ada.play(attempt, move)
        position = attempt["position"]["text"]
        seen.append({"number": number, "move": move, "at_ms": 100 * number, "position": position})
    path = f"/attempts/{attempt['id']}/moves"
    with nothing_changes():
        log = ada.get(path, positions=1).body
        plain = ada.get(path).body["items"]
        assert plain == ada.get(path, positions=0).body["items"]
    assert log == {"items": seen, "next": None, "previous": None, "start": start}
    assert plain == [
        {key: value for key, value in row.items() if key != "position"} for row in seen
    ]


def test_the_pages_of_a_log_join_without_a_seam(ada: Client, deal: DailyDeal) -> None:
    attempt = ada.begin("three-pass", *MOVES[:8])
    path = f"/attempts/{attempt['id']}/moves"
    whole = ada.get(path, positions=1).body["items"]
    pages = [ada.get(path, positions=1, limit=3).body]
    while cursor := pages[-1]["next"]:
        pages.append(ada.get(path, positions=1, limit=3, cursor=cursor).body)
    assert [len(page["items"]) for page in pages] == [3, 3, 2]
    assert [row for page in pages for row in page["items"]] == whole
    assert pages[0]["previous"] is None
    back = ada.get(path, positions=1, limit=3, cursor=pages[2]["previous"]).body
    assert back["items"] == pages[1]["items"]
    first = ada.get(path, positions=1, limit=3, cursor=back["previous"]).body
    assert first["items"] == pages[0]["items"]


def test_a_page_of_a_log_loses_nothing_to_the_moves_that_come_meanwhile(
    ada: Client, deal: DailyDeal
) -> None:
    attempt = ada.begin("three-pass", *MOVES[:4])
    path = f"/attempts/{attempt['id']}/moves"
    first = ada.get(path, limit=2).body
    ada.play(attempt, *MOVES[4:6])
    second = ada.get(path, limit=100, cursor=first["next"]).body
    assert [row["number"] for row in second["items"]] == [3, 4, 5, 6]


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=1001", "limit=-1", "limit=x", "limit=1.0", "limit=", "limit=%D9%A1",
     "limit=1_0", "positions=2", "positions=true", "positions=", "cursor=x", "cursor=",
     "order=number", "limit=1&limit=2"],
)  # fmt: skip
def test_a_bad_query_is_refused(ada: Client, deal: DailyDeal, query: str) -> None:
    attempt = ada.begin("three-pass", "D")
    reply = ada.get(f"/attempts/{attempt['id']}/moves?{query}")
    assert reply.refusal == (400, "invalid_request")
