"""Every read of the players' tables, and every row lock."""

import hmac
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from players import lookalikes, names
from players.models import FormerName, KnownPlace, Mail, MailKind, NameChanges, Player, Token
from pyramid_site import clock
from pyramid_site.refusals import Refusal

KEPT = timedelta(days=90)  # how long a name that was given up is nobody else's
KNOWN = timedelta(days=90)  # how long a place is known after its last login


def digest(secret: str) -> bytes:
    """Return the stored digest of a token or key; 256 random bits need no salt or slow hash."""
    return sha256(secret.encode()).digest()


def player_of(*, token: str) -> Player | None:
    """Return the player of a valid token, by one query."""
    living = Token.objects.filter(digest=digest(token), expires_at__gt=clock.Now())
    found = living.select_related("player").first()
    return found.player if found else None


def player(player_id: UUID) -> Player:
    """Return a player. Raises Refusal `not_authenticated` if deleted."""
    found = Player.objects.filter(pk=player_id, gone_at=None).first()
    if found is None:
        raise _gone()
    return found


def player_named(name: str) -> Player | None:
    """The player of this name, in whichever case it is written."""
    if "\0" in name:
        return None  # PostgreSQL has no text with one
    return Player.objects.filter(name_key=names.key(name), gone_at=None).first()


def place(address: str, *, player_id: UUID) -> bytes:
    """Return the keyed hash of an address from which a player logged in."""
    said = f"players.known-place {player_id} {address}"
    return hmac.digest(settings.SECRET_KEY.encode(), said.encode(), "sha256")


def is_known_place(address: str, *, name: str) -> bool:
    """Whether the player of this name has logged in from this address before."""
    found = player_named(name)
    player_id = found.pk if found else UUID(int=0)  # for a wrong name the same work
    known = KnownPlace.objects.filter(player=player_id, seen_at__gt=clock.now() - KNOWN)
    return known.filter(digest=place(address, player_id=player_id)).exists()


def places_of(player: Player) -> "QuerySet[KnownPlace]":
    """Return the player's known places, newest first."""
    return KnownPlace.objects.filter(player=player).order_by("-seen_at", "-pk")


def player_with_key(key: str) -> Player | None:
    """The player to whom this key for a new password was mailed, if it can still be used."""
    found = living_keys(MailKind.RESET, key).select_related("player").first()
    return found.player if found else None


def living_keys(kind: MailKind, key: str) -> "QuerySet[Mail]":
    """The mail that brought this key, if it can still be used."""
    return Mail.objects.filter(kind=kind, digest=digest(key), expires_at__gt=clock.now())


def mails_due(now: datetime) -> "QuerySet[Mail]":
    """Return mails due now, longest waiting first."""
    return Mail.objects.filter(due_at__lte=now, expires_at__gt=now).order_by("due_at", "pk")


def lock_vain_mails(now: datetime, *, apart: timedelta) -> list[int]:
    """The mails that nobody has tried yet and that would be dropped then, as far as they are free.

    They are to somebody who is not a player, to an address that another has confirmed, or for a
    new password that was asked for within `apart` before.
    """
    named = Player.objects.filter(email=OuterRef("email"))
    confirmed = Exists(named.exclude(email_confirmed_at=None))
    before = Mail.objects.filter(
        pk__lt=OuterRef("pk"),
        kind=MailKind.RESET,
        recipient=OuterRef("recipient"),
        asked_at__gt=OuterRef("asked_at") - apart,
        expires_at__gt=now,
    )
    reset = Q(kind=MailKind.RESET)
    vain = reset & (~confirmed | Exists(before)) | ~reset & confirmed
    found = Mail.objects.filter(vain, tries=0).select_for_update(of=("self",), skip_locked=True)
    return [*found.values_list("pk", flat=True)]


def is_only_claimed(email: str) -> bool:
    """Whether players say that the address is theirs, and none has shown it."""
    named = Player.objects.filter(email=email)
    return (
        named.filter(email_confirmed_at=None, locked_at=None).exists()
        and not named.exclude(email_confirmed_at=None).exists()
    )


def is_kept(name: str, *, player: Player, now: datetime) -> bool:
    """Return whether a free name is reserved for another player."""
    kept = FormerName.objects.filter(like(name), freed_at__gt=now - KEPT)
    return kept.exclude(player=player).exists()


def names_given_up(player: Player) -> "QuerySet[FormerName]":
    """The names that are kept from all others but the player."""
    return FormerName.objects.filter(player=player, freed_at__gt=clock.now() - KEPT)


def tokens_of(player: Player) -> "QuerySet[Token]":
    """The player's tokens, oldest first."""
    return Token.objects.filter(player=player).order_by("created_at", "id")


def like(name: str) -> Q:
    """Names that are this one, or look like it."""
    return Q(name_key=names.key(name)) | Q(skeleton=lookalikes.skeleton(name))


def lock_player(player_id: UUID) -> Player:
    """`player`, locked until the transaction ends."""
    found = Player.objects.select_for_update().filter(pk=player_id, gone_at=None).first()
    if found is None:
        raise _gone()
    return found


def lock_to_remove(player_id: UUID) -> "QuerySet[Player]":
    """Lock the player's row, deleted or not, so that nothing new refers to it."""
    row = Player.objects.filter(pk=player_id)
    row.select_for_update().first()
    return row


def lock_player_with(player_id: UUID, *, password: str) -> Player | None:
    """Lock the player if this is its stored password hash."""
    with_it = Player.objects.select_for_update().filter(pk=player_id, password=password)
    return with_it.exclude(password="").first()


def lock_owner_of(email: str) -> Player | None:
    """The player who has confirmed this address, locked until the transaction ends."""
    confirmed = Player.objects.select_for_update().exclude(email_confirmed_at=None)
    return confirmed.filter(email=email).first()


def lock_claimants_of(email: str) -> list[Player]:
    """The players with this address, locked in the order of their keys to avoid deadlock."""
    return [*Player.objects.select_for_update().filter(email=email).order_by("pk")]


def lock_mails_like(mail: Mail) -> list[Mail]:
    """The mails of its kind to its recipient, itself included, locked in one order.

    Whoever locks a player as well locks the player first.
    """
    alike = Mail.objects.filter(kind=mail.kind, recipient=mail.recipient)
    return [*alike.select_for_update().order_by("pk")]


def name_changes() -> Subquery:
    """How often names have changed, inside a query: part of the version of what shows names."""
    return Subquery(NameChanges.objects.values("count")[:1])


def _gone() -> Refusal:
    return Refusal("not_authenticated", "The player has been deleted.")
