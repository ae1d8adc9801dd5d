"""Logging in and out: what is wrong is not said, and guessing is counted (E)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from argon2 import low_level
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from players.models import Player, Token
from tests.api.client import PASSWORD, Client, claimed, log_in, sign_up
from tests.builders import nothing_changes
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core


@pytest.fixture
def eve(db: None, clock: SimulatedClock) -> Client:
    return claimed("Eve Holt")


def attempt(name: str, password: str) -> tuple[int, str | None]:
    return Client().post("/auth/login", {"name": name, "password": password}).refusal


WRONG = (401, "invalid_credentials")


def test_a_player_logs_in_anywhere(eve: Client, clock: SimulatedClock) -> None:
    clock.advance(hours=1)
    reply = Client().post("/auth/login", {"name": "Eve Holt", "password": PASSWORD})
    assert reply.status == 200
    assert reply.headers["Cache-Control"] == "no-store"
    assert reply.body == {
        "player": eve.player,
        "token": reply.body["token"],
        "expires_at": "2027-11-30T13:00:00.000Z",
    }
    assert reply.body["token"] != eve.token
    for token in (eve.token, reply.body["token"]):
        assert Client(token).get("/me").body["player"] == eve.player


@pytest.mark.parametrize("written", ["Eve Holt", "EVE holt", " eve holt ", "\uff25ve\u00a0Holt"])
def test_a_name_is_known_in_any_case_and_form(eve: Client, written: str) -> None:
    assert log_in(written).player == eve.player


def test_a_password_is_the_same_on_every_keyboard(ada: Client) -> None:
    assert ada.post("/me/claim", {"password": "caf\u00e9 of pyramids"}).status == 200
    assert log_in("Ada", "cafe\u0301 of pyramids").player["name"] == "Ada"
    assert attempt("Ada", "Caf\u00e9 of pyramids") == WRONG


def test_e_a_wrong_name_and_a_wrong_password_are_one_answer(eve: Client, ben: Client) -> None:
    with nothing_changes():
        replies = [
            Client().post("/auth/login", {"name": name, "password": password})
            for name, password in [
                ("Eve Holt", PASSWORD.upper()),
                ("Eve Holt", f"{PASSWORD} "),
                ("Eve Holt", "x"),
                ("Nobody", PASSWORD),
                ("Ben", PASSWORD),  # a guest
                ("\u200b", PASSWORD),
                ("Eve H\u03bflt", PASSWORD),  # looks like her
            ]
        ]
    assert {reply.refusal for reply in replies} == {WRONG}
    assert len({reply.content for reply in replies}) == 1
    assert len({tuple(reply.headers.items()) for reply in replies}) == 1


@contextmanager
def counted_hashes(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Each hash that is computed in the block, for storing or for comparing."""
    done: list[str] = []

    def counting(name: str) -> Callable[..., object]:
        real = getattr(low_level, name)

        def count(*args: object, **kwargs: object) -> object:
            done.append(name)
            return real(*args, **kwargs)

        return count

    with monkeypatch.context() as patch:
        for name in ("hash_secret", "verify_secret"):
            patch.setattr(low_level, name, counting(name))
        patch.setattr("argon2._password_hasher.verify_secret", low_level.verify_secret)
        yield done


