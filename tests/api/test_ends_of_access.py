"""Whatever ends access to an account ends the mailed keys to it, and the mails on their way (E)."""

import json
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db import transaction
from django.urls import reverse
from pytest_django import Settings

from players import accounts, letters
from players.models import Mail, Player
from tests.api.client import PASSWORD, Client, claimed, log_in
from tests.api.test_access_matrix import ROWS
from tests.builders import nothing_changes
from tests.conftest import SimulatedClock
from tests.mailing import ADDRESS, ask, confirmed, deliver, mailed_key

pytestmark = pytest.mark.core

NEW, THIRD = "nine rows of cards", "ten rows of cards"
WRONG = (401, "invalid_credentials")


@pytest.fixture(autouse=True)
def mailing(settings: Settings) -> None:
    settings.EMAIL_URL = "smtp://mail.example"  # pytest-django catches what is sent


@pytest.fixture
def eve(db: None, clock: SimulatedClock) -> Client:
    return confirmed()


def reset(key: str, password: str = NEW) -> tuple[int, str | None]:
    reply = Client().post("/auth/reset/confirm", {"key": key, "password": password})
    return (204, None) if reply.status == 204 else reply.refusal


def locked_by_staff(eve: Client) -> None:
    staff = Client().django
    staff.force_login(User.objects.create_superuser("root"))
    page = reverse("admin:players_player_lock", args=[eve.player["id"]])
    staff.post(page, {"reason": "a test"})
    assert Player.objects.exclude(locked_at=None).count() == 1


ENDS: dict[str, Callable[[Client], object]] = {
    "another password": lambda eve: eve.post("/me/password", {"old": PASSWORD, "new": THIRD}),
    "logging out everywhere": lambda eve: eve.post("/auth/logout-all"),
    "another address": lambda eve: eve.post(
        "/me/email", {"email": "new@example.org", "password": PASSWORD}
    ),
    "leaving": lambda eve: eve.delete("/me"),
    "a lock": lambda eve: accounts.lock(player_id=eve.player["id"]),
    "a lock by staff": locked_by_staff,
    "a reset": lambda eve: reset(mailed_key(), THIRD),
}


@pytest.mark.parametrize("end", ENDS)
def test_e_what_ends_access_ends_keys_and_mails(
    eve: Client, clock: SimulatedClock, end: str
) -> None:
    ask()
    deliver()
    key = mailed_key()
    clock.advance(minutes=5)
    ask()  # this mail is still on its way
    ENDS[end](eve)
    Player.objects.update(locked_at=None)  # a key does not come back to life with an unlocking
    before = len(mail.outbox)
    assert reset(key) == WRONG
    assert ADDRESS not in [it.to[0] for it in mail.outbox[before:]]
    deliver()
    assert [it.to[0] for it in mail.outbox[before:] if it.to == [ADDRESS]] == []


@pytest.mark.parametrize("end", ENDS)
def test_e_nobody_else_s_keys_end_with_them(eve: Client, clock: SimulatedClock, end: str) -> None:
    confirmed("Ben", "ben@example.org")
    ask("ben@example.org")
    deliver()
    key = mailed_key()
    ask()
    deliver()
    clock.advance(minutes=5)
    ask("ben@example.org")
    ENDS[end](eve)
    assert Mail.objects.filter(state="waiting", email="ben@example.org").count() == 1
    assert reset(key) == (204, None)


@pytest.mark.parametrize("end", ["another password", "logging out everywhere", "leaving"])
def test_e_who_only_says_that_an_address_is_his_ends_nothing_of_its_owner_s(
    eve: Client, end: str
) -> None:
    mallory = claimed("Mallory")
    Player.objects.filter(name="Mallory").update(email=ADDRESS)
    ask()
    ENDS[end](mallory)
    assert deliver() == 1
    assert reset(mailed_key()) == (204, None)


def test_e_a_locked_player_is_mailed_no_key(eve: Client) -> None:
    accounts.lock(player_id=eve.player["id"])
    ask()
    assert deliver() == 0


def test_e_the_key_in_a_mail_that_goes_out_meanwhile_is_dead(
    eve: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = letters.write

    def slow(**said: object) -> object:
        assert eve.post("/me/password", {"old": PASSWORD, "new": THIRD}).status == 204
        return write(**said)  # type: ignore[arg-type]

    monkeypatch.setattr(letters, "write", slow)
    ask()
    deliver()
    assert Mail.objects.count() == 0
    with nothing_changes():
        assert reset(mailed_key()) == WRONG


def test_e_no_address_of_the_api_ends_other_tokens_and_leaves_keys(
    eve: Client, clock: SimulatedClock
) -> None:
    """Of every request of the matrix: where another device's token dies, a mailed key dies too."""
    ask()
    deliver()
    ended = set()
    for row in ROWS:
        with transaction.atomic():
            other = log_in("Eve Holt")
            path = row.request.split(" ")[1].replace("{player}", eve.player["id"])
            content = json.dumps(row.body).encode() if row.body else b""
            if row.base:
                eve.request(row.request.split(" ")[0], path.format_map(Samples()), content)
            if other.get("/me").status == 401:
                ended.add(row.request)
                assert Mail.objects.exclude(digest=None).count() == 0, row.request
            transaction.set_rollback(True)
    assert ended == {"POST /auth/logout-all", "DELETE /me", "POST /me/password"}


class Samples(dict[str, str]):
    """Something for each part of an address."""

    def __missing__(self, key: str) -> str:
        return {"day": "today", "challenge": "one-pass", "period": "week"}.get(key, "nothing")
