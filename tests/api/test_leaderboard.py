"""The board of a deal, as HTTP shows it."""

import pytest

from games.models import DailyDeal
from tests.api.client import Client, Json, sign_up
from tests.builders import SHORT_LINE, nothing_changes, publish_short, seal
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core

RUNS = {  # player: ms, undos
    "Cyd": (1_000, 0),
    "Dot": (2_000, 0),
    "Eve": (2_000, 0),
    "Fay": (1_500, 1),
    "Gus": (11_500, 0),
    "Hal": (12_000, 0),
}


@pytest.fixture
def deal(db: None, clock: SimulatedClock) -> DailyDeal:
    return publish_short()


@pytest.fixture
def players(deal: DailyDeal, clock: SimulatedClock) -> dict[str, Client]:
    """Six players who have cleared the deal, each started at noon less their time."""
    players = {name: sign_up(name) for name in RUNS}
    noon = clock.instant
    for name, (ms, undos) in RUNS.items():
        clock.advance(ms=-ms)
        attempt = players[name].begin("one-pass", *["D", "U"] * undos)
        clock.instant = noon
        players[name].play(attempt, *SHORT_LINE)
    return players


def ranking(board: Json) -> list[tuple[int, str]]:
    return [(entry["rank"], entry["player"]["name"]) for entry in board["items"]]


def in_order_of_id(players: dict[str, Client], *names: str) -> list[str]:
    """Those who share a rank stand in the order of their ids."""
    return sorted(names, key=lambda name: str(players[name].player["id"]))


def test_an_empty_board(anyone: Client, deal: DailyDeal) -> None:
    for board in ("overall", "clean"):
        with nothing_changes():
            assert anyone.board(board=board).body == {
                "deal": {"date": "2026-11-30", "challenge": "one-pass"},
                "board": board,
                "total": 0,
                "as_of": "2026-11-30T12:00:00.000Z",
                "final": False,
                "items": [],
                "next": None,
                "previous": None,
            }


def test_a_row_is_one_real_attempt_and_tells_nothing_of_the_cards(
    anyone: Client, players: dict[str, Client]
) -> None:
    fay = players["Fay"].player
    board = anyone.board().body
    assert board["items"][4] == {
        "rank": 5,
        "player": {"id": fay["id"], "name": "Fay"},
        "ranked_ms": 11_500,
        "elapsed_ms": 1_500,
        "undo_count": 1,
        "ply": None,
        "finished_at": "2026-11-30T12:00:00.000Z",
        "attempt_id": None,
    }


def test_ranked_time_then_undos_and_equal_runs_share_a_rank(
    anyone: Client, players: dict[str, Client]
) -> None:
    second, third = in_order_of_id(players, "Dot", "Eve")
    board = anyone.board().body
    assert ranking(board) == [
        (1, "Cyd"), (2, second), (2, third), (4, "Gus"), (5, "Fay"), (6, "Hal")
    ]  # fmt: skip
    assert (board["total"], board["next"], board["previous"]) == (6, None, None)
    for rank, name in ranking(board):
        client = players[name]
        result = client.start().body["result"]
        assert (result["rank"], result["of"]) == (rank, 6)


def test_the_clean_board_ranks_those_without_an_undo_among_themselves(
    anyone: Client, players: dict[str, Client]
) -> None:
    second, third = in_order_of_id(players, "Dot", "Eve")
    board = anyone.board(board="clean").body
    assert ranking(board) == [(1, "Cyd"), (2, second), (2, third), (4, "Gus"), (5, "Hal")]
    assert (board["board"], board["total"]) == ("clean", 5)


def test_pages_join_without_a_seam_both_ways_while_others_finish(
    anyone: Client, ada: Client, players: dict[str, Client]
) -> None:
    whole = ranking(anyone.board().body)
    first = anyone.board(limit=2).body
    second = anyone.board(limit=2, cursor=first["next"]).body
    assert ranking(first) + ranking(second) == whole[:4]
    ada.begin("one-pass", *SHORT_LINE)  # in no time: the new first
    moved = [(rank + 1, name) for rank, name in whole]
    third = anyone.board(limit=2, cursor=second["next"]).body
    assert (ranking(third), third["next"]) == (moved[4:], None)
    back = anyone.board(limit=2, cursor=third["previous"]).body
    assert ranking(back) == moved[2:4]
    back = anyone.board(limit=2, cursor=back["previous"]).body
    assert ranking(back) == moved[:2]
    top = anyone.board(limit=2, cursor=back["previous"]).body
    assert (ranking(top), top["previous"]) == ([(1, "Ada")], None)


