"""Acts on one account, or on one name, at the very same time, on a real PostgreSQL (E, C1)."""

from collections import Counter
from contextlib import ExitStack
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection, transaction

from players import accounts, queries
from players.models import FormerName, Mail, Player, Token
from pyramid_site import clock as the_clock
from tests.api.client import PASSWORD, Client, claimed, sign_up
from tests.conftest import Database, SimulatedClock
from tests.threads import at_once, meanwhile

NEW = "nine rows of cards"


@pytest.fixture(autouse=True)
def stage(committed_db: Database, clock: SimulatedClock) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time: there is nothing to race")


def test_e_of_sign_ups_with_names_that_look_alike_one_succeeds() -> None:
    sign_up("Ben")
    names = ["Ada", "ADA", "\u0410da", "Ad\u0430", "\u0410d\u0430", "ada", "aDA", "Ad\u03b1"]
    replies = at_once(*[partial(Client().post, "/players", {"name": name}) for name in names])
    assert Counter(reply.status for reply in replies) == {201: 1, 409: 7}
    assert Player.objects.count() == Token.objects.count() == 2


@pytest.mark.parametrize("name", ["Ada", "\u0410da"])
@pytest.mark.parametrize("leave", ["rename", "delete"])
def test_e_a_name_cannot_be_taken_in_the_instant_in_which_it_is_freed(
    leave: str, name: str
) -> None:
    ada = sign_up("Ada")
    with ExitStack() as stack:
        with transaction.atomic():
            if leave == "rename":
                accounts.rename(player_id=ada.player["id"], name="Cyd")
            else:
                accounts.delete(player_id=ada.player["id"])
            wait = meanwhile(partial(Client().post, "/players", {"name": name}))
            reply = stack.enter_context(wait)
        assert reply.result().refusal == (409, "name_taken")
    assert Player.objects.count() == 1
    assert FormerName.objects.count() == 1


def test_of_renames_to_one_name_at_once_one_succeeds() -> None:
    players = [sign_up(f"Player {number}") for number in range(2, 8)]
    replies = at_once(*[partial(player.patch, "/me", {"name": "Ada"}) for player in players])
    assert Counter(reply.status for reply in replies) == {200: 1, 409: 5}
    assert FormerName.objects.count() == 1


def test_of_deletions_at_once_one_succeeds() -> None:
    ada = sign_up("Ada")
    replies = at_once(*[partial(Client(ada.token).delete, "/me") for _ in range(4)])
    assert Counter(reply.status for reply in replies) == {204: 1, 401: 3}
    assert FormerName.objects.count() == 1


def test_of_claims_at_once_one_succeeds() -> None:
    ada = sign_up("Ada")
    passwords = [f"{number} rows of cards" for number in range(4)]
    claims = [partial(Client(ada.token).post, "/me/claim", {"password": it}) for it in passwords]
    replies = at_once(*claims)
    assert Counter(reply.status for reply in replies) == {200: 1, 409: 3}
    [right] = [it for it, reply in zip(passwords, replies, strict=True) if reply.status == 200]
    login = Client().post("/auth/login", {"name": "Ada", "password": right})
    assert login.status == 200


def test_e_a_mailed_key_that_is_used_twice_at_once_works_once() -> None:
    eve = claimed("Eve Holt")
    Mail.objects.create(
        kind="reset",
        player_id=eve.player["id"],
        recipient=bytes(32),
        digest=queries.digest("key"),
        state="sent",
        asked_at=the_clock.now(),
        expires_at=the_clock.now() + timedelta(hours=1),
    )
    body = {"key": "key", "password": NEW}
    replies = at_once(*[partial(Client().post, "/auth/reset/confirm", body) for _ in range(4)])
    assert Counter(reply.status for reply in replies) == {204: 1, 401: 3}


def test_e_no_login_outlives_the_password_that_it_was_made_with() -> None:
    """Of logins while it is changed each is refused, or its token dies with the others."""
    eve = claimed("Eve Holt")
    login = {"name": "Eve Holt", "password": PASSWORD}
    replies = at_once(
        partial(Client(eve.token).post, "/me/password", {"old": PASSWORD, "new": NEW}),
        *[partial(Client().post, "/auth/login", login) for _ in range(5)],
    )
    assert replies[0].status == 204
    tokens = [reply.body["token"] for reply in replies[1:] if reply.status == 200]
    assert [Client(token).get("/me").status for token in tokens] == [401] * len(tokens)
    assert eve.get("/me").status == 200


def test_e_no_login_outlives_its_player() -> None:
    eve = claimed("Eve Holt")
    login = {"name": "Eve Holt", "password": PASSWORD}
    at_once(
        partial(Client(eve.token).delete, "/me"),
        *[partial(Client().post, "/auth/login", login) for _ in range(5)],
    )
    assert Token.objects.count() == 0
