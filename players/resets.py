"""A new password by mail: asking for it, the mail, and the key in it."""

import logging
import secrets

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction

from players import accounts, passwords, queries
from players.models import Player, ResetKey, ResetRequest
from pyramid_site import clock
from pyramid_site.refusals import Refusal

logger = logging.getLogger(__name__)

SUBJECT = "A new password for {name}"
WORDS = """\
Somebody, perhaps you, has asked for a new password for the player {name} of Pyramid Daily.

This key sets one, once, within an hour:

{key}

If it was not you, nothing has to be done: the old password stays as it is.
"""


def ask(*, email: str) -> None:
    """Notes that somebody has asked; the sweep sends the mail, where there is a player to send to.

    The same is done for any address, so that nobody learns by time whether it is known.
    """
    if settings.EMAIL_URL:
        ResetRequest.objects.create(email=email.lower(), asked_at=clock.now())


def send_due() -> int:
    """Answers all that have asked; how many mails were sent."""
    sent = 0
    for request in queries.reset_requests():
        taken, _ = ResetRequest.objects.filter(pk=request.pk).delete()
        if taken:  # and not by another sweep
            sent += sum(_send(player) for player in queries.players_with_email(request.email))
    return sent


def confirm(*, key: str, password: str) -> None:
    """Sets the password of the player to whom the key was mailed; key and tokens are dead.

    Raises Refusal `invalid_credentials` for a key that is unknown, used or too old,
    `invalid_request` for a weak password, with which the key can still be used.
    """
    wrong = Refusal(
        "invalid_credentials", "The key is unknown, used already, or older than an hour."
    )
    player = queries.player_with_key(key)
    if player is None:
        raise wrong
    passwords.check_strength(password, field="password", name=player.name, email=player.email)
    stored = passwords.hashed(password)
    with transaction.atomic():
        locked = queries.lock_player(player.pk)
        used, _ = queries.living_keys(clock.now()).filter(digest=queries.digest(key)).delete()
        if not used:
            raise wrong
        accounts.set_password(locked, stored)


def _send(player: Player) -> bool:
    """Mails a key; not so soon after the last one, or a mailbox could be filled.

    A mail that cannot be sent is logged and not tried again: who misses it asks again.
    """
    key, now = secrets.token_urlsafe(32), clock.now()
    made = {"digest": queries.digest(key), "made_at": now}
    if queries.fresh_keys(now).filter(player=player).exists():
        return False
    ResetKey.objects.update_or_create(player=player, defaults=made)
    words = WORDS.format(name=player.name, key=key)
    try:
        send_mail(SUBJECT.format(name=player.name), words, None, [player.email])
    except (OSError, ValueError):  # smtplib's errors, and those of what is no address to it
        logger.exception("A mail to the player %s could not be sent", player.pk)
        ResetKey.objects.filter(player=player).delete()
        return False
    return True
