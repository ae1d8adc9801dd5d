"""Groups of players: made, joined by a code, left."""

import secrets
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from leaderboards import queries
from leaderboards.models import Group, Membership
from players import names
from players.queries import lock_player
from pyramid_site import clock
from pyramid_site.refusals import Refusal, not_found

MEMBERS = 100  # at most, in a group
GROUPS = 50  # at most, of a player
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # no two of them look alike
CODE = 10  # letters: 2^49 codes


@transaction.atomic
def make(*, name: str, owner_id: UUID) -> Group:
    """A new group with its owner in it.

    Raises Refusal `invalid_request` for what is no name, `forbidden` for one group too many.
    """
    group = Group(name=names.cleaned(name), code=_code(), owner_id=owner_id, created_at=clock.now())
    group.save(force_insert=True)
    _admit(group, owner_id)
    return group


@transaction.atomic
def join(*, code: str, player_id: UUID) -> Group:
    """The group of a code, with the player in it; joining again changes nothing.

    Raises Refusal `not_found`, and `forbidden` where there is no room.
    """
    group = queries.lock_group_of_code(code.strip().upper())
    if group is None:
        raise not_found("group")
    if not _members(group).filter(player=player_id).exists():
        _admit(group, player_id)
    return group


@transaction.atomic
def renew_code(*, group_id: UUID, player_id: UUID) -> Group:
    """The group with a new code; the old one lets nobody in. Raises `not_found`, `forbidden`."""
    group = _locked(group_id, player_id)
    if group.owner_id != player_id:
        raise Refusal("forbidden", "Only the owner of the group may change its code.")
    group.code = _code()
    group.save(update_fields=["code"])
    return group


@transaction.atomic
def remove(*, group_id: UUID, member_id: UUID, by_id: UUID) -> None:
    """Takes a member out: oneself, or as the owner anyone. Raises `not_found`, `forbidden`.

    Who is removed knows the code, which therefore changes; who leaves may come back by it.
    """
    group = _locked(group_id, by_id)
    if by_id not in (member_id, group.owner_id):
        raise Refusal("forbidden", "Only the owner of the group may remove others.")
    if not _members(group).filter(player=member_id).exists():
        raise not_found("member")
    if member_id != by_id:
        group.code = _code()
    _remove(group, member_id)


@transaction.atomic
def leave_all(*, player_id: UUID) -> None:
    """Takes a player out of all groups."""
    for group in queries.lock_groups_of(player_id):
        _remove(group, player_id)


def seen_by(*, group_id: UUID, player_id: UUID) -> Group:
    """A group, for its members. Raises Refusal `not_found` for others."""
    group = of_player(player_id).filter(pk=group_id).first()
    if group is None:
        raise not_found("group")
    return group


def of_player(player_id: UUID) -> "QuerySet[Group]":
    """The groups that a player is in."""
    return Group.objects.filter(memberships__player=player_id)


def memberships_of(player_id: UUID) -> "QuerySet[Membership]":
    """When a player came into which group, oldest first."""
    return Membership.objects.filter(player=player_id).select_related("group").order_by("pk")


def members(group: Group) -> list[Membership]:
    """The first who joined first."""
    return list(_members(group).select_related("player").order_by("joined_at", "player"))


def _members(group: Group) -> "QuerySet[Membership]":
    return Membership.objects.filter(group=group)


def _locked(group_id: UUID, player_id: UUID) -> Group:
    seen_by(group_id=group_id, player_id=player_id)
    group = queries.lock_group(group_id)
    if group is None or not _members(group).filter(player=player_id).exists():
        raise not_found("group")
    return group


def _admit(group: Group, player_id: UUID) -> None:
    """Lets a player in, whose row is locked while the groups are counted. The group is locked."""
    lock_player(player_id)
    if _members(group).count() >= MEMBERS:
        raise Refusal("forbidden", f"The group is full: it has {MEMBERS} members.")
    if of_player(player_id).count() >= GROUPS:
        raise Refusal("forbidden", f"You are in {GROUPS} groups. Leave one of them first.")
    Membership.objects.create(group=group, player_id=player_id, joined_at=clock.now())
    _has_changed(group)


def _remove(group: Group, player_id: UUID) -> None:
    """An owner who goes is followed by the member of longest standing. The group is locked."""
    _members(group).filter(player=player_id).delete()
    rest = members(group)
    if not rest:
        group.delete()
        return
    if group.owner_id == player_id:
        group.owner = rest[0].player
    _has_changed(group)


def _has_changed(group: Group) -> None:
    group.version += 1
    group.save(update_fields=["version", "owner", "code"])


def _code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(CODE))
