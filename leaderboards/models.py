"""Results and their ranks. Nothing here knows of Pyramid: a deal is only what results share."""

from uuid import uuid4

from django.db import models
from django.db.models import F, Q

from players.models import Player


class Result(models.Model):
    """One player's finish of one deal: a whole attempt, never the best parts of two.

    Ranked by `ranked_ms`, then by `undo_count`; equal on both is an equal rank.
    """

    attempt_id = models.UUIDField(primary_key=True, editable=False)
    deal = models.ForeignKey("games.DailyDeal", on_delete=models.PROTECT, related_name="results")
    number = models.PositiveIntegerField(help_text="of the change that put it on the board")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="results")
    ranked_ms = models.PositiveBigIntegerField(help_text="elapsed time and undo penalties")
    undo_count = models.PositiveIntegerField()
    elapsed_ms = models.PositiveBigIntegerField()
    ply = models.PositiveIntegerField()
    finished_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["deal", "player"], name="one_result_a_player"),
            models.UniqueConstraint(fields=["deal", "number"], name="one_result_a_change"),
            models.CheckConstraint(
                condition=Q(ranked_ms__gte=F("elapsed_ms")), name="penalties_only_add"
            ),
        ]
        indexes = [
            # The order of the boards, unique by the player at its end.
            models.Index(
                fields=["deal", "ranked_ms", "undo_count", "player"], name="board_overall"
            ),
            models.Index(
                fields=["deal", "ranked_ms", "undo_count", "player"],
                condition=Q(undo_count=0),
                name="board_clean",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ranked_ms} ms by {self.player_id}"


class Verdict(models.Model):
    """What staff decided about a result: off its boards, or on them again. The last one counts."""

    deal = models.ForeignKey("games.DailyDeal", on_delete=models.PROTECT, related_name="verdicts")
    number = models.PositiveIntegerField(help_text="of the change to the deal's boards")
    result = models.ForeignKey(Result, on_delete=models.PROTECT, related_name="verdicts")
    disqualified = models.BooleanField()
    by_id = models.PositiveBigIntegerField(help_text="the member of staff")
    by_name = models.CharField(max_length=150)
    why = models.TextField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["deal", "number"], name="one_verdict_a_change"),
            models.CheckConstraint(condition=~Q(why=""), name="verdict_has_a_reason"),
        ]
        indexes = [models.Index(fields=["result", "-number"], name="last_verdict")]

    def __str__(self) -> str:
        did = "disqualified" if self.disqualified else "reinstated"
        return f"{did} by {self.by_name}: {self.why}"


class Tally(models.Model):
    """How many results are on the boards of a deal, and how often these have changed.

    Written in the transaction of each change, which takes its number from `version`. `key` names
    the copies of the boards outside of the database, and those of no other database.
    """

    deal = models.OneToOneField(
        "games.DailyDeal", on_delete=models.PROTECT, primary_key=True, related_name="tally"
    )
    key = models.CharField(max_length=32, unique=True)
    version = models.PositiveIntegerField(default=0)
    overall = models.PositiveIntegerField(default=0)
    clean_results = models.PositiveIntegerField(default=0)
    disqualified = models.PositiveIntegerField(default=0, help_text="on no board")
    final_at = models.DateTimeField(null=True, help_text="when the ranks were written")
    void = models.BooleanField(
        default=False, db_default=False, help_text="its results are on no board"
    )

    class Meta:
        verbose_name_plural = "tallies"
        constraints = [
            models.CheckConstraint(
                condition=Q(clean_results__lte=F("overall")), name="clean_results_are_of_all"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.overall} results of deal {self.pk}"


class Standing(models.Model):
    """The rank of a result when its deal was sealed, the disqualified counted too. Written once."""

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


class CountedDay(models.Model):
    """A sealed deal whose results are on the boards of its week, its month and all time."""

    deal = models.OneToOneField(
        "games.DailyDeal", on_delete=models.PROTECT, primary_key=True, related_name="counted"
    )
    challenge = models.CharField(max_length=40)
    date = models.DateField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["challenge", "date"], name="one_counted_day"),
        ]

    def __str__(self) -> str:
        return f"{self.challenge} of {self.date}"


class Period(models.Model):
    """A week (`2026-W48`), a month (`2026-11`) or all time of a challenge, and its board's size."""

    challenge = models.CharField(max_length=40)
    name = models.CharField(max_length=8)
    version = models.PositiveIntegerField(default=0, help_text="goes up with each change")
    players = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["challenge", "name"], name="one_period_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.challenge}, {self.name}"


class PeriodScore(models.Model):
    """What a player did in a period: ranked by the most days cleared, then the least time."""

    period = models.ForeignKey(Period, on_delete=models.CASCADE, related_name="scores")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    minus_days = models.IntegerField(help_text="days cleared, negative: so less is better in all")
    ranked_ms = models.PositiveBigIntegerField(help_text="of all these days together")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["period", "player"], name="one_score_a_period"),
            models.CheckConstraint(condition=Q(minus_days__lt=0), name="a_score_has_days"),
        ]
        indexes = [
            models.Index(
                fields=["period", "minus_days", "ranked_ms", "player"], name="board_of_a_period"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.days_cleared} days by {self.player_id}"

    @property
    def days_cleared(self) -> int:
        return -self.minus_days


class Group(models.Model):
    """Players who see themselves ranked among each other. Whoever knows the code may join."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    name = models.CharField(max_length=24)
    code = models.CharField(max_length=12, unique=True)
    owner = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    version = models.PositiveIntegerField(default=0, help_text="goes up with each coming and going")

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A player in a group."""

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="memberships")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="memberships")
    joined_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["group", "player"], name="one_membership_a_group"),
        ]
        indexes = [models.Index(fields=["group", "joined_at", "player"], name="members_of_a_group")]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.group_id}"
