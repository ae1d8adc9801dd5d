"""Every write to players and tokens: sign-up, login, claim, rename, deletion."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F

from players import lookalikes, mails, names, passwords, queries
from players.models import FormerName, KnownPlace, Mail, MailKind, NameChanges, Player, Token
from pyramid_site import clock
from pyramid_site.refusals import Refusal

TRIES = 20  # friendly names before giving up; one try in a thousand fails with 30,000 players
PLACES = 10  # that are known of one player: from each of them guesses are counted apart
NAMING = ("name", "name_key", "skeleton")  # the fields of a player that say its name
RENAMES = 10  # names that one player may keep from others: without an end, all of them


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A player and a new token, which is stored nowhere."""

    player: Player
    token: str
    expires_at: datetime


@transaction.atomic
def sign_up(*, name: str | None) -> SignedIn:
    """Create a guest, with a friendly name if none is given.

    Raises Refusal `invalid_request` for what is no name, `name_taken` for another's.
    """
    return _sign_in(_friendly_guest() if name is None else _guest(names.cleaned(name)))


def log_in(*, name: str, password: str, address: str = "") -> SignedIn:
    """Log a player in by name and password: a new token; `address` becomes a known place.

    Raises Refusal `invalid_credentials`: after as long, whether it is the name that is wrong, the
    password, or that it is a guest who has none.
    """
    found = queries.player_named(name)
    checked = found.password if found else ""
    renewed = passwords.check(password, checked)
    if found is None or renewed is None:
        raise _wrong("The name or the password is wrong.")
    with transaction.atomic():
        player = _locked(found.pk, password=checked)
        if renewed != checked:
            player.password = renewed
            player.save(update_fields=["password"])
        _know(player, address)
        return _sign_in(player)


@transaction.atomic
def sign_off(*, token: str) -> None:
    """Revoke this token only."""
    Token.objects.filter(digest=queries.digest(token)).delete()


@transaction.atomic
def sign_off_everywhere(*, player_id: UUID) -> None:
    """Revoke all tokens, mailed keys and known places of the player."""
    end_access(queries.lock_player(player_id))


def claim(
    *, player_id: UUID, password: str, name: str | None, email: str, address: str = ""
) -> Player:
    """Turn a guest into an account; the player keeps everything it has played.

    An address is mailed a key, and counts once that has come back. Raises Refusal
    `invalid_request`, `already_claimed`, `name_taken`.
    """
    guest = queries.player(player_id)
    _check_guest(guest)
    clean = guest.name if name is None else names.cleaned(name)
    passwords.check_strength(password, field="password", name=clean, email=email)
    stored = passwords.hashed(password)  # which takes too long to hold a lock
    with transaction.atomic():
        player = queries.lock_player(player_id)
        _check_guest(player)
        end_access(player, tokens=False)
        player.claimed_at, player.password, player.email = clock.now(), stored, email
        player.save(update_fields=["claimed_at", "password", "email"])
        if email:
            mails.ask(kind=MailKind.CONFIRM, email=email, player_id=player_id)
        if name is not None:
            _bear(player, clean)
        _know(player, address)
        return player


@transaction.atomic
def rename(*, player_id: UUID, name: str, by_staff: bool = False) -> Player:
    """Rename the player. The former name stays reserved for a while.

    From its player as well, where staff took it away. Raises Refusal `invalid_request`,
    `name_taken`, `forbidden` for who has changed it too often.
    """
    player = queries.lock_player(player_id)
    _bear(player, names.cleaned(name), by_staff=by_staff)
    return player


def change_password(*, player_id: UUID, token: str, old: str, new: str, address: str = "") -> None:
    """Change the password; revoke all tokens except this one.

    The player is known at `address`, and nowhere else, from now on. Raises Refusal `forbidden` for
    a guest, `invalid_credentials`, `invalid_request`.
    """
    player = _proven(player_id, old)
    passwords.check_strength(new, field="new", name=player.name, email=player.email)
    stored = passwords.hashed(new)
    with transaction.atomic():
        locked = _locked(player_id, password=player.password)
        set_password(locked, stored, spare=token, address=address)


def change_email(*, player_id: UUID, email: str, password: str) -> None:
    """Set the mail address, which may be the same again, and mail a key there.

    The former address counts no more; one that is confirmed already stays as it is. Raises Refusal
    `forbidden` for a guest, `invalid_credentials`.
    """
    proven = _proven(player_id, password)
    with transaction.atomic():
        player = _locked(player_id, password=proven.password)
        if player.email_confirmed and player.email == email:
            return
        end_access(player, tokens=False)
        player.email, player.email_confirmed_at = email, None
        player.save(update_fields=["email", "email_confirmed_at"])
        mails.ask(kind=MailKind.CONFIRM, email=email, player_id=player_id)


def set_password(player: Player, stored: str, *, spare: str = "", address: str = "") -> None:
    """Set the password of a locked row; revoke all keys, and all tokens except `spare`.

    The player is known where it was set, and nowhere else: others' guesses may go on.
    """
    player.password = stored
    player.save(update_fields=["password"])
    end_access(player, spare=spare)
    _know(player, address)


def end_access(player: Player, *, tokens: bool = True, spare: str = "") -> None:
    """End every way into the account: mailed keys, mails that would bring one, tokens, places.

    Whatever ends access comes here, before it forgets the address. The caller has locked the
    player. With `tokens` False tokens and known places stay; else all tokens but `spare` are dead,
    and so is what was known of places: who knew the old password may have been there.
    """
    mails.end(player)
    if tokens:
        player.tokens.exclude(digest=queries.digest(spare)).delete()
        player.places.all().delete()


