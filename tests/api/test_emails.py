"""A mail address counts once a key that was mailed there has come back (E)."""

from functools import partial

import pytest
from django.core import mail
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from players.models import Mail, Player
from tests.api.client import PASSWORD, Client, claimed, sign_up
from tests.builders import nothing_changes
from tests.conftest import Database, SimulatedClock
from tests.mailing import ADDRESS, ask, confirmed, deliver, mailed_key
from tests.threads import at_once

pytestmark = pytest.mark.core

WRONG = (401, "invalid_credentials")


@pytest.fixture(autouse=True)
def mailing(settings: Settings) -> None:
    settings.EMAIL_URL = "smtp://mail.example"  # pytest-django catches what is sent


@pytest.fixture
def eve(db: None, clock: SimulatedClock) -> Client:
    return claimed("Eve Holt")


def give(client: Client, email: str = ADDRESS) -> tuple[int, str | None]:
    reply = client.post("/me/email", {"email": email, "password": PASSWORD})
    return reply.refusal if reply.status >= 400 else (reply.status, None)


def confirm(client: Client, key: str) -> int:
    return client.post("/me/email/confirm", {"key": key}).status


def shown(client: Client) -> tuple[str | None, bool | None]:
    me = client.get("/me").body
    return me.get("email"), me.get("email_confirmed")


# Giving and confirming


def test_an_address_given_with_the_claim_is_confirmed_by_its_key(
    ada: Client, clock: SimulatedClock
) -> None:
    ada.post("/me/claim", {"password": PASSWORD, "email": "Ada@B\u00fccher.example"})
    stored = "ada@xn--bcher-kva.example"
    assert shown(ada) == (stored, False)
    assert deliver() == 1
    [sent] = mail.outbox
    assert (sent.to, sent.subject) == ([stored], "Confirm your address for Pyramid Daily")
    assert confirm(ada, mailed_key()) == 204
    assert shown(ada) == (stored, True)
    assert Player.objects.get().email_confirmed_at == clock.instant
    assert Mail.objects.count() == 0
    assert ada.get("/me/export").body["email_confirmed_at"] == "2026-11-30T12:00:00.000Z"


def test_an_address_can_be_given_later_and_once_more(eve: Client, clock: SimulatedClock) -> None:
    assert shown(eve) == (None, None)
    assert give(eve) == (202, None)
    deliver()
    clock.advance(minutes=5)
    assert give(eve, ADDRESS.upper()) == (202, None)
    deliver()
    assert len(mail.outbox) == 2
    assert confirm(eve, mailed_key(0)) == 204  # the former one works as well


def test_e_another_address_ends_what_the_former_one_could(db: None, clock: SimulatedClock) -> None:
    eve = confirmed()
    ask()
    deliver()
    key = mailed_key()
    ask()
    assert give(eve, "new@example.org") == (202, None)
    assert shown(eve) == ("new@example.org", False)
    body = {"key": key, "password": "nine rows of cards"}
    assert Client().post("/auth/reset/confirm", body).refusal == WRONG
    clock.advance(minutes=5)
    ask()
    deliver()
    assert [sent.to for sent in mail.outbox] == [[ADDRESS], ["new@example.org"]]


def test_the_confirmed_address_given_again_stays_confirmed(db: None, clock: SimulatedClock) -> None:
    eve = confirmed()
    with nothing_changes():
        assert give(eve) == (202, None)


def test_e_an_address_is_given_with_the_password_only(eve: Client, ada: Client) -> None:
    with nothing_changes():
        body = {"email": ADDRESS, "password": "wrong"}
        assert eve.post("/me/email", body).refusal == WRONG
        assert give(ada) == (403, "forbidden")
        for email in ('"a\x0bX:b"@example.org', "eve", "", None, "eve@example.org\n"):
            refused = eve.post("/me/email", {"email": email, "password": PASSWORD})
            assert refused.refusal == (400, "invalid_request")


def test_where_no_mail_is_set_up_the_answer_is_the_same_and_none_is_kept(
    eve: Client, settings: Settings
) -> None:
    settings.EMAIL_URL = ""
    assert give(eve) == (202, None)
    assert Mail.objects.count() == 0


# The key


def test_e_a_key_confirms_only_where_it_was_mailed_and_once(
    eve: Client, ben: Client, clock: SimulatedClock
) -> None:
    ben.post("/me/claim", {"password": PASSWORD, "email": "ben@example.org"})
    give(eve)
    deliver()
    keys = {sent.to[0]: mailed_key(at) for at, sent in enumerate(mail.outbox)}
    with nothing_changes():
        for key in ("x", "\u00e9", "x" * 43, keys["ben@example.org"]):
            assert confirm(eve, key) == 401
        assert Client().post("/me/email/confirm", {"key": keys[ADDRESS]}).status == 401
        body = {"key": keys[ADDRESS], "password": "nine rows of cards"}
        assert Client().post("/auth/reset/confirm", body).refusal == WRONG
    assert confirm(eve, keys[ADDRESS]) == 204
    with nothing_changes():
        assert confirm(eve, keys[ADDRESS]) == 401


def test_e_a_key_lapses_after_a_day(eve: Client, clock: SimulatedClock) -> None:
    give(eve)
    deliver()
    clock.advance(days=1)
    with nothing_changes():
        assert confirm(eve, mailed_key()) == 401
    clock.advance(ms=-1)
    assert confirm(eve, mailed_key()) == 204


def test_e_a_key_for_a_new_password_confirms_no_address(db: None, clock: SimulatedClock) -> None:
    confirmed()
    ask()
    deliver()
    ben = claimed("Ben")
    give(ben)
    with nothing_changes():
        assert confirm(ben, mailed_key()) == 401


