"""Signing up, names, and the tokens that speak for a player."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as the_settings
from django.db import IntegrityError, connection, transaction
from django.test import Client
from pytest_django import Settings

from players import accounts, names, queries
from players.models import Player, Token
from pyramid_site import clock as the_clock
from pyramid_site.refusals import Refusal
from tests import builders
from tests.conftest import SimulatedClock

pytestmark = [pytest.mark.core, pytest.mark.django_db]

ME = "/api/v1/me"
LOGOUT = "/api/v1/auth/logout"


def sign_up(client: Client, **body: object) -> Any:
    return client.post("/api/v1/players", body, content_type="application/json")


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


# Signing up


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


# Names


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("Ada", "Ada"),
        ("x" * 24, "x" * 24),
        ("  Ada  ", "Ada"),
        ("\u3000Ada\u00a0", "Ada"),
        ("Ada Lovelace", "Ada Lovelace"),
        ("Ada\u00a0Lovelace", "Ada Lovelace"),
        ("\uff21\uff44\uff41", "Ada"),  # full width
        ("A\u0308da", "\u00c4da"),  # composed
        ("\ufb01sh", "fish"),  # a ligature
        ("\u2460\u2461\u2462", "123"),  # circled
        ("\u00bdx", "1\u20442x"),
        ("\u0391\u03b2\u03b3", "\u0391\u03b2\u03b3"),
        ("\u738b\u5c0f\u660e", "\u738b\u5c0f\u660e"),
        ("\u0645\u0631\u062d\u0628\u0627", "\u0645\u0631\u062d\u0628\u0627"),
        ("O'Brien-7", "O'Brien-7"),
        ("<b>7</b>", "<b>7</b>"),
        ("\U0001f600 1", "\U0001f600 1"),
        ("...7", "...7"),
        ("null", "null"),
    ],
)
def test_e_names_that_are_kept(sent: str, kept: str, client: Client) -> None:
    response = sign_up(client, name=sent)
    assert response.status_code == 201
    assert response.json()["player"]["name"] == kept
    assert Player.objects.get().name == kept


SIZE = "A name has 3 to 24 characters."


@pytest.mark.parametrize(
    ("sent", "detail"),
    [
        ("", "This field may not be blank."),
        ("   ", SIZE),
        ("me", SIZE),
        ("  me  ", SIZE),
        ("x" * 25, SIZE),
        ("\ufdfa\ufdfa", SIZE),  # 36 characters in NFKC
        ("A  da", "A name has no two spaces in a row."),
        ("A \u3000da", "A name has no two spaces in a row."),
        ("A\tda", "A name has no control characters."),
        ("A\nda", "A name has no control characters."),
        ("A\x7fda", "A name has no control characters."),
        ("A\u200bda", "A name has no invisible or direction-changing characters."),
        ("A\u202eda", "A name has no invisible or direction-changing characters."),
        ("A\u2066da", "A name has no invisible or direction-changing characters."),
        ("A\u00adda", "A name has no invisible or direction-changing characters."),
        ("A\ufeffda", "A name has no invisible or direction-changing characters."),
        ("A\u2028da", "A name has no line breaks."),
        ("A\u2029da", "A name has no line breaks."),
        ("A\ue000da", "A name has no private characters."),
        ("A\u0378da", "A name has no unassigned characters."),
        ("A\ufffeda", "A name has no unassigned characters."),
        ("---", "A name has a letter or a digit in it."),
        ("\U0001f600\U0001f600\U0001f600", "A name has a letter or a digit in it."),
    ],
)
def test_e_names_that_are_refused(sent: str, detail: str, client: Client) -> None:
    with builders.nothing_changes():
        response = sign_up(client, name=sent)
    assert response.status_code == 400
    problem = response.json()
    assert problem["code"] == "invalid_request"
    [error] = problem["errors"]
    assert (error["field"], error["detail"]) == ("name", detail)


@pytest.mark.parametrize("sent", ["A\0da", "A\ud800da", 7, 7.0, True, None, ["Ada"], {"a": "b"}])
def test_d_what_is_no_text_is_no_name(sent: object, client: Client) -> None:
    with builders.nothing_changes():
        response = sign_up(client, name=sent)
    assert response.status_code == 400
    assert response.json()["code"] == "invalid_request"
    assert response.json()["errors"][0]["field"] == "name"


@pytest.mark.parametrize(
    "another",
    [
        "Stra\u00dfe 1",
        "stra\u00dfe 1",
        "STRASSE 1",
        "\uff33trasse 1",
        " Strasse\u00a01 ",
        "\u017ftra\u00dfe 1",
    ],
)
def test_e_no_two_players_share_a_name(another: str, client: Client) -> None:
    sign_up(client, name="Stra\u00dfe 1")
    with builders.nothing_changes():
        response = sign_up(client, name=another)
    assert response.status_code == 409
    assert response.json()["code"] == "name_taken"


def test_e_the_database_holds_names_apart(clock: SimulatedClock) -> None:
    accounts.sign_up(name="Ada")
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create(name="ADA", name_key=names.key("ADA"), joined_at=the_clock.now())


def test_the_longest_key_has_its_place(clock: SimulatedClock) -> None:
    name = "\u0390" * 24  # each folds to three characters
    assert accounts.sign_up(name=name).player.name == name
    assert len(names.key(name)) <= 72


# Tokens


def test_e_a_token_is_stored_as_its_hash_only(clock: SimulatedClock) -> None:
    signed_in = accounts.sign_up(name="Ada")
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", signed_in.token)
    [token] = Token.objects.all()
    assert len(token.digest) == 32
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM players_token")
        stored = [bytes(it) if isinstance(it, memoryview) else it for it in cursor.fetchone()]
    assert signed_in.token not in repr(stored)


def test_e_tokens_differ(clock: SimulatedClock) -> None:
    tokens = {accounts.sign_up(name=None).token for _ in range(20)}
    assert len(tokens) == 20


def test_e_a_token_lives_as_long_as_the_settings_say(
    clock: SimulatedClock, settings: Settings, client: Client
) -> None:
    settings.TOKEN_DAYS = 2
    token = accounts.sign_up(name="Ada").token
    clock.advance(days=2, ms=-1)
    assert client.get(ME, headers=bearer(token)).status_code == 200
    clock.advance(ms=1)
    assert client.get(ME, headers=bearer(token)).status_code == 401


def test_e_a_token_expires_by_the_clock_of_the_database() -> None:
    signed_in = accounts.sign_up(name="Ada")
    assert queries.player_of(token=signed_in.token) == signed_in.player
    assert signed_in.expires_at - the_clock.now() <= timedelta(days=the_settings.TOKEN_DAYS)
    past = the_clock.now() - timedelta(milliseconds=1)
    Token.objects.update(created_at=past - timedelta(days=1), expires_at=past)
    assert queries.player_of(token=signed_in.token) is None


def test_a_token_is_looked_up_in_one_query(django_assert_num_queries: Any) -> None:
    signed_in = accounts.sign_up(name="Ada")
    with django_assert_num_queries(1):
        assert queries.player_of(token=signed_in.token) == signed_in.player


def test_e_logging_out_ends_this_token_alone(client: Client) -> None:
    signed_in = accounts.sign_up(name="Ada")
    other = accounts._sign_in(signed_in.player).token
    stranger = accounts.sign_up(name="Ben").token

    response = client.post(LOGOUT, {}, "application/json", headers=bearer(signed_in.token))
    assert (response.status_code, response.content) == (204, b"")
    assert client.get(ME, headers=bearer(signed_in.token)).status_code == 401
    assert client.get(ME, headers=bearer(other)).status_code == 200
    assert client.get(ME, headers=bearer(stranger)).status_code == 200
    assert Token.objects.count() == 2

    with builders.nothing_changes():
        again = client.post(LOGOUT, {}, "application/json", headers=bearer(signed_in.token))
    assert again.status_code == 401


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer  ",
        "Bearer {token}x",
        "Bearer {token} ",
        "Bearer {token} {token}",
        "Bearer x{token}",
        "Bearer {lower}",
        "Bearer\t{token}",
        "Bearer\u00a0{token}",
        "Bearer {token}\u00e9",
        "Bearer \u00e9",
        "Bearer \ud83d",
        "Bearer {token}\0",
        "Bearer \0",
        "Bearer {token}\n",
        "Bearer " + "x" * 201,
        "Bearer " + "x" * 100_000,
        "Basic {token}",
        "Token {token}",
        "{token}",
        "\u00df",
    ],
)
def test_e_a_header_that_is_no_living_token_is_401(header: str, client: Client) -> None:
    token = accounts.sign_up(name="Ada").token
    sent = header.format(token=token, lower=token.swapcase())
    with builders.nothing_changes():
        response = client.get(ME, HTTP_AUTHORIZATION=sent)
    assert response.status_code == 401
    assert response["Content-Type"] == "application/problem+json"
    assert response["WWW-Authenticate"] == "Bearer"
    assert response.json()["code"] == "not_authenticated"


@pytest.mark.parametrize("header", ["Bearer {}", "bearer {}", "BEARER   {}"])
def test_the_scheme_is_named_in_any_case(header: str, client: Client) -> None:
    token = accounts.sign_up(name="Ada").token
    assert client.get(ME, HTTP_AUTHORIZATION=header.format(token)).status_code == 200


def test_e_a_bad_token_is_refused_where_none_is_needed(client: Client) -> None:
    assert client.get("/api/v1/challenges").status_code == 200
    response = client.get("/api/v1/challenges", headers=bearer("bad"))
    assert response.status_code == 401


def test_e_a_failed_sign_up_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(player: Player) -> accounts.SignedIn:
        raise RuntimeError("no token")

    monkeypatch.setattr(accounts, "_sign_in", fail)
    with builders.nothing_changes(), pytest.raises(RuntimeError):
        accounts.sign_up(name="Ada")
