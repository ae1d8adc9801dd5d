"""Challenges, how hard their weekdays are to be, and the deals that are made for them."""

from datetime import date

from django.db import models
from django.db.models import Q

from games import engine
from games.solver.difficulty import Difficulty


class Challenge(models.Model):
    """A rule set on offer, with a deal for every day. Changes touch only deals not yet made."""

    id = models.SlugField(primary_key=True, max_length=40)
    title = models.CharField(max_length=80)
    list_order = models.PositiveSmallIntegerField(unique=True, help_text="in lists, from 1")
    rows = models.PositiveSmallIntegerField()
    decks = models.PositiveSmallIntegerField()
    passes = models.PositiveSmallIntegerField()
    stock_top = models.BooleanField(help_text="the top card of the stock lies face up, in play")
    outside_pairs = models.BooleanField(help_text="waste and stock may pair with each other")
    goal = models.CharField(max_length=7, choices=[("pyramid", "pyramid"), ("all", "all cards")])
    undo_penalty_ms = models.PositiveIntegerField(
        default=10_000, help_text="ms that each undo adds to the ranked time"
    )
    paused_from = models.DateField(
        null=True, blank=True, help_text="from this day on no deal is made or offered"
    )

    class Meta:
        ordering = ["list_order"]
        permissions = [
            ("pause_challenge", "Can pause and resume challenges"),
            ("write_deal", "Can write deals of coming days by hand"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(decks__in=[1, 2]), name="challenge_decks"),
            models.CheckConstraint(condition=Q(passes__range=(1, 99)), name="challenge_passes"),
            # A board's exact keys rest on this bound: 10 minutes x 10,000 undos.
            models.CheckConstraint(
                condition=Q(undo_penalty_ms__lte=600_000), name="challenge_undo_penalty"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def rules(self) -> engine.Rules:
        return engine.Rules(
            rows=self.rows,
            decks=self.decks,
            passes=self.passes,
            stock_top=self.stock_top,
            outside_pairs=self.outside_pairs,
            goal="all" if self.goal == "all" else "pyramid",
            undo_penalty_ms=self.undo_penalty_ms,
        )

    def paused_on(self, day: date) -> bool:
        """Whether the challenge has no deal on that day."""
        return self.paused_from is not None and day >= self.paused_from


DIFFICULTIES = [(tier.value, tier.value) for tier in Difficulty]


class WeekdayTarget(models.Model):
    """How hard the deals of a challenge are to be on one day of the week."""

    class Weekday(models.IntegerChoices):
        MONDAY = 0
        TUESDAY = 1
        WEDNESDAY = 2
        THURSDAY = 3
        FRIDAY = 4
        SATURDAY = 5
        SUNDAY = 6

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="targets")
    weekday = models.PositiveSmallIntegerField(choices=Weekday.choices)
    difficulty = models.CharField(max_length=6, choices=DIFFICULTIES)

    class Meta:
        ordering = ["challenge", "weekday"]
        constraints = [
            models.UniqueConstraint(fields=["challenge", "weekday"], name="one_target_a_weekday"),
            models.CheckConstraint(
                condition=Q(weekday__range=(0, 6)), name="target_weekday_is_one_of_seven"
            ),
            models.CheckConstraint(
                condition=Q(difficulty__in=[tier.value for tier in Difficulty]),
                name="target_difficulty",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.challenge_id} on {self.get_weekday_display()}: {self.difficulty}"
