"""Groups: made by a player, joined by a code, seen by their members only."""

import pytest

from games.models import DailyDeal
from leaderboards import groups
from leaderboards.models import Group
from tests.api.client import Client, Json, sign_up
from tests.builders import SHORT_LINE, nothing_changes, publish_short, seal
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core

NEVER = "00000000-0000-0000-0000-000000000000"


@pytest.fixture
def cyd(db: None, clock: SimulatedClock) -> Client:
    return sign_up("Cyd")


@pytest.fixture
def group(ada: Client, ben: Client, clock: SimulatedClock) -> Json:
    """Ada's, which Ben has joined."""
    made = ada.post("/groups", {"name": "Friends"})
    assert made.status == 201
    clock.advance(hours=1)
    joined = ben.post("/groups/join", {"code": made.body["code"]})
    assert joined.status == 200
    return joined.body


def members(group: Json) -> list[str]:
    return [member["name"] for member in group["members"]]


def test_a_group_has_a_name_a_code_an_owner_and_members(
    ada: Client, ben: Client, group: Json
) -> None:
    assert group == {
        "id": group["id"],
        "name": "Friends",
        "code": group["code"],
        "owner_id": ada.player["id"],
        "created_at": "2026-11-30T12:00:00.000Z",
        "members": [
            {"id": ada.player["id"], "name": "Ada", "joined_at": "2026-11-30T12:00:00.000Z"},
            {"id": ben.player["id"], "name": "Ben", "joined_at": "2026-11-30T13:00:00.000Z"},
        ],
    }
    for member in (ada, ben):
        assert member.get(f"/groups/{group['id']}").body == group
        [listed] = member.get("/me/groups").body["items"]
        assert {**listed, "members": group["members"]} == group


def test_a_code_is_read_in_any_case_and_joining_again_changes_nothing(
    ben: Client, cyd: Client, group: Json, clock: SimulatedClock
) -> None:
    with nothing_changes():
        assert ben.post("/groups/join", {"code": group["code"]}).body == group
    clock.advance(hours=1)
    joined = cyd.post("/groups/join", {"code": f" {group['code'].lower()} "})
    assert members(joined.body) == ["Ada", "Ben", "Cyd"]


def test_a_group_is_seen_by_its_members_only(anyone: Client, cyd: Client, group: Json) -> None:
    path = f"/groups/{group['id']}"
    board = f"/deals/today/one-pass/leaderboard?group={group['id']}"
    publish_short()
    with nothing_changes():
        for address in (path, board, f"/leaderboards/one-pass/week?group={group['id']}"):
            assert cyd.get(address).refusal == (404, "not_found")
            assert anyone.get(address).refusal == (401, "not_authenticated")
            never = cyd.get(address.replace(group["id"], NEVER))
            assert never.content == cyd.get(address).content
        assert cyd.post(f"{path}/code").refusal == (404, "not_found")
        gone = cyd.request("DELETE", f"{path}/members/{cyd.player['id']}")
        assert gone.refusal == (404, "not_found")
        assert cyd.get("/me/groups").body["items"] == []


@pytest.mark.parametrize("code", ["", "NOSUCHCODE", "x", "\0", "\N{PILE OF POO}", "x" * 200])
def test_a_code_that_is_none_lets_nobody_in(cyd: Client, group: Json, code: str) -> None:
    with nothing_changes():
        assert cyd.post("/groups/join", {"code": code}).status in (400, 404)


def test_a_new_code_replaces_the_old_one(
    ada: Client, ben: Client, cyd: Client, group: Json
) -> None:
    path = f"/groups/{group['id']}/code"
    with nothing_changes():
        assert ben.post(path).refusal == (403, "forbidden")
    renewed = ada.post(path).body
    assert renewed["code"] != group["code"]
    with nothing_changes():
        assert cyd.post("/groups/join", {"code": group["code"]}).refusal == (404, "not_found")
    assert cyd.post("/groups/join", {"code": renewed["code"]}).status == 200


def leave(client: Client, group: Json, member: Client) -> int:
    path = f"/groups/{group['id']}/members/{member.player['id']}"
    return client.request("DELETE", path).status


def test_one_may_leave_and_the_owner_may_remove_anyone(
    ada: Client, ben: Client, cyd: Client, group: Json
) -> None:
    cyd.post("/groups/join", {"code": group["code"]})
    with nothing_changes():
        assert leave(ben, group, cyd) == 403
        assert leave(ben, group, ada) == 403
    assert leave(ben, group, ben) == 204
    assert leave(ada, group, cyd) == 204
    assert members(ada.get(f"/groups/{group['id']}").body) == ["Ada"]
    with nothing_changes():
        assert leave(ada, group, cyd) == 404