# Addresses of others


def test_e_three_accounts_with_an_address_keep_its_owner_from_nothing(
    eve: Client, clock: SimulatedClock
) -> None:
    """They use up the mails that may go there; the key that has come serves the owner."""
    for number in range(3):
        give(claimed(f"Mallory {number}"))
        deliver()
        clock.advance(minutes=5)
    give(eve)
    assert deliver() == 0
    assert len(mail.outbox) == 3
    assert confirm(eve, mailed_key(0)) == 204
    ask()
    assert deliver() == 1
    assert mail.outbox[-1].to == [ADDRESS]
    body = {"key": mailed_key(), "password": "nine rows of cards"}
    assert Client().post("/auth/reset/confirm", body).status == 204
    assert eve.get("/me").status == 401  # it was the owner's password


def test_e_that_another_has_confirmed_an_address_is_not_said(
    eve: Client, clock: SimulatedClock
) -> None:
    mallory = claimed("Mallory")
    give(mallory)
    deliver()
    give(eve)
    paths = ("/me", "/me/export")
    before = [mallory.get(path).body for path in paths]
    assert confirm(eve, mailed_key()) == 204
    assert shown(eve) == (ADDRESS, True)
    assert [mallory.get(path).body for path in paths] == before
    with nothing_changes():
        assert confirm(mallory, mailed_key()) == 401


def test_e_who_has_confirmed_an_address_gets_no_mail_for_the_accounts_of_others(
    db: None, clock: SimulatedClock
) -> None:
    eve, mallory = confirmed(), claimed("Mallory")
    assert give(mallory) == (202, None)
    assert deliver() == 0
    assert mail.outbox == []
    assert (shown(eve), shown(mallory)) == ((ADDRESS, True), (ADDRESS, False))
    ask()
    assert deliver() == 1
    body = {"key": mailed_key(), "password": "nine rows of cards"}
    assert Client().post("/auth/reset/confirm", body).status == 204
    assert (eve.get("/me").status, mallory.get("/me").status) == (401, 200)


def test_e_whether_an_address_is_another_s_is_not_said(db: None, clock: SimulatedClock) -> None:
    confirmed()
    counts = []
    for number, address in enumerate((ADDRESS, "nobody@example.org")):
        client = claimed(f"Mallory {number}")
        guest = sign_up()
        with CaptureQueriesContext(connection) as queries:
            assert give(client, address) == (202, None)
            claim = guest.post("/me/claim", {"password": PASSWORD, "email": address})
        assert (claim.status, claim.body["email_confirmed"]) == (200, False)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_e_a_confirmed_address_is_one_player_s_in_the_database(
    db: None, clock: SimulatedClock
) -> None:
    confirmed()
    with pytest.raises(IntegrityError), transaction.atomic():
        confirmed("Ben")
    claimed("Cyd")
    Player.objects.filter(name="Cyd").update(email=ADDRESS)  # it may say so
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.filter(name="Eve Holt").update(email="")


def test_e_of_players_who_confirm_one_address_at_once_one_does(
    committed_db: Database, clock: SimulatedClock
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time: there is nothing to race")
    players = [claimed(f"Player {number}") for number in range(5)]
    for player in players:
        give(player)
    deliver()
    assert len(mail.outbox) == 1
    answers = at_once(*[partial(confirm, player, mailed_key()) for player in players])
    assert sorted(answers) == [204, 401, 401, 401, 401]
    assert Player.objects.exclude(email_confirmed_at=None).count() == 1


# How many mails


def test_e_a_stranger_s_mailbox_gets_three_mails_a_day(eve: Client, clock: SimulatedClock) -> None:
    sent = []
    for minute in range(0, 24 * 60, 5):
        if minute % 60 == 0:
            give(claimed(f"Mallory {minute}"))  # each time with an account of its own
        sent.append(deliver())
        clock.advance(minutes=5)
    assert sum(sent) == 3
    give(eve)
    assert deliver() == 1  # the next day
    assert confirm(eve, mailed_key()) == 204


def test_e_an_account_gets_five_mails_a_day_out(eve: Client, clock: SimulatedClock) -> None:
    for number in range(8):
        give(eve, f"stranger{number}@example.org")
        deliver()
    assert len(mail.outbox) == 5
    clock.advance(days=1)
    give(eve)
    assert deliver() == 1


def test_e_a_network_address_sets_off_no_more_mails_than_the_setting_says(
    eve: Client, settings: Settings
) -> None:
    settings.THROTTLE_MAIL = "2/day"
    assert [give(eve, f"a{number}@example.org")[0] for number in range(3)] == [202, 202, 429]
    guest = sign_up()
    with nothing_changes():
        body = {"password": PASSWORD, "email": "a@example.org"}
        assert guest.post("/me/claim", body).refusal == (429, "throttled")
    assert guest.post("/me/claim", {"password": PASSWORD}).status == 200


def test_e_keys_are_guessed_no_more_often_than_passwords(eve: Client, settings: Settings) -> None:
    settings.THROTTLE_GUESS = "2/hour"
    assert [confirm(eve, "x") for _ in range(3)] == [401, 401, 429]


def test_e_no_mail_goes_out_for_an_address_that_was_taken_back(
    eve: Client, clock: SimulatedClock
) -> None:
    give(eve, "first@example.org")
    give(eve, "second@example.org")
    deliver()
    assert [sent.to for sent in mail.outbox] == [["second@example.org"]]
    other = claimed("Ben")
    give(other, "third@example.org")
    other.delete("/me")
    assert deliver() == 0
    assert not Mail.objects.exclude(email="").exists()
