"""A guest becomes a lasting account: the same player, and nothing is merged (B7)."""

from collections.abc import Callable
from itertools import product

import pytest
from django.core import mail

from games.models import Attempt
from players import accounts
from players.models import Player, Token
from tests.api.client import PASSWORD, Client, Json, claimed, log_in, sign_up
from tests.builders import SHORT_LINE, everything_played, nothing_changes, publish_short, seal
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core

PLAYED = {
    "nothing": None,
    "just begun": [],
    "some moves": ["D", "U", "b1b2"],
    "cleared": SHORT_LINE,
    "resigned": None,
}
"""What may have been played of today's deal."""


def play(client: Client, how: str) -> None:
    if how == "resigned":
        client.resign(client.begin("one-pass", "D")["id"])
    elif (moves := PLAYED[how]) is not None:
        client.begin("one-pass", *moves)


def test_a_guest_is_claimed_with_all_that_it_has(ada: Client, clock: SimulatedClock) -> None:
    clock.advance(ms=1)
    reply = ada.post("/me/claim", {"password": PASSWORD, "email": "Ada@Example.org"})
    assert reply.status == 200
    assert reply.body == {
        "player": {**ada.player, "guest": False},
        "email": "ada@example.org",
        "email_confirmed": False,
        "streak": 0,
        "longest_streak": 0,
        "stats": [],
    }
    assert ada.get("/me").body == reply.body
    player = Player.objects.get()
    assert player.claimed_at == clock.instant
    assert PASSWORD not in player.password
    assert player.password.startswith("argon2$")
    assert log_in("Ada").player == reply.body["player"]


def test_a_claim_may_bring_a_name(ada: Client) -> None:
    reply = ada.post("/me/claim", {"password": PASSWORD, "name": "Ada Lovelace"})
    assert reply.body["player"]["name"] == "Ada Lovelace"
    assert "email" not in reply.body
    assert log_in("Ada Lovelace").player["id"] == ada.player["id"]
    assert sign_up().post("/me/claim", {"password": PASSWORD, "name": "Ada"}).status == 409


def test_a_claim_may_bring_the_name_that_is_borne(ada: Client) -> None:
    reply = ada.post("/me/claim", {"password": PASSWORD, "name": "ADA"})
    assert reply.body["player"] == {**ada.player, "name": "ADA", "guest": False}


def test_an_account_is_claimed_once(ada: Client) -> None:
    assert ada.post("/me/claim", {"password": PASSWORD}).status == 200
    with nothing_changes():
        for body in ({"password": "another password"}, {"password": PASSWORD, "name": "Cyd"}):
            assert ada.post("/me/claim", body).refusal == (409, "already_claimed")


def test_a_taken_name_is_not_claimed(ada: Client, ben: Client) -> None:
    with nothing_changes():
        for name in ("Ben", "BEN", "B\u0435n"):
            reply = ada.post("/me/claim", {"password": PASSWORD, "name": name})
            assert reply.refusal == (409, "name_taken")


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, ["password"]),
        ({"password": ""}, ["password"]),
        ({"password": None}, ["password"]),
        ({"password": 12345678}, ["password"]),
        ({"password": "x" * 201}, ["password"]),
        ({"password": PASSWORD, "email": ""}, ["email"]),
        ({"password": PASSWORD, "email": "ada"}, ["email"]),
        ({"password": PASSWORD, "email": "ada@example.org\nBcc: b@example.org"}, ["email"]),
        ({"password": PASSWORD, "email": "a@" + "x" * 250 + ".org"}, ["email"]),
        ({"password": PASSWORD, "email": None}, ["email"]),
        ({"password": PASSWORD, "email": "a@\ue000.de"}, ["email"]),
        ({"password": PASSWORD, "email": "a@" + "\xfc" * 63 + ".de"}, ["email"]),
        ({"password": PASSWORD, "email": "\u0130" * 245 + "@x.de"}, ["email"]),
        ({"password": PASSWORD, "name": "me"}, ["name"]),
        ({"password": PASSWORD, "name": "Admin"}, ["name"]),
        ({"password": PASSWORD, "guest": False}, ["guest"]),
        ({"password": PASSWORD, "claimed_at": "2020-01-01T00:00:00.000Z"}, ["claimed_at"]),
    ],
)
def test_d_what_is_no_claim_is_refused(ada: Client, body: Json, fields: list[str]) -> None:
    with nothing_changes():
        reply = ada.post("/me/claim", body)
    assert reply.refusal == (400, "invalid_request")
    assert {error["field"] for error in reply.body["errors"]} == set(fields)