def test_e_who_was_removed_does_not_come_back_by_the_code_that_let_it_in(
    ada: Client, ben: Client, cyd: Client, group: Json
) -> None:
    assert leave(ada, group, ben) == 204
    after = ada.get(f"/groups/{group['id']}").body
    assert after["code"] != group["code"]
    with nothing_changes():
        for anybody in (ben, cyd):
            back = anybody.post("/groups/join", {"code": group["code"]})
            assert back.refusal == (404, "not_found")
    assert cyd.post("/groups/join", {"code": after["code"]}).status == 200


@pytest.mark.parametrize("owner", [False, True])
def test_who_left_may_come_back_as_a_member(
    ada: Client, ben: Client, group: Json, owner: bool
) -> None:
    leaver, other = (ada, ben) if owner else (ben, ada)
    assert leave(leaver, group, leaver) == 204
    back = leaver.post("/groups/join", {"code": group["code"]}).body
    assert (back["code"], back["owner_id"]) == (group["code"], other.player["id"])


def test_the_oldest_member_follows_an_owner_and_the_last_to_go_closes_the_group(
    ada: Client, ben: Client, group: Json
) -> None:
    assert leave(ada, group, ada) == 204
    assert ben.get(f"/groups/{group['id']}").body["owner_id"] == ben.player["id"]
    assert ben.post(f"/groups/{group['id']}/code").status == 200
    assert leave(ben, group, ben) == 204
    assert not Group.objects.exists()


def test_who_is_deleted_leaves_all_groups(ada: Client, ben: Client, group: Json) -> None:
    ada.request("DELETE", "/me")
    left = ben.get(f"/groups/{group['id']}").body
    assert (members(left), left["owner_id"]) == (["Ben"], ben.player["id"])


def test_the_export_names_the_groups(ben: Client, group: Json) -> None:
    exported = ben.get("/me/export").body["groups"]
    assert exported == [
        {
            "id": group["id"],
            "name": "Friends",
            "own": False,
            "joined_at": "2026-11-30T13:00:00.000Z",
        }
    ]


def test_groups_have_bounds(
    ada: Client, ben: Client, cyd: Client, group: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "MEMBERS", 2)
    with nothing_changes():
        full = cyd.post("/groups/join", {"code": group["code"]})
        assert full.refusal == (403, "forbidden")
    monkeypatch.setattr(groups, "GROUPS", 1)
    with nothing_changes():
        assert ben.post("/groups", {"name": "More"}).refusal == (403, "forbidden")


@pytest.mark.parametrize("name", ["", "ab", "x" * 25, "a\0b", "a\u202eb", "!!!"])
def test_a_group_has_a_name_as_players_have(ada: Client, name: str) -> None:
    with nothing_changes():
        assert ada.post("/groups", {"name": name}).refusal == (400, "invalid_request")


def test_ranks_are_within_the_group_live_and_final(
    ada: Client, ben: Client, cyd: Client, group: Json, clock: SimulatedClock
) -> None:
    deal: DailyDeal = publish_short()
    for ms, client in ((1000, cyd), (2000, ben), (3000, sign_up()), (4000, ada)):
        attempt = client.begin()
        clock.advance(ms=ms)
        client.play(attempt, *SHORT_LINE)
    within = {"group": group["id"], "day": "2026-11-30"}
    for final in (False, True):
        if final:
            clock.instant = deal.seals_at
            seal(deal)
        board = ada.board(**within).body
        assert [(it["rank"], it["player"]["name"]) for it in board["items"]] == [
            (1, "Ben"), (2, "Ada")
        ]  # fmt: skip
        assert (board["total"], board["final"]) == (2, final)
        around = ada.board(**within, around="me", limit=1).body
        assert [(it["rank"], it["player"]["name"]) for it in around["items"]] == [(2, "Ada")]
        assert ada.board(**within, around="Cyd").refusal == (404, "not_ranked")
        first = ada.board(**within, limit=1).body
        second = ada.board(**within, limit=1, cursor=first["next"]).body
        assert [(it["rank"], it["player"]["name"]) for it in second["items"]] == [(2, "Ada")]


def test_a_board_of_a_group_has_a_new_version_when_somebody_comes_or_goes(
    ada: Client, ben: Client, group: Json
) -> None:
    publish_short()
    ben.begin("one-pass", *SHORT_LINE)
    path = f"/deals/today/one-pass/leaderboard?group={group['id']}"
    etag = ada.get(path).headers["ETag"]
    assert ada.get(path, headers={"If-None-Match": etag}).status == 304
    assert leave(ben, group, ben) == 204
    reply = ada.get(path, headers={"If-None-Match": etag})
    assert (reply.status, reply.body["items"]) == (200, [])
