"""What staff see of the boards."""

from django.contrib import admin

from leaderboards.models import Result, Standing
from players.admin import FoundByName
from pyramid_site.admin import ReadOnlyAdmin


@admin.register(Result)
class ResultAdmin(FoundByName, ReadOnlyAdmin):
    list_display = ("deal", "player", "final_rank", "ranked_ms", "undo_count", "elapsed_ms")
    list_select_related = ("deal", "player", "standing")
    fields = (
        "attempt_id", "deal", "player", "final_rank", "ranked_ms", "undo_count", "elapsed_ms",
        "ply", "finished_at",
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