@pytest.mark.parametrize(
    ("password", "code"),
    [("1 Pass!", "password_too_short"), ("password1", "password_too_common"),
     ("7462901853", "password_entirely_numeric"), ("Ada Lovelace 1", "password_too_similar"),
     ("lovelace@example", "password_too_similar")],
)  # fmt: skip
def test_e_a_weak_password_is_refused(ada: Client, password: str, code: str) -> None:
    body = {"name": "Ada Lovelace", "email": "lovelace@example.org", "password": password}
    with nothing_changes():
        reply = ada.post("/me/claim", body)
    assert reply.refusal == (400, "invalid_request")
    assert (reply.body["errors"][0]["field"], reply.body["errors"][0]["code"]) == ("password", code)


@pytest.mark.parametrize("how", PLAYED)
def test_b7_a_claim_keeps_attempts_rank_and_streak(
    ada: Client, ben: Client, clock: SimulatedClock, how: str
) -> None:
    clock.set("2026-11-29T12:00:00.000Z")
    yesterday = publish_short(day=clock.instant.date())
    ada.begin("one-pass", *SHORT_LINE)
    clock.set("2026-11-30T12:00:00.000Z")
    seal(yesterday)
    publish_short()
    ben.begin("one-pass", *SHORT_LINE)
    play(ada, how)
    me, rows, own = ada.get("/me").body, everything_played(), ada.get("/me/attempts").body
    boards = [ada.board().body, ada.board(day="2026-11-29").body]

    assert ada.post("/me/claim", {"password": PASSWORD}).status == 200
    assert everything_played() == rows
    for device in (ada, log_in("Ada")):
        assert device.get("/me").body == {**me, "player": {**me["player"], "guest": False}}
        assert device.get("/me/attempts").body == own
    assert [ada.board().body, ada.board(day="2026-11-29").body] == boards
    assert me["streak"] == 1 + (how == "cleared")


@pytest.mark.parametrize(("guest_s", "account_s"), [*product(PLAYED, PLAYED)])
def test_b7_nothing_of_a_guest_and_of_an_account_is_ever_merged(
    db: None, clock: SimulatedClock, guest_s: str, account_s: str
) -> None:
    """Whatever the two have played of one deal, each keeps just that, whoever logs in where."""
    publish_short()
    account, guest = claimed("Eve Holt"), sign_up("Guest 7")
    play(account, account_s)
    clock.advance(ms=7_000)
    play(guest, guest_s)
    rows = everything_played()

    logged_in = Client(guest.token).post(  # on the guest's device, its token sent along
        "/auth/login", {"name": "Eve Holt", "password": PASSWORD}
    )
    assert logged_in.body["player"]["id"] == account.player["id"]
    acts: list[Callable[[], object]] = [
        lambda: guest.post("/me/claim", {"password": PASSWORD, "name": "Eve Holt"}),
        lambda: guest.post("/me/claim", {"password": PASSWORD}),
        lambda: log_in("Guest 7"),
        lambda: account.patch("/me", {"name": "Eve"}),
        lambda: account.delete("/me"),
        lambda: guest.delete("/me"),
    ]
    for act in acts:
        act()
        assert everything_played() == rows
    ranked = Attempt.objects.filter(ranked=True)
    for client, how in ((account, account_s), (guest, guest_s)):
        assert ranked.filter(player=client.player["id"]).count() == (how != "nothing")


def test_a_token_outlives_the_claim(ada: Client) -> None:
    other = accounts._sign_in(Player.objects.get(name="Ada")).token
    ada.post("/me/claim", {"password": PASSWORD})
    assert [Client(token).get("/me").status for token in (ada.token, other)] == [200, 200]
    assert Token.objects.count() == 2
    assert mail.outbox == []