@pytest.mark.parametrize(
    ("place", "limit", "shown"),
    [(0, 3, (0, 3)), (1, 3, (0, 3)), (2, 3, (1, 4)), (3, 3, (2, 5)), (5, 3, (3, 6)),
     (3, 1, (3, 4)), (2, 100, (0, 6))],
)  # fmt: skip
def test_around_is_the_window_with_the_player_as_near_its_middle_as_the_ends_allow(
    anyone: Client, players: dict[str, Client], place: int, limit: int, shown: tuple[int, int]
) -> None:
    whole = ranking(anyone.board().body)
    name = whole[place][1]
    by_name = anyone.board(around=name, limit=limit).body
    first, last = shown
    assert ranking(by_name) == whole[first:last]
    assert (by_name["previous"] is None, by_name["next"] is None) == (first == 0, last == 6)
    assert players[name].board(around="me", limit=limit).body == by_name
    assert anyone.board(around=name.upper(), limit=limit).body == by_name


def test_the_pages_beside_a_window_are_reached_by_its_cursors(
    anyone: Client, players: dict[str, Client]
) -> None:
    whole = ranking(anyone.board().body)
    window = anyone.board(around=whole[2][1], limit=2).body
    assert ranking(window) in (whole[1:3], whole[2:4])
    first = whole.index(ranking(window)[0])
    before = anyone.board(limit=2, cursor=window["previous"]).body
    after = anyone.board(limit=2, cursor=window["next"]).body
    assert ranking(before) == whole[max(0, first - 2) : first]
    assert ranking(after) == whole[first + 2 : first + 4]


def test_who_has_no_result_is_not_ranked(
    ada: Client, anyone: Client, players: dict[str, Client]
) -> None:
    ada.begin()
    with nothing_changes():
        for reply in (
            ada.board(around="me"),
            anyone.board(around="Ada"),
            anyone.board(around="nobody"),
            anyone.board(around="\u202e"),
            players["Fay"].board(board="clean", around="me"),
        ):
            assert reply.refusal == (404, "not_ranked")
        assert anyone.board(around="me").refusal == (401, "not_authenticated")


def test_the_seal_makes_a_board_final_and_shows_ply_and_attempts(
    anyone: Client, players: dict[str, Client], deal: DailyDeal, clock: SimulatedClock
) -> None:
    live = anyone.board().body
    assert {(entry["ply"], entry["attempt_id"]) for entry in live["items"]} == {(None, None)}
    clock.set("2026-12-01T02:00:00.000Z")
    seal(deal)
    clock.advance(days=9)
    final = anyone.board(day="2026-11-30").body
    assert (final["final"], final["total"], ranking(final)) == (True, 6, ranking(live))
    for entry in final["items"]:
        attempt = anyone.attempt(entry["attempt_id"]).body
        assert (attempt["ply"], attempt["elapsed_ms"]) == (entry["ply"], entry["elapsed_ms"])
        assert attempt["result"]["rank"] == entry["rank"]
    clean = anyone.board(day="2026-11-30", board="clean").body
    assert [rank for rank, _ in ranking(clean)] == [1, 2, 2, 4, 5]
    around = players["Gus"].board(day="2026-11-30", around="me", limit=1).body
    assert ranking(around) == [(4, "Gus")]


def test_a_deal_with_an_undo_penalty_of_its_own(ada: Client, clock: SimulatedClock) -> None:
    publish_short("double", undo_penalty_ms=0)
    attempt = ada.begin("double", "D", "U")
    clock.advance(ms=5)
    result = ada.play(attempt, *SHORT_LINE)["result"]
    assert (result["ranked_ms"], result["undo_count"]) == (5, 1)


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=101", "limit=-1", "limit=ten", "limit=1.0", "limit=1e1", "limit=",
     "limit=%2B5", "limit=9999999999999999999999", "limit=5&limit=5", "board=", "board=best",
     "board=Clean", "board=clean&board=clean", "around=", "around=%00", "around=" + "x" * 200,
     "cursor=", "cursor=%20", "cursor=e30", "cursor=WyJhIl0", "cursor=WyJhIiwxLDEsMV0",
     "cursor=WyJhIiwxLDEsIngiXQ", "cursor=%00", "cursor=%F0%9F%82%A1", "cursor=" + "A" * 501,
     "cursor=W1tbW1tbW1tbW1tb", "ordering=seed", "format=api", "group=1", "Limit=5", "=", "page=2"],
)  # fmt: skip
def test_a_bad_query_is_refused(anyone: Client, deal: DailyDeal, query: str) -> None:
    with nothing_changes():
        reply = anyone.get(f"/deals/today/one-pass/leaderboard?{query}")
    assert reply.refusal == (400, "invalid_request")


def test_a_cursor_and_around_exclude_each_other(anyone: Client, players: dict[str, Client]) -> None:
    cursor = anyone.board(limit=2).body["next"]
    reply = anyone.board(around="Cyd", cursor=cursor)
    assert reply.refusal == (400, "invalid_request")
    assert [error["field"] for error in reply.body["errors"]] == ["cursor"]
