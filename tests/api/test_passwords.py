"""Another password, by the old one or by a mailed key (E)."""

import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from django.conf import settings as the_settings
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from games import tasks
from players.models import Mail, Player, Token
from tests.api.client import PASSWORD, Client, Reply, log_in, sign_up
from tests.builders import nothing_changes
from tests.conftest import SimulatedClock
from tests.mailing import ask, confirmed, deliver, mailed_key

pytestmark = pytest.mark.core

NEW = "nine rows of cards"
WRONG = (401, "invalid_credentials")


@pytest.fixture
def eve(db: None, clock: SimulatedClock) -> Client:
    return confirmed()


@pytest.fixture(autouse=True)
def mailing(settings: Settings) -> None:
    settings.EMAIL_URL = "smtp://mail.example"  # pytest-django catches what is sent


# By the old one


def test_a_password_is_changed_and_other_tokens_die(eve: Client) -> None:
    other, ben = log_in("Eve Holt"), sign_up("Ben")
    assert eve.post("/me/password", {"old": PASSWORD, "new": NEW}).status == 204
    assert [caller.get("/me").status for caller in (eve, other, ben)] == [200, 401, 200]
    login = Client().post("/auth/login", {"name": "Eve Holt", "password": PASSWORD})
    assert login.refusal == WRONG
    assert log_in("Eve Holt", NEW).player == eve.player


def test_e_a_wrong_old_password_changes_nothing(eve: Client) -> None:
    with nothing_changes():
        for old in ("wrong", PASSWORD.upper(), NEW):
            assert eve.post("/me/password", {"old": old, "new": NEW}).refusal == WRONG


def test_a_guest_has_no_password_to_change(ada: Client) -> None:
    with nothing_changes():
        reply = ada.post("/me/password", {"old": "", "new": NEW})
        assert reply.refusal == (400, "invalid_request")
        reply = ada.post("/me/password", {"old": "x", "new": NEW})
        assert reply.refusal == (403, "forbidden")


@pytest.mark.parametrize("new", ["short", "password1", "7462901853", "Eve Holt 1", "eve@example.o"])
def test_e_a_weak_new_password_is_refused(eve: Client, new: str) -> None:
    with nothing_changes():
        reply = eve.post("/me/password", {"old": PASSWORD, "new": new})
    assert reply.refusal == (400, "invalid_request")
    assert {error["field"] for error in reply.body["errors"]} == {"new"}


# By mail


def confirm(key: str, password: str = NEW) -> Reply:
    return Client().post("/auth/reset/confirm", {"key": key, "password": password})


def test_a_mailed_key_sets_a_new_password(eve: Client) -> None:
    assert ask("Eve@Example.ORG").status == 202
    assert mail.outbox == []
    deliver()
    [sent] = mail.outbox
    assert sent.to == ["eve@example.org"]
    assert sent.subject == "A new password for Pyramid Daily"
    assert confirm(mailed_key()).status == 204
    assert eve.get("/me").status == 401
    assert log_in("Eve Holt", NEW).player == eve.player
    assert Mail.objects.count() == 0


def test_e_an_address_that_is_not_known_gets_the_same_answer(eve: Client, ada: Client) -> None:
    addresses = ["eve@example.org", "nobody@example.org", "eve@example.com"]
    replies, counts = [], []
    for address in addresses:
        with CaptureQueriesContext(connection) as queries:
            replies.append(ask(address))
        counts.append(len(queries))
    assert {(reply.status, reply.content, *reply.headers.items()) for reply in replies} == {
        (202, b"", *replies[0].headers.items())
    }
    assert len(set(counts)) == 1
    deliver()
    assert [sent.to for sent in mail.outbox] == [["eve@example.org"]]
    assert Mail.objects.filter(state="waiting").count() == 0


def test_where_no_mail_is_set_up_the_answer_is_the_same(eve: Client, settings: Settings) -> None:
    settings.EMAIL_URL = ""
    with nothing_changes():
        assert ask().status == 202
        assert deliver() == 0


@pytest.mark.parametrize(
    "email", ["", "eve", "eve@", None, 7, "a@b.org\n", "a\0@b.org", "a@\ue000.de"]
)
def test_d_what_is_no_address_is_refused(eve: Client, email: object) -> None:
    with nothing_changes():
        reply = Client().post("/auth/reset", {"email": email})
    assert reply.refusal == (400, "invalid_request")


def test_e_a_key_works_once(eve: Client) -> None:
    ask()
    deliver()
    key = mailed_key()
    assert confirm(key).status == 204
    with nothing_changes():
        assert confirm(key, "ten rows of cards").refusal == WRONG


def test_e_a_key_lapses_after_an_hour(eve: Client, clock: SimulatedClock) -> None:
    ask()
    deliver()
    clock.advance(hours=1)
    with nothing_changes():
        assert confirm(mailed_key()).refusal == WRONG
    tasks.sweep()
    assert Mail.objects.count() == 0


