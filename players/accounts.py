"""Every write to players and tokens: signing up, signing off."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction

from players import names
from players.models import Player, Token
from pyramid_site import clock
from pyramid_site.refusals import Refusal

TRIES = 20  # friendly names before giving up; one try in a thousand fails with 30,000 players


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A player and a new token for it; the token itself is kept nowhere else."""

    player: Player
    token: str
    expires_at: datetime


@transaction.atomic
def sign_up(*, name: str | None) -> SignedIn:
    """A new guest, with a friendly name where none is given.

    Raises Refusal `invalid_request` for what is no name, `name_taken` for another's.
    """
    return _sign_in(_friendly_guest() if name is None else _guest(names.cleaned(name)))


@transaction.atomic
def sign_off(*, token: str) -> None:
    """This token is dead; the player's others are not."""
    Token.objects.filter(digest=digest(token)).delete()


def player_of(*, token: str) -> Player | None:
    """The player whose living token this is. One query."""
    living = Token.objects.filter(digest=digest(token), expires_at__gt=clock.Now())
    found = living.select_related("player").first()
    return found.player if found else None


@transaction.atomic
def lock(*, player_id: UUID) -> None:
    """The player may not act until it is unlocked; what was played stays as it is."""
    Player.objects.filter(pk=player_id, locked_at=None).update(locked_at=clock.now())


@transaction.atomic
def unlock(*, player_id: UUID) -> None:
    """The player may act again."""
    Player.objects.filter(pk=player_id).update(locked_at=None)


def digest(token: str) -> bytes:
    """What is stored of a token. 256 random bits need no salt and no slow hash."""
    return sha256(token.encode()).digest()


def _sign_in(player: Player) -> SignedIn:
    token = secrets.token_urlsafe(32)
    now = clock.now()
    expires_at = now + timedelta(days=settings.TOKEN_DAYS)
    Token.objects.create(player=player, digest=digest(token), created_at=now, expires_at=expires_at)
    return SignedIn(player, token, expires_at)


def _friendly_guest() -> Player:
    for _ in range(TRIES):
        try:
            return _guest(names.friendly())
        except Refusal:
            continue
    raise Refusal("name_taken", "No free name was found; send one of your own.")


def _guest(name: str) -> Player:
    try:
        with transaction.atomic():
            return Player.objects.create(name=name, name_key=names.key(name), joined_at=clock.now())
    except IntegrityError as error:
        raise Refusal("name_taken", f"The name {name!r} is taken.") from error
