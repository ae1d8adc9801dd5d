"""Another name, and what becomes of the former one: for 90 days it is nobody else's (E)."""

import pytest

from players.models import FormerName, Player
from tests.api.client import PASSWORD, Client, claimed, log_in, sign_up
from tests.builders import SHORT_LINE, nothing_changes, publish_short
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core

TAKEN = (409, "name_taken")


def sign_up_as(name: str) -> tuple[int, str | None]:
    return Client().post("/players", {"name": name}).refusal


def test_a_player_takes_another_name(ada: Client) -> None:
    reply = ada.patch("/me", {"name": " Ada\u00a0Lovelace "})
    assert reply.status == 200
    assert reply.headers["Cache-Control"] == "no-store"
    assert reply.body["player"] == {**ada.player, "name": "Ada Lovelace"}
    assert ada.get("/me").body == reply.body


def test_boards_and_logins_know_the_new_name(ben: Client) -> None:
    publish_short()
    eve = claimed("Eve Holt")
    eve.begin("one-pass", *SHORT_LINE)
    eve.patch("/me", {"name": "Evelyn"})
    assert [row["player"]["name"] for row in ben.board(around="evelyn").body["items"]] == ["Evelyn"]
    assert ben.board(around="Eve Holt").refusal == (404, "not_ranked")
    assert log_in("evelyn").player["id"] == eve.player["id"]
    login = Client().post("/auth/login", {"name": "Eve Holt", "password": PASSWORD})
    assert login.refusal == (401, "invalid_credentials")


@pytest.mark.parametrize("name", ["Ben", "BEN", "B\u0435n"])
def test_e_a_taken_name_is_refused(ada: Client, ben: Client, name: str) -> None:
    with nothing_changes():
        assert ada.patch("/me", {"name": name}).refusal == TAKEN


@pytest.mark.parametrize(
    "body",
    [{}, {"name": ""}, {"name": "me"}, {"name": "A\u202eda"}, {"name": "Admin"}, {"name": None},
     {"name": "Cyd", "id": "7"}, {"name": "Cyd", "guest": False}, {"name": "Cyd", "streak": 7},
     {"guest": False}],
)  # fmt: skip
def test_d_what_is_no_name_is_refused(ada: Client, body: object) -> None:
    with nothing_changes():
        assert ada.patch("/me", body).refusal == (400, "invalid_request")


@pytest.mark.parametrize("name", ["Ada", "ada", "ADA", "\u0410da"])
def test_a_player_may_write_its_name_another_way(ada: Client, name: str) -> None:
    assert ada.patch("/me", {"name": name}).body["player"]["name"] == name
    assert FormerName.objects.count() == 0
    assert sign_up_as("Ada") == TAKEN


def test_e_a_freed_name_is_nobody_s_for_90_days(
    ada: Client, ben: Client, clock: SimulatedClock
) -> None:
    ada.patch("/me", {"name": "Cyd"})
    clock.advance(days=90, ms=-1)
    with nothing_changes():
        for name in ("Ada", "ADA", "\u0410da"):
            assert sign_up_as(name) == TAKEN
            assert ben.patch("/me", {"name": name}).refusal == TAKEN
            assert ben.post("/me/claim", {"password": PASSWORD, "name": name}).refusal == TAKEN
    clock.advance(ms=1)
    assert ben.patch("/me", {"name": "Ada"}).status == 200
    assert sign_up_as("Cyd") == TAKEN
    assert not FormerName.objects.filter(name_key="ada").exists()


def test_e_its_former_owner_may_take_it_back(ada: Client, clock: SimulatedClock) -> None:
    ada.patch("/me", {"name": "Cyd"})
    clock.advance(days=1)
    assert ada.patch("/me", {"name": "\u0410da"}).status == 200
    assert [former.name_key for former in FormerName.objects.all()] == ["cyd"]
    assert sign_up_as("Ada") == TAKEN


def test_e_a_name_freed_by_a_claim_is_kept_too(ada: Client) -> None:
    ada.post("/me/claim", {"password": PASSWORD, "name": "Cyd"})
    assert sign_up_as("Ada") == TAKEN


def test_e_a_deleted_player_s_name_is_nobody_s_for_90_days(
    ada: Client, clock: SimulatedClock
) -> None:
    ada.patch("/me", {"name": "Cyd"})
    ada.delete("/me")
    clock.advance(days=90, ms=-1)
    assert [sign_up_as(name) for name in ("Ada", "Cyd", "\u0421yd")] == [TAKEN] * 3
    clock.advance(ms=1)
    assert [sign_up(name).player["name"] for name in ("Ada", "Cyd")] == ["Ada", "Cyd"]


def test_e_nobody_hoards_names(ada: Client, clock: SimulatedClock) -> None:
    for number in range(10):
        assert ada.patch("/me", {"name": f"Name {number}"}).status == 200
    with nothing_changes():
        assert ada.patch("/me", {"name": "Name 10"}).refusal == (403, "forbidden")
    assert ada.patch("/me", {"name": "NAME 9"}).status == 200
    assert ada.patch("/me", {"name": "Ada"}).status == 200  # and lets that one go
    assert ada.patch("/me", {"name": "Name 10"}).refusal == (403, "forbidden")
    clock.advance(days=90)
    assert ada.patch("/me", {"name": "Name 10"}).status == 200
    assert Player.objects.get().name == "Name 10"
