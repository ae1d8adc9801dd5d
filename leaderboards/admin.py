"""What staff see of the boards."""

from django.contrib import admin

from leaderboards.models import (
    CountedDay,
    Group,
    Membership,
    Period,
    PeriodScore,
    Result,
    Standing,
    Tally,
    Verdict,
)
from players.admin import FoundByName
from pyramid_site.admin import ReadOnlyAdmin


@admin.register(Result)
class ResultAdmin(FoundByName, ReadOnlyAdmin):
    list_display = ("deal", "player", "final_rank", "ranked_ms", "undo_count", "elapsed_ms")
    list_select_related = ("deal", "player", "standing")
    fields = (
        "attempt_id", "deal", "number", "player", "final_rank", "ranked_ms", "undo_count",
        "elapsed_ms", "ply", "finished_at",
    )  # fmt: skip
    ordering = ("-deal_id", "ranked_ms", "undo_count", "player_id")
    linked_by = ("deal", "player")
    searched_ids = ("attempt_id", "player")

    @admin.display
    def final_rank(self, result: Result) -> str:
        return str(result.standing.rank) if hasattr(result, "standing") else "not sealed"


@admin.register(Standing)
class StandingAdmin(ReadOnlyAdmin):
    list_display = ("result", "rank", "clean_rank")
    list_select_related = ("result",)
    fields = ("result", "rank", "clean_rank")


@admin.register(Verdict)
class VerdictAdmin(ReadOnlyAdmin):
    list_display = ("at", "result", "disqualified", "by_name", "why")
    list_select_related = ("result",)
    fields = ("deal", "result", "disqualified", "by_name", "by_id", "why", "at", "number")
    ordering = ("-id",)
    linked_by = ("deal", "result")


@admin.register(Tally)
class TallyAdmin(ReadOnlyAdmin):
    list_display = ("deal", "overall", "clean_results", "disqualified", "version", "final_at")
    list_select_related = ("deal",)
    fields = (*list_display, "key")
    ordering = ("-deal_id",)


@admin.register(CountedDay)
class CountedDayAdmin(ReadOnlyAdmin):
    list_display = ("date", "challenge", "deal")
    list_select_related = ("deal",)
    fields = list_display
    ordering = ("-deal_id",)


@admin.register(Period)
class PeriodAdmin(ReadOnlyAdmin):
    list_display = ("challenge", "name", "players", "version")
    fields = list_display
    ordering = ("-id",)


@admin.register(PeriodScore)
class PeriodScoreAdmin(FoundByName, ReadOnlyAdmin):
    list_display = ("period", "player", "days_cleared", "ranked_ms")
    list_select_related = ("period", "player")
    fields = list_display
    ordering = ("-period_id", "minus_days", "ranked_ms", "player_id")
    linked_by = ("period", "player")


@admin.register(Group)
class GroupAdmin(ReadOnlyAdmin):
    """Without the codes: staff join no groups."""

    list_display = ("name", "owner", "created_at")
    list_select_related = ("owner",)
    fields = ("id", "name", "owner", "created_at", "version")
    ordering = ("-created_at", "-id")


@admin.register(Membership)
class MembershipAdmin(FoundByName, ReadOnlyAdmin):
    list_display = ("group", "player", "joined_at")
    list_select_related = ("group", "player")
    fields = list_display
    ordering = ("-id",)
    linked_by = ("group", "player")
