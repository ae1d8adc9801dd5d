"""Results and their ranks. Nothing here knows of Pyramid: a deal is only what results share."""

from django.db import models

from players.models import Player


class Result(models.Model):
    """One player's finish of one deal: a whole attempt, never the best parts of two.

    Ranked by `ranked_ms`, then by `undo_count`; equal on both is an equal rank.
    """

    attempt_id = models.UUIDField(primary_key=True, editable=False)
    deal = models.ForeignKey("games.DailyDeal", on_delete=models.PROTECT, related_name="results")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="results")
    ranked_ms = models.PositiveBigIntegerField(help_text="elapsed time and undo penalties")
    undo_count = models.PositiveIntegerField()
    elapsed_ms = models.PositiveBigIntegerField()
    ply = models.PositiveIntegerField()
    finished_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["deal", "player"], name="one_result_a_player"),
            models.CheckConstraint(
                condition=models.Q(ranked_ms__gte=models.F("elapsed_ms")),
                name="penalties_only_add",
            ),
        ]
        indexes = [
            # The order of the boards, unique by the player at its end.
            models.Index(
                fields=["deal", "ranked_ms", "undo_count", "player"], name="board_overall"
            ),
            models.Index(
                fields=["deal", "ranked_ms", "undo_count", "player"],
                condition=models.Q(undo_count=0),
                name="board_clean",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ranked_ms} ms by {self.player_id}"


class Standing(models.Model):
    """The final rank of a result, written once when its deal is sealed."""

    result = models.OneToOneField(
        Result, on_delete=models.PROTECT, primary_key=True, related_name="standing"
    )
    rank = models.PositiveIntegerField()
    clean_rank = models.PositiveIntegerField(null=True, help_text="among those without an undo")

    def __str__(self) -> str:
        return f"rank {self.rank}"

    def on(self, *, clean: bool) -> int:
        """The rank among all, or among those without an undo, which this result must be of."""
        if not clean:
            return self.rank
        if self.clean_rank is None:
            raise ValueError(f"{self.pk} has undos and no rank on the clean board")
        return self.clean_rank