def test_a_key_works_to_the_last_ms(eve: Client, clock: SimulatedClock) -> None:
    ask()
    deliver()
    clock.advance(hours=1, ms=-1)
    assert confirm(mailed_key()).status == 204


def test_e_a_key_is_stored_as_its_hash_only(eve: Client) -> None:
    ask()
    deliver()
    [row] = Mail.objects.values_list()
    assert mailed_key() not in repr([bytes(it) if isinstance(it, memoryview) else it for it in row])
    assert bytes(Mail.objects.get().digest or b"") == sha256(mailed_key().encode()).digest()


def test_a_weak_password_leaves_the_key_as_it_was(eve: Client) -> None:
    ask()
    deliver()
    with nothing_changes():
        reply = confirm(mailed_key(), "short")
    assert reply.refusal == (400, "invalid_request")
    assert reply.body["errors"][0]["field"] == "password"
    assert confirm(mailed_key()).status == 204


@pytest.mark.parametrize("key", ["x", "x" * 43, "\u00e9", "x" * 200])
def test_e_what_is_no_key_sets_nothing(eve: Client, key: str) -> None:
    with nothing_changes():
        assert confirm(key).refusal == WRONG


def test_e_a_mailbox_is_not_filled(eve: Client, clock: SimulatedClock) -> None:
    for _ in range(3):
        ask()
        deliver()
    assert len(mail.outbox) == 1
    first = mailed_key()
    clock.advance(minutes=5)
    ask()
    deliver()
    assert len(mail.outbox) == 2
    assert confirm(first).status == 204  # whoever asked again has not ended it
    with nothing_changes():
        assert confirm(mailed_key()).refusal == WRONG


def test_e_a_mailbox_gets_three_keys_an_hour(eve: Client, clock: SimulatedClock) -> None:
    sent = []
    for _ in range(24):
        ask()
        sent.append(deliver())
        clock.advance(minutes=5)
    assert sent == ([1] * 3 + [0] * 9) * 2
    ask()
    assert deliver() == 1
    assert confirm(mailed_key()).status == 204


def test_e_an_address_is_asked_for_no_more_often_than_a_password(
    eve: Client, settings: Settings
) -> None:
    settings.THROTTLE_GUESS = "2/hour"
    for address in ("eve@example.org", "nobody@example.org"):
        assert [ask(it).status for it in (address, address.upper(), address)] == [202, 202, 429]
    settings.THROTTLE_GUESS, settings.THROTTLE_LOGIN = "", "2/hour"
    assert [ask(f"{number}@example.org").status for number in range(3)] == [202, 202, 429]
    assert confirm("x").status == 429


def test_e_a_deleted_player_gets_no_key_and_uses_none(eve: Client) -> None:
    ask()
    deliver()
    ask()
    eve.delete("/me")
    assert deliver() == 0
    with nothing_changes():
        assert confirm(mailed_key()).refusal == WRONG


@pytest.mark.parametrize(
    "overtake",
    [
        lambda: Player.objects.update(password="argon2$another"),
        lambda: Player.objects.update(
            password="", email="", email_confirmed_at=None, gone_at="2026-11-30T12:00:00Z"
        ),
    ],
)
def test_e_what_was_overtaken_while_it_was_hashed_is_refused(
    eve: Client, monkeypatch: pytest.MonkeyPatch, overtake: Callable[[], object]
) -> None:
    """The password changes, or the player goes, after a password was found right."""
    from players import passwords

    right = passwords.check

    def slow(password: str, stored: str) -> str | None:
        checked = right(password, stored)
        overtake()
        return checked

    monkeypatch.setattr(passwords, "check", slow)
    login = Client().post("/auth/login", {"name": "Eve Holt", "password": PASSWORD})
    assert login.refusal == WRONG
    assert Token.objects.count() == 1


def test_mail_goes_where_the_setting_says(tmp_path: Path) -> None:
    program = (
        "from django.conf import settings as it; print(it.EMAIL_HOST, it.EMAIL_PORT, "
        "it.EMAIL_HOST_USER, it.EMAIL_USE_TLS, it.DEFAULT_FROM_EMAIL)"
    )
    environment = {
        "DJANGO_SETTINGS_MODULE": "pyramid_site.settings",
        "DATA_DIR": str(tmp_path),
        "EMAIL_URL": "smtp+tls://eve:secret@mail.example:587",
        "EMAIL_FROM": "Cards <cards@example.org>",
    }
    command = [sys.executable, "-c", program]
    shown = subprocess.check_output(command, cwd=the_settings.ROOT, env=environment, text=True)
    assert shown == "mail.example 587 eve True Cards <cards@example.org>\n"
