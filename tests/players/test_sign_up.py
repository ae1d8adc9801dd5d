"""Signing up: a guest who can play at once."""

import re
from typing import Any

import pytest
from django.test import Client

from players import accounts, names
from players.models import Player
from pyramid_site.refusals import Refusal
from tests import builders
from tests.conftest import SimulatedClock

pytestmark = [pytest.mark.core, pytest.mark.django_db]

ME = "/api/v1/me"


def sign_up(client: Client, **body: object) -> Any:
    return client.post("/api/v1/players", body, content_type="application/json")


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_guest_can_play_at_once(client: Client, clock: SimulatedClock) -> None:
    response = sign_up(client, name="Ada")
    assert response.status_code == 201
    assert response["Cache-Control"] == "no-store"
    player = Player.objects.get()
    assert response.json() == {
        "player": {
            "id": str(player.pk),
            "name": "Ada",
            "guest": True,
            "joined_at": "2026-11-30T12:00:00.000Z",
        },
        "token": response.json()["token"],
        "expires_at": "2027-11-30T12:00:00.000Z",
    }
    me = client.get(ME, headers=bearer(response.json()["token"]))
    assert me.json()["player"] == response.json()["player"]


def test_who_brings_no_name_gets_a_friendly_one(client: Client) -> None:
    name = sign_up(client).json()["player"]["name"]
    assert re.fullmatch(r"[A-Z][a-z]+ [A-Z][a-z]+ [1-9][0-9]{3}", name)


def test_every_friendly_name_is_a_name() -> None:
    longest = f"{max(names.ADJECTIVES, key=len)} {max(names.ANIMALS, key=len)} 9999"
    shortest = f"{min(names.ADJECTIVES, key=len)} {min(names.ANIMALS, key=len)} 1000"
    assert names.cleaned(longest) == longest
    assert names.cleaned(shortest) == shortest
    assert all(word.isascii() for word in (*names.ADJECTIVES, *names.ANIMALS))


def test_a_friendly_name_that_is_taken_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    offered = iter(["Amber Fox 1000", "amber fox 1000", "Amber Fox 1001"])
    monkeypatch.setattr(names, "friendly", lambda: next(offered))
    assert accounts.sign_up(name=None).player.name == "Amber Fox 1000"
    assert accounts.sign_up(name=None).player.name == "Amber Fox 1001"


def test_friendly_names_may_run_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "friendly", lambda: "Amber Fox 1000")
    accounts.sign_up(name=None)
    with builders.nothing_changes():
        assert refusal_of(None) == "name_taken"


def refusal_of(name: str | None) -> str:
    with pytest.raises(Refusal) as refused:
        accounts.sign_up(name=name)
    return refused.value.code


def test_e_a_failed_sign_up_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(player: Player) -> accounts.SignedIn:
        raise RuntimeError("no token")

    monkeypatch.setattr(accounts, "_sign_in", fail)
    with builders.nothing_changes(), pytest.raises(RuntimeError):
        accounts.sign_up(name="Ada")
