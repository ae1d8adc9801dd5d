"""Mails with a key in them: asked for, sent one by one, tried again until the key is too old.

The rows say what is due, so that a mail outlives whatever dies while it is sent.
"""

import logging
import secrets
import smtplib
from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import QuerySet

from players import letters, queries
from players.models import Mail, MailKind, MailState, Player
from pyramid_site import clock

logger = logging.getLogger(__name__)

APART = timedelta(minutes=5)  # between two mails of a kind to one address
MOST_TO_ADDRESS = 3  # of a kind whose keys live; a key of one of them serves whoever asked
MOST_FOR_ACCOUNT = 5  # confirmation mails a day, to whichever addresses
FIRST_WAIT = timedelta(minutes=1)  # before the second try; each further one waits twice as long
RESTING = "mail-server-rests"  # a cache key: the mail server has just not answered
REST = 50  # s: less than until the next sweep


def ask(*, kind: MailKind, email: str, player_id: UUID | None = None) -> None:
    """Notes that a mail is wanted, and the account that it is for. The sweep has it sent.

    It does the same for any address, so that nobody learns by time whether one is known.
    """
    if settings.EMAIL_URL:
        now = clock.now()
        Mail.objects.create(
            kind=kind,
            player_id=player_id,
            email=email,
            recipient=queries.digest(email),
            asked_at=now,
            due_at=now,
            expires_at=now + letters.LETTERS[kind].life,
        )


@transaction.atomic
def drop_vain() -> None:
    """Drops what would not be sent: strangers can ask for any number of them, before all others."""
    vain = queries.lock_vain_mails(clock.now(), apart=APART)
    Mail.objects.filter(pk__in=vain).delete()


def send(*, mail_id: int) -> bool:
    """Sends a mail if it is due and still wanted; whether it went out.

    One that cannot be sent stays due, each time later, until its key is too old. After a mail
    server that did not answer, the others wait for the next sweep instead of for it.
    """
    if cache.get(RESTING) or (prepared := _prepare(mail_id)) is None:
        return False
    mail, key = prepared
    try:
        letters.write(
            kind=MailKind(mail.kind), to=mail.email, key=key, until=mail.expires_at
        ).send()
    except Exception as error:  # of whatever a mail server's client may raise, time-outs included
        if isinstance(error, NO_ANSWER) and not isinstance(error, REFUSED):
            cache.set(RESTING, True, timeout=REST)
        _note_failure(mail, described(error))
        return False
    done = {"state": MailState.SENT, "due_at": None, "email": "", "error": ""}
    _attempted(mail).update(**done)
    return True


def end(player: Player) -> None:
    """Ends the keys that open the account, and the mails that would bring one.

    The caller has locked the player. An address that is not confirmed may be somebody else's: what
    is on its way to it stays. A key that only confirms an address opens nothing.
    """
    resets = Mail.objects.filter(kind=MailKind.RESET)
    resets.filter(player=player).delete()
    if player.email_confirmed_at:
        resets.filter(recipient=queries.digest(player.email)).delete()


def described(error: Exception) -> str:
    """The kind of an error and the mail server's code, without words that may hold the address.

    >>> described(smtplib.SMTPRecipientsRefused({"ada@example.org": (550, b"no ada@example.org")}))
    'SMTPRecipientsRefused 550'
    """
    codes: list[int] = []
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _ in error.recipients.values()]
    elif isinstance(error, smtplib.SMTPResponseException):
        codes = [error.smtp_code]
    return " ".join([type(error).__name__, *map(str, codes)])


@transaction.atomic
def _prepare(mail_id: int) -> tuple[Mail, str] | None:
    """The mail and its new key, with the next try put off; None if there is nothing to send.

    Committed before the mail goes out: whatever happens then, the key in it is the stored one.
    """
    asked = Mail.objects.filter(pk=mail_id).first()
    if asked is None:
        return None
    if asked.kind == MailKind.RESET:
        player = queries.lock_owner_of(asked.email)
        wanted = player is not None and player.locked_at is None
    else:
        player, wanted = asked.player, queries.is_only_claimed(asked.email)
    others = {it.pk: it for it in queries.lock_mails_like(asked)}
    now = clock.now()
    mail = others.pop(asked.pk, None)
    if mail is None or not mail.is_due(now):
        return None
    tried = [it for it in others.values() if it.tries and it.expires_at > now]
    if not wanted or (not mail.tries and _too_many(mail, tried, now)):
        mail.delete()
        return None
    key = secrets.token_urlsafe(32)
    mail.player, mail.digest = player, queries.digest(key)
    mail.due_at, mail.tries = now + FIRST_WAIT * 2**mail.tries, mail.tries + 1
    mail.save()
    return mail, key


def _too_many(mail: Mail, tried: Collection[Mail], now: datetime) -> bool:
    """Whether a mailbox would be filled, with `tried` as the other mails to it."""
    if len(tried) >= MOST_TO_ADDRESS or any(it.asked_at > now - APART for it in tried):
        return True
    if mail.kind == MailKind.RESET:  # which goes to an address that is the player's own
        return False
    of_account = Mail.objects.filter(kind=mail.kind, player=mail.player, expires_at__gt=now)
    return of_account.filter(tries__gt=0).count() >= MOST_FOR_ACCOUNT


def _note_failure(mail: Mail, error: str) -> None:
    logger.warning("Mail %s could not be sent, try %s: %s", mail.pk, mail.tries, error)
    changes: dict[str, object] = {"error": error}
    if mail.due_at is None or mail.due_at >= mail.expires_at:
        changes |= {"state": MailState.GIVEN_UP, "due_at": None, "email": ""}
    _attempted(mail).update(**changes)


def _attempted(mail: Mail) -> "QuerySet[Mail]":
    """The row of a mail, unless it has been ended or tried anew since."""
    return Mail.objects.filter(pk=mail.pk, digest=mail.digest)


NO_ANSWER = (OSError, SoftTimeLimitExceeded)
REFUSED = (smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused)
"""Those errors of the former kind that are an answer: others may fare better."""
