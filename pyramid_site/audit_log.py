"""The audit log: what members of staff did, in rows that nobody can change."""

from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Model

from pyramid_site import clock
from pyramid_site.models import AuditEntry


@dataclass(frozen=True, slots=True)
class Staff:
    """A member of staff, by id and by the name at the time."""

    id: int
    name: str


def staff(user: AbstractBaseUser | AnonymousUser) -> Staff:
    """Who a signed-in Django user is."""
    return Staff(int(str(user.pk)), user.get_username())


def record(*, by: Staff, act: str, on: Model, why: str) -> None:
    """Writes down an act. Part of the transaction that does it.

    A row with a `lasting_name` is called by that: the log keeps what a deletion has to take away.
    """
    meta: Any = on._meta  # noqa: SLF001 Django's documented Meta API
    AuditEntry.objects.create(
        at=clock.now(),
        by_id=by.id,
        by_name=by.name,
        act=act,
        model=meta.label_lower,
        key=str(on.pk),
        subject=str(getattr(on, "lasting_name", on))[:200],
        why=why,
    )


def row_of(entry: AuditEntry) -> Model | None:
    """What an act was done to, if it is still there."""
    try:
        found: Model | None = apps.get_model(entry.model).objects.filter(pk=entry.key).first()
    except LookupError:  # of a model that is no more
        return None
    return found