@pytest.mark.parametrize("name", ["Eve Holt", "Nobody", "Ben"])
def test_e_a_wrong_name_takes_as_long_as_a_wrong_password(
    eve: Client, ben: Client, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """As many hashes, of the same cost, and as many queries."""
    with counted_hashes(monkeypatch) as done, CaptureQueriesContext(connection) as queries:
        assert attempt(name, "a wrong password") == WRONG
    assert len(done) == 1
    assert len(queries) == 1


@pytest.mark.usefixtures("real_hashes")
def test_e_an_outdated_hash_is_renewed_at_the_login(eve: Client) -> None:
    old = PBKDF2PasswordHasher().encode(PASSWORD, "salt", iterations=10)
    Player.objects.filter(name="Eve Holt").update(password=old)
    assert attempt("Eve Holt", "wrong") == WRONG
    assert Player.objects.get(name="Eve Holt").password == old
    log_in("Eve Holt")
    renewed = Player.objects.get(name="Eve Holt").password
    assert renewed.startswith("argon2$argon2id$v=19$m=47104,t=1,p=1$")
    log_in("Eve Holt")
    assert Player.objects.get(name="Eve Holt").password == renewed


@pytest.mark.parametrize(
    "body",
    [{}, {"name": "Eve Holt"}, {"password": PASSWORD}, {"name": "", "password": PASSWORD},
     {"name": "Eve Holt", "password": ""}, {"name": "Eve Holt", "password": None},
     {"name": "Eve Holt", "password": ["x"]}, {"name": "x" * 201, "password": PASSWORD},
     {"name": "Eve Holt", "password": "x" * 201}, {"name": "Eve\0", "password": PASSWORD},
     {"name": "Eve Holt", "password": PASSWORD, "player": "Ada"}],
)  # fmt: skip
def test_d_what_is_no_login_is_refused(eve: Client, body: object) -> None:
    with nothing_changes():
        assert Client().post("/auth/login", body).refusal == (400, "invalid_request")


@pytest.mark.parametrize("store", ["redis", "database"])
def test_e_guesses_at_one_account_are_counted_from_wherever_they_come(
    eve: Client, settings: Settings, store: str
) -> None:
    if store == "database":
        settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    settings.THROTTLE_GUESS = "3/hour"
    names = ["Eve Holt", "EVE HOLT", "eve holt ", "Eve Holt"]
    replies = []
    for number, name in enumerate(names):
        caller = Client()
        caller.django.defaults["REMOTE_ADDR"] = f"192.0.2.{number}"
        replies.append(caller.post("/auth/login", {"name": name, "password": "wrong"}).refusal)
    assert replies == [WRONG] * 3 + [(429, "throttled")]
    with nothing_changes():
        assert attempt("Eve Holt", PASSWORD) == (429, "throttled")
        # Who has a token is counted apart, and is refused for the guess alone.
        assert eve.post("/me/password", {"old": "x", "new": "y"}).refusal == WRONG
    assert attempt("Nobody", "wrong") == WRONG
    assert eve.get("/me").status == 200  # who is logged in plays on


def test_e_guesses_at_a_name_that_is_not_there_are_counted_alike(
    eve: Client, settings: Settings
) -> None:
    settings.THROTTLE_GUESS = "3/hour"
    assert [attempt("Nobody", "wrong") for _ in range(4)] == [WRONG] * 3 + [(429, "throttled")]


def test_e_logins_are_counted_by_address_as_well(eve: Client, settings: Settings) -> None:
    settings.THROTTLE_LOGIN = "3/hour"
    tried = [attempt(f"Name {number}", "wrong") for number in range(4)]
    assert tried == [WRONG] * 3 + [(429, "throttled")]
    caller = Client()
    caller.django.defaults["REMOTE_ADDR"] = "192.0.2.1"
    assert caller.post("/auth/login", {"name": "Eve Holt", "password": PASSWORD}).status == 200


def test_logging_out_ends_one_token_and_logging_out_everywhere_all(eve: Client) -> None:
    one, other, ben = log_in("Eve Holt"), log_in("Eve Holt"), sign_up("Ben")
    assert one.post("/auth/logout").status == 204
    assert [caller.get("/me").status for caller in (one, other, eve, ben)] == [401, 200, 200, 200]
    assert other.post("/auth/logout-all").status == 204
    assert [caller.get("/me").status for caller in (one, other, eve, ben)] == [401, 401, 401, 200]
    assert Token.objects.count() == 1
    assert log_in("Eve Holt").player == eve.player


def test_e_a_client_is_told_that_a_guest_who_logs_out_is_gone(ada: Client) -> None:
    document = ada.get("/schema").body
    for address in ("/api/v1/auth/logout", "/api/v1/auth/logout-all"):
        said = document["paths"][address]["post"]["description"]
        assert "A guest who logs out cannot come back." in said
    said = document["components"]["schemas"]["SignedIn"]["description"]
    assert "The token is the only way back to a guest" in " ".join(said.split())
    assert ada.post("/auth/logout").status == 204
    assert attempt("Ada", PASSWORD) == WRONG
    assert Client().post("/players", {"name": "Ada"}).refusal == (409, "name_taken")
