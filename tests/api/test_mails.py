"""Mails with keys: none holds up another, nor the sweep, and none is lost (E)."""

import logging
import smtplib
import threading
from datetime import UTC, datetime, timedelta
from email import message_from_string, policy
from functools import partial

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection
from pytest_django import Settings

from games import tasks
from players import letters, mails, queries
from players.models import Mail, MailKind, Player
from players.tasks import hand_out_mails, send_mail
from pyramid_site import clock as the_clock
from pyramid_site.models import Heartbeat
from tests.api.client import PASSWORD, Client, claimed, sign_up
from tests.builders import nothing_changes
from tests.conftest import Database, SimulatedClock
from tests.mailing import ADDRESS, ask, confirmed, deliver, mailed_key
from tests.relay import Relay, running
from tests.threads import at_once

pytestmark = pytest.mark.core

POISON = '"a\x0bX:b"@example.org'
NEW = "nine rows of cards"


@pytest.fixture
def eve(db: None, clock: SimulatedClock) -> Client:
    return confirmed()


@pytest.fixture(autouse=True)
def mailing(settings: Settings) -> None:
    settings.EMAIL_URL = "smtp://mail.example"  # pytest-django catches what is sent


def failing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Lets every mail fail."""

    def refuse(self: EmailBackend, messages: object) -> int:
        raise error

    monkeypatch.setattr(EmailBackend, "send_messages", refuse)


# What a mail says


@pytest.mark.parametrize("kind", MailKind)
def test_e_no_mail_holds_a_word_that_a_player_chose(
    kind: MailKind, db: None, clock: SimulatedClock
) -> None:
    """A name that is a link would be mailed to whoever the player likes."""
    player = confirmed("www.evil.example")
    if kind == MailKind.RESET:
        ask()
    else:
        player.post("/me/email", {"email": "b@example.org", "password": PASSWORD})
    assert deliver() == 1
    [sent] = mail.outbox
    whole = bytes(sent.message()).decode()
    assert "evil" not in whole
    assert whole.count("example.org") == 1  # the recipient


def test_a_mail_says_until_when_its_key_can_be_used(eve: Client, clock: SimulatedClock) -> None:
    ask()
    deliver()
    assert "until 2026-11-30 13:00 UTC" in str(mail.outbox[0].body)


def test_e_a_header_takes_no_line_break_and_no_address_that_is_none() -> None:
    until = datetime(2026, 11, 30, 13, tzinfo=UTC)
    write = partial(letters.write, kind=MailKind.RESET, key="k", until=until)
    for text in (POISON, "a\r\nBcc: b@example.org", "a@example.org\nX: y", "a"):
        with pytest.raises(ValueError, match=r"addr|non-printables"):
            write(to=text)
    sent = write(to=ADDRESS)
    sent.subject = "Cards\r\nBcc: b@example.org"
    with pytest.raises(ValueError, match="linefeed"):
        sent.message()


def test_a_mail_reaches_a_mail_server_whole(eve: Client, settings: Settings) -> None:
    with running(settings, Relay()) as relay:
        ask()
        assert deliver() == 1
    [taken] = relay.mails
    read = message_from_string(taken, policy=policy.default)
    assert (read["To"], read["Subject"]) == (ADDRESS, "A new password for Pyramid Daily")
    assert read["From"] == settings.DEFAULT_FROM_EMAIL
    assert read["Auto-Submitted"] == "auto-generated"
    assert "If it was not you, ignore this email" in read.get_content()
    assert "\n" not in taken.replace("\r\n", "")


# What cannot be sent


def test_e_a_poisonous_address_stops_neither_the_sweep_nor_other_mails(
    eve: Client, settings: Settings
) -> None:
    """One that is in the database from before addresses were looked at as they are now."""
    claimed("Poisoner")
    Player.objects.filter(name="Poisoner").update(email=POISON, email_confirmed_at=the_clock.now())
    with running(settings, Relay()) as relay:
        mails.ask(kind=MailKind.RESET, email=POISON)
        ask()
        tasks.sweep()
        assert deliver() == 1
    assert len(relay.mails) == 1
    assert Heartbeat.objects.filter(task="sweep").exists()
    [failed] = Mail.objects.filter(state="waiting")
    assert (failed.tries, failed.error) == (1, "NonPrintableDefect")


def test_e_a_mail_server_that_is_silent_does_not_hold_up_the_sweep(
    committed_db: Database, clock: SimulatedClock, settings: Settings
) -> None:
    """Without a worker: a thread sends the mail, and the sweep is over while it still waits."""
    settings.REDIS_URL, settings.EMAIL_TIMEOUT = "", 60
    confirmed()
    ask()
    with running(settings, Relay(silent=True)) as relay:
        tasks.sweep()
        assert relay.called.wait(60)
        assert Heartbeat.objects.filter(task="sweep").exists()
        [row] = Mail.objects.all()
        assert (row.state, row.tries) == ("waiting", 1)
        tasks.sweep()  # and the next one, too
    await_the_thread()
    row.refresh_from_db()
    assert (row.state, row.error) == ("waiting", "SMTPServerDisconnected")
    with running(settings, Relay()) as relay:
        cache.delete(mails.RESTING)
        clock.advance(minutes=1)
        tasks.sweep()
        await_the_thread()
    assert len(relay.mails) == 1
    row.refresh_from_db()
    assert (row.state, row.email, row.due_at) == ("sent", "", None)


def await_the_thread() -> None:
    for thread in threading.enumerate():
        if thread.name == "mails":
            thread.join(60)


def test_e_where_there_is_a_worker_the_sweep_only_hands_out_ids(
    eve: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed: list[object] = []
    monkeypatch.setattr(send_mail, "apply_async", lambda args, **options: handed.append(args))
    ask()
    [row] = Mail.objects.all()
    with nothing_changes():
        hand_out_mails()
        hand_out_mails()
    assert handed == [(row.pk,)] * 2
    send_mail(row.pk)
    send_mail(row.pk)
    assert len(mail.outbox) == 1
    assert send_mail.soft_time_limit == 30
    assert send_mail.time_limit == 40


def test_e_while_a_mail_server_does_not_answer_no_second_mail_waits_for_it(
    eve: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    confirmed("Ben", "ben@example.org")
    for address in (ADDRESS, "ben@example.org"):
        ask(address)
    with monkeypatch.context() as patch:
        failing(patch, TimeoutError("timed out"))
        assert deliver() == 0
    assert sorted(Mail.objects.values_list("tries", "error")) == [(0, ""), (1, "TimeoutError")]
    assert deliver() == 0
    cache.delete(mails.RESTING)
    assert deliver() == 1
    assert mails.REST < 60  # s: the next sweep tries it


@pytest.mark.parametrize(
    ("error", "noted"),
    [
        (smtplib.SMTPRecipientsRefused({ADDRESS: (550, b"no eve@example.org")}),
         "SMTPRecipientsRefused 550"),
        (smtplib.SMTPDataError(451, b"eve@example.org: later"), "SMTPDataError 451"),
        (smtplib.SMTPServerDisconnected("eve@example.org"), "SMTPServerDisconnected"),
        (ConnectionRefusedError(111, "eve@example.org"), "ConnectionRefusedError"),
        (UnicodeEncodeError("ascii", ADDRESS, 0, 1, "no"), "UnicodeEncodeError"),
        (RuntimeError(ADDRESS), "RuntimeError"),
    ],
)  # fmt: skip
def test_e_what_is_noted_of_a_failure_names_no_address_and_no_key(
    error: Exception,
    noted: str,
    eve: Client,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    keys: list[str] = []

    def fail(*, key: str, **of_it: object) -> None:
        keys.append(key)
        raise error

    monkeypatch.setattr(letters, "write", fail)
    ask()
    assert deliver() == 0
    [row] = Mail.objects.all()
    assert (row.state, row.tries, row.error) == ("waiting", 1, noted)
    assert f"Mail {row.pk} could not be sent, try 1: {noted}" in caplog.text
    assert "eve@" not in caplog.text
    assert len(keys) == 1
    assert keys[0] not in caplog.text


def test_e_a_mail_is_tried_less_and_less_often_until_its_key_is_too_old(
    eve: Client, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(monkeypatch, smtplib.SMTPDataError(451, b"later"))
    ask()
    tried, start = [], clock.instant
    for _ in range(70):
        before = Mail.objects.values_list("tries", flat=True).first()
        deliver()
        if Mail.objects.values_list("tries", flat=True).first() != before:
            tried.append((clock.instant - start) // timedelta(minutes=1))
        clock.advance(minutes=1)
    assert tried == [0, 1, 3, 7, 15, 31]
    [row] = Mail.objects.all()
    assert (row.state, row.email, row.due_at, row.tries) == ("given_up", "", None, 6)
    tasks.sweep()
    assert Mail.objects.count() == 0


def test_e_a_later_try_brings_a_key_that_works(
    eve: Client, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        failing(patch, smtplib.SMTPDataError(451, b"later"))
        ask()
        deliver()
    clock.advance(seconds=59)
    assert deliver() == 0
    clock.advance(seconds=1)
    assert deliver() == 1
    body = {"key": mailed_key(), "password": NEW}
    assert Client().post("/auth/reset/confirm", body).status == 204


def test_e_a_mail_whose_sender_dies_is_tried_again(
    eve: Client, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed while it waits for the mail server, it has noted nothing."""
    ask()
    [row] = Mail.objects.all()
    assert mails._prepare(row.pk)
    assert deliver() == 0
    clock.advance(minutes=1)
    assert deliver() == 1
    row.refresh_from_db()
    assert (row.state, row.tries) == ("sent", 2)


