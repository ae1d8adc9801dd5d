"""The tokens that speak for a player."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as the_settings
from django.db import connection
from django.test import Client
from pytest_django import Settings

from players import accounts, queries
from players.models import Token
from pyramid_site import clock as the_clock
from tests import builders
from tests.conftest import SimulatedClock

pytestmark = [pytest.mark.core, pytest.mark.django_db]

ME = "/api/v1/me"
LOGOUT = "/api/v1/auth/logout"


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


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