@transaction.atomic
def lock(*, player_id: UUID) -> None:
    """Lock the player out until unlocked; results stay as they are."""
    Player.objects.filter(pk=player_id, locked_at=None).update(locked_at=clock.now())
    for player in Player.objects.filter(pk=player_id):
        end_access(player, tokens=False)  # which are refused meanwhile


@transaction.atomic
def unlock(*, player_id: UUID) -> None:
    """Unlock the player."""
    Player.objects.filter(pk=player_id).update(locked_at=None)


@transaction.atomic
def delete(*, player_id: UUID) -> None:
    """Anonymise the player. Results stay under a neutral name.

    The name is kept from all others for a while, and no longer says whose it was.
    """
    player = queries.lock_player(player_id)
    player.former_names.update(player=None)
    _keep(player.name, player=None)
    _set_name(player, names.gone())
    end_access(player)
    player.gone_at, player.password = clock.now(), ""
    player.email, player.email_confirmed_at = "", None
    player.save(update_fields=[*NAMING, "gone_at", "password", "email", "email_confirmed_at"])


def forget_lapsed() -> None:
    """Remove expired tokens, mails, known places and reserved names."""
    now = clock.now()
    KnownPlace.objects.filter(seen_at__lte=now - queries.KNOWN).delete()
    Token.objects.filter(expires_at__lte=now).delete()
    Mail.objects.filter(expires_at__lte=now).delete()
    FormerName.objects.filter(freed_at__lte=now - queries.KEPT).delete()


def _sign_in(player: Player) -> SignedIn:
    token = secrets.token_urlsafe(32)
    now = clock.now()
    expires_at = now + timedelta(days=settings.TOKEN_DAYS)
    digest = queries.digest(token)
    Token.objects.create(player=player, digest=digest, created_at=now, expires_at=expires_at)
    return SignedIn(player, token, expires_at)


def _know(player: Player, address: str) -> None:
    """Remember where the player gave its password; keep the newest PLACES. The player is locked."""
    if not address:
        return
    player.places.update_or_create(
        digest=queries.place(address, player_id=player.pk), defaults={"seen_at": clock.now()}
    )
    newest = queries.places_of(player).values_list("pk", flat=True)[:PLACES]
    player.places.exclude(pk__in=list(newest)).delete()


def _friendly_guest() -> Player:
    for _ in range(TRIES):
        try:
            return _guest(names.friendly())
        except Refusal:
            continue
    raise Refusal("name_taken", "No free name was found; send one of your own.")


@transaction.atomic
def _guest(name: str) -> Player:
    player = Player(joined_at=clock.now())
    _bear(player, name)
    return player


def _bear(player: Player, name: str, *, by_staff: bool = False) -> None:
    """Name a new or locked player; the name must be neither taken nor reserved."""
    former = player.name
    _set_name(player, name)
    written = _renamed(player) if former else _added(player)
    # Looked for after the write: it has waited for whoever was just giving the name up.
    if not written or queries.is_kept(name, player=player, now=clock.now()):
        raise Refusal("name_taken", f"The name {name!r}, or one that looks like it, is taken.")
    FormerName.objects.filter(queries.like(name)).delete()
    if former and not _alike(former, name):
        _keep(former, player=None if by_staff else player)


def _added(player: Player) -> bool:
    """Store a new player; return False if the name is taken.

    Without an error, since PostgreSQL would write the refused row into its log.
    """
    Player.objects.bulk_create([player], ignore_conflicts=True)
    return Player.objects.filter(pk=player.pk).exists()


def _renamed(player: Player) -> bool:
    """Store a player's new name; return False if it is taken.

    Looked for first, for the same reason. The constraint decides between two renames at once.
    """
    if Player.objects.filter(queries.like(player.name)).exclude(pk=player.pk).exists():
        return False
    try:
        with transaction.atomic():
            player.save(update_fields=NAMING)
    except IntegrityError:
        return False
    return True


def _alike(one: str, other: str) -> bool:
    return names.key(one) == names.key(other) or (
        lookalikes.skeleton(one) == lookalikes.skeleton(other)
    )


def _set_name(player: Player, name: str) -> None:
    if player.name:
        NameChanges.objects.update(count=F("count") + 1)
    player.name, player.name_key = name, names.key(name)
    player.skeleton = lookalikes.skeleton(name)


def _keep(name: str, *, player: Player | None) -> None:
    """Reserve a former name. Raises Refusal `forbidden` after too many renames."""
    if player and queries.names_given_up(player).count() >= RENAMES:
        raise Refusal("forbidden", f"The name was changed {RENAMES} times in 90 days.")
    kept = FormerName(
        player=player,
        name_key=names.key(name),
        skeleton=lookalikes.skeleton(name),
        freed_at=clock.now(),
    )
    # There is one already where two looked alike before look-alikes were told apart.
    FormerName.objects.bulk_create(
        [kept],
        update_conflicts=True,
        unique_fields=["skeleton"],
        update_fields=["player", "name_key", "freed_at"],
    )


def _proven(player_id: UUID, password: str) -> Player:
    """Return the player if the password is right. Too slow to run under a lock."""
    player = queries.player(player_id)
    if player.guest:
        raise Refusal("forbidden", "A guest has no password. Claim the account to set one.")
    if passwords.check(password, player.password) is None:
        raise _wrong("The password is wrong.")
    return player


def _locked(player_id: UUID, *, password: str) -> Player:
    """Lock the player if its password is still the one that was checked."""
    player = queries.lock_player_with(player_id, password=password)
    if player is None:
        raise _wrong("The password has just been changed.")
    return player


def _check_guest(player: Player) -> None:
    if not player.guest:
        raise Refusal("already_claimed", "The account has its password already.")


def _wrong(detail: str) -> Refusal:
    return Refusal("invalid_credentials", detail)
