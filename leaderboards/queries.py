"""Which results count. A result is never changed: whether it counts is for its verdicts to say."""

from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from leaderboards.models import Result, Verdict

DISQUALIFIED = Coalesce(
    Subquery(
        Verdict.objects.filter(result=OuterRef("pk")).order_by("-number").values("disqualified")[:1]
    ),
    False,
)
"""Of a result: what its last verdict says."""


def qualified() -> "QuerySet[Result]":
    """All results but the disqualified."""
    return Result.objects.exclude(DISQUALIFIED)


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