def test_e_of_ten_that_send_one_mail_at_once_one_does(
    committed_db: Database, clock: SimulatedClock
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time: there is nothing to race")
    confirmed()
    for _ in range(3):
        ask()
    rows = [*Mail.objects.values_list("pk", flat=True)]
    sent = at_once(*[partial(mails.send, mail_id=pk) for pk in rows * 3])
    assert sorted(sent) == [False] * 8 + [True]
    assert Mail.objects.count() == 1


def test_e_keys_are_looked_up_as_they_are_stored(eve: Client) -> None:
    ask()
    deliver()
    assert queries.living_keys(MailKind.RESET, mailed_key()).count() == 1
    assert queries.living_keys(MailKind.CONFIRM, mailed_key()).count() == 0


def test_e_nobody_is_mailed_who_never_confirmed_the_address(
    ada: Client, clock: SimulatedClock
) -> None:
    ada.post("/me/claim", {"password": PASSWORD, "email": ADDRESS})
    Mail.objects.all().delete()
    ask()
    assert deliver() == 0
    assert Mail.objects.count() == 0
    assert sign_up("Cyd").get("/me").status == 200


@pytest.mark.parametrize("asked", ["resets", "addresses", "again"])
def test_e_mails_for_nobody_hold_up_no_other(
    eve: Client, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    """As many as are sent at once, and asked for before."""
    monkeypatch.setattr("players.tasks.AT_ONCE", 3)
    handed: list[int] = []
    monkeypatch.setattr(send_mail, "apply_async", lambda args, **options: handed.extend(args))
    mallory = confirmed("Mallory", "mallory@example.org")
    for number in range(3):
        if asked == "resets":
            ask(f"nobody{number}@example.org")
        elif asked == "addresses":
            given = {"email": ADDRESS, "password": PASSWORD}
            assert claimed(f"Mallory {number}").post("/me/email", given).status == 202
        else:
            ask("mallory@example.org")
    ask()
    hand_out_mails()
    [wanted] = Mail.objects.filter(recipient=queries.digest(ADDRESS), kind=MailKind.RESET)
    assert wanted.pk in handed
    assert len(handed) == (2 if asked == "again" else 1)
    assert mallory.get("/me").status == 200
