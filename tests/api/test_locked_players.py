"""Players whom staff have locked out."""

import pytest
from pytest_django import Settings

from players import accounts
from players.models import Player
from tests.api.client import Client, sign_up
from tests.builders import SHORT_LINE, nothing_changes, publish_short

pytestmark = pytest.mark.core


def test_e_a_locked_player_can_do_nothing_until_it_is_unlocked(ada: Client) -> None:
    publish_short()
    attempt = ada.begin()
    player = Player.objects.get(name="Ada")
    accounts.lock(player_id=player.pk)
    with nothing_changes():
        for refused in (
            ada.get("/me"),
            ada.get("/deals/today"),
            ada.start(),
            ada.attempt(attempt["id"]),
            ada.move(attempt["id"], "D", 0),
            ada.resign(attempt["id"]),
            ada.post("/auth/logout"),
        ):
            assert refused.refusal == (403, "forbidden")
            assert "locked" in refused.body["detail"]
    accounts.unlock(player_id=player.pk)
    assert ada.move(attempt["id"], "D", 0).status == 200


def test_e_nobody_else_is_locked_with_a_player(ada: Client, ben: Client) -> None:
    publish_short()
    ada.begin("one-pass", *SHORT_LINE)
    accounts.lock(player_id=Player.objects.get(name="Ada").pk)
    assert ben.start().status == 201
    board = Client().board().body["items"]
    assert [entry["player"]["name"] for entry in board] == ["Ada"]  # what was played stays


def test_e_locking_again_keeps_since_when(ada: Client) -> None:
    player = Player.objects.get(name="Ada")
    accounts.lock(player_id=player.pk)
    with nothing_changes():
        accounts.lock(player_id=player.pk)
    assert sign_up("Cyd").get("/me").status == 200


def test_e_a_locked_player_may_not_ask_without_end(ada: Client, settings: Settings) -> None:
    accounts.lock(player_id=Player.objects.get(name="Ada").pk)
    settings.THROTTLE_ADDRESS = "2/hour"
    assert [ada.get("/me").status for _ in range(3)] == [403, 403, 429]
