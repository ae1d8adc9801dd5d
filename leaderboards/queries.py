"""Which results count, and every row lock. Whether a result counts is for its verdicts to say."""

from collections.abc import Sequence
from uuid import UUID, uuid4

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from leaderboards.models import Group, Period, Result, Tally, Verdict

DISQUALIFIED = Coalesce(
    Subquery(
        Verdict.objects.filter(result=OuterRef("pk")).order_by("-number").values("disqualified")[:1]
    ),
    False,
)
"""Of a result: what its last verdict says."""


def qualified() -> "QuerySet[Result]":
    """All results but the disqualified and those of void deals."""
    return Result.objects.exclude(DISQUALIFIED).exclude(deal__tally__void=True)


def recorded(deal_id: int, *, clean: bool) -> "QuerySet[Result]":
    """Every result of a deal, or every one without undo, the disqualified included."""
    results = Result.objects.filter(deal=deal_id)
    return results.filter(undo_count=0) if clean else results


def disqualified(deal_id: int, *, clean: bool) -> "QuerySet[Result]":
    """Those of a deal that are on no board now. Found by their verdicts, which are few."""
    judged = Verdict.objects.filter(deal=deal_id).values("result")
    return recorded(deal_id, clean=clean).filter(DISQUALIFIED, pk__in=judged)


def on_board(deal_id: int, *, clean: bool, group_id: UUID | None) -> "QuerySet[Result]":
    """The results on a board, or those of a group's members on it."""
    results = recorded(deal_id, clean=clean).exclude(DISQUALIFIED)
    return results.filter(player__memberships__group=group_id) if group_id else results


def lock_tally(deal_id: int) -> Tally:
    """Lock the tally of a deal, made where there is none, until the transaction ends."""
    Tally.objects.bulk_create([Tally(deal_id=deal_id, key=uuid4().hex)], ignore_conflicts=True)
    return Tally.objects.select_for_update().get(pk=deal_id)


def lock_final_tally(deal_id: int) -> bool:
    """Lock the tally of a deal to be counted; False if it is not final, void or locked already."""
    final = Tally.objects.filter(pk=deal_id, final_at__isnull=False, void=False)
    return bool(final.select_for_update(skip_locked=True))


def lock_period(period_id: int) -> Period:
    """Lock one period until the transaction ends."""
    return Period.objects.select_for_update().get(pk=period_id)


def lock_periods(challenge: str, names: Sequence[str]) -> list[Period]:
    """Lock the named periods, made where missing, in primary-key order to avoid deadlock."""
    Period.objects.bulk_create(
        (Period(challenge=challenge, name=name) for name in names), ignore_conflicts=True
    )
    found = Period.objects.filter(challenge=challenge, name__in=names).order_by("pk")
    return list(found.select_for_update())


def lock_group(group_id: UUID) -> Group | None:
    """Lock a group until the transaction ends; None if it is gone."""
    return Group.objects.select_for_update().filter(pk=group_id).first()


def lock_group_of_code(code: str) -> Group | None:
    """Lock the group that a code lets in, until the transaction ends; None for an unknown code."""
    return Group.objects.select_for_update().filter(code=code).first()


def lock_groups_of(player_id: UUID) -> list[Group]:
    """Lock all groups of a player, in primary-key order to avoid deadlock."""
    own = Group.objects.filter(memberships__player=player_id).order_by("pk")
    return list(own.select_for_update(of=("self",)))
