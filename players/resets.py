"""A new password by mail: asking for it, and the key in the mail."""

from django.db import transaction

from players import accounts, mails, passwords, queries
from players.models import MailKind
from pyramid_site.refusals import Refusal


def ask(*, email: str) -> None:
    """Notes that somebody has asked; a mail goes out if a player has confirmed the address."""
    mails.ask(kind=MailKind.RESET, email=email)


def confirm(*, key: str, password: str, address: str = "") -> None:
    """Sets the password of the player to whom the key was mailed; keys and tokens are dead.

    The player is known at `address`, and nowhere else, from now on. Raises Refusal
    `invalid_credentials` for a key that is unknown, used or too old, `invalid_request` for a weak
    password, with which the key can still be used.
    """
    wrong = Refusal("invalid_credentials", "The key is unknown, used already, or too old.")
    player = queries.player_with_key(key)
    if player is None:
        raise wrong
    passwords.check_strength(password, field="password", name=player.name, email=player.email)
    stored = passwords.hashed(password)
    with transaction.atomic():
        locked = queries.lock_player(player.pk)
        if not queries.living_keys(MailKind.RESET, key).exists():
            raise wrong
        accounts.set_password(locked, stored, address=address)
