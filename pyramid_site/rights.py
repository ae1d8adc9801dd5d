"""Who of the staff may change whose rights: nobody his own, or those of who holds more."""

from typing import Any

from django.contrib.auth.models import Group, Permission, User
from django.db.models import Q, QuerySet


def permissions_of(user: Any) -> "QuerySet[Permission]":
    """What a member of staff holds, and so may grant; a superuser everything."""
    if user.is_superuser:
        return Permission.objects.all()
    # Each by a subquery: a join would give a permission twice.
    own = Permission.objects.filter(user=user.pk).values("pk")
    by_group = Permission.objects.filter(group__user=user.pk).values("pk")
    return Permission.objects.filter(Q(pk__in=own) | Q(pk__in=by_group))


def groups_of(user: Any) -> "QuerySet[Group]":
    """The groups that hold nothing that a member of staff does not hold, and so may grant."""
    if user.is_superuser:
        return Group.objects.all()
    beyond = Permission.objects.exclude(pk__in=permissions_of(user).values("pk"))
    return Group.objects.exclude(permissions__in=beyond)


def may_change_user(user: Any, other: User) -> bool:
    """Whether `other` is somebody else who holds no more."""
    if user.is_superuser or user.pk == other.pk:
        return bool(user.pk != other.pk)
    held = permissions_of(user).values("pk")
    return not other.is_superuser and not permissions_of(other).exclude(pk__in=held).exists()


def may_change_group(user: Any, group: Group) -> bool:
    """Whether the group holds no more, and none of its rights are the user's own."""
    return (
        not group.user_set.filter(pk=user.pk).exists()
        and groups_of(user).filter(pk=group.pk).exists()
    )
