"""What is stored of the game: challenges, deals, attempts at them and their logs."""

from datetime import datetime, timedelta
from functools import lru_cache
from uuid import uuid4

from django.db import models
from django.db.models import F, Q

from games import engine
from games.solver.difficulty import Difficulty
from players.models import Player
from pyramid_site import clock


class Challenge(models.Model):
    """A rule set on offer, with a deal for every day. Changes touch only deals not yet made."""

    id = models.SlugField(primary_key=True, max_length=40)
    title = models.CharField(max_length=80)
    place = models.PositiveSmallIntegerField(unique=True, help_text="in lists, from 1")
    rows = models.PositiveSmallIntegerField()
    decks = models.PositiveSmallIntegerField()
    passes = models.PositiveSmallIntegerField()
    stock_top = models.BooleanField(help_text="the top card of the stock lies face up, in play")
    outside_pairs = models.BooleanField(help_text="waste and stock may pair with each other")
    goal = models.CharField(max_length=7, choices=[("pyramid", "pyramid"), ("all", "all cards")])
    undo_penalty_ms = models.PositiveIntegerField(
        default=10_000, help_text="ms that each undo adds to the ranked time"
    )

    class Meta:
        ordering = ["place"]
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


OPEN_FOR = timedelta(days=1)  # a deal takes starts from the midnight of its day
GRACE = timedelta(hours=2)  # play begun before then may go on

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


class DealMaking(models.Model):
    """How far the making of a deal has come: candidates tried, and what was wrong with them."""

    class Outcome(models.TextChoices):
        """How it ended."""

        MADE = "made"
        HOPELESS = "no candidate can be won"

    date = models.DateField()
    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="makings")
    target = models.CharField(max_length=6, choices=DIFFICULTIES)
    started_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    tried = models.PositiveIntegerField(default=0)
    unwinnable = models.PositiveIntegerField(default=0)
    undecided = models.PositiveIntegerField(default=0)
    other_tier = models.PositiveIntegerField(default=0, help_text="winnable, but easier or harder")
    outcome = models.CharField(max_length=24, choices=Outcome.choices, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["date", "challenge"], name="one_making_a_deal"),
        ]

    def __str__(self) -> str:
        state = self.outcome or "searching"
        return f"{self.date} {self.challenge_id}, {self.target}: {state}, {self.tried} tried"


class DailyDeal(models.Model):
    """The deal of one challenge for one day, certified winnable. Written once, never changed.

    The rules are the deal's own copy. `cards` and all below it are secret until the seal.
    """

    date = models.DateField()
    challenge = models.ForeignKey(Challenge, on_delete=models.PROTECT, related_name="deals")
    rules_line = models.CharField(max_length=200)
    shuffle_id = models.CharField(max_length=40)
    solver_id = models.CharField(max_length=80)
    target = models.CharField(max_length=6, choices=DIFFICULTIES, null=True)  # noqa: DJ001
    difficulty = models.CharField(max_length=6, choices=DIFFICULTIES, null=True)  # noqa: DJ001
    made_at = models.DateTimeField()
    cards = models.CharField(max_length=250, help_text="the deal line")
    seed = models.BinaryField(max_length=32)
    k = models.PositiveIntegerField(help_text="which candidate of the seed")
    winning_line = models.TextField(help_text="a log that clears the deal")
    wins = models.PositiveIntegerField(null=True, help_text="of 20,000 random games")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["date", "challenge"], name="one_deal_a_day"),
        ]
        permissions = [("view_secrets", "Can see the secrets of deals before their seal")]

    def __str__(self) -> str:
        return f"{self.challenge_id} of {self.date}"

    @property
    def rules(self) -> engine.Rules:
        return _parsed(self.rules_line, self.cards)[0]

    @property
    def deal(self) -> engine.Deal:
        return _parsed(self.rules_line, self.cards)[1]

    @property
    def opens_at(self) -> datetime:
        return clock.midnight(self.date)

    @property
    def closes_at(self) -> datetime:
        """When starts end; play already begun goes on."""
        return self.opens_at + OPEN_FOR

    @property
    def seals_at(self) -> datetime:
        """When play ends."""
        return self.closes_at + GRACE

    @property
    def sealed(self) -> bool:
        """Its results are final and its secrets public."""
        return hasattr(self, "seal")


@lru_cache(maxsize=64)
def _parsed(rules_line: str, cards: str) -> tuple[engine.Rules, engine.Deal]:
    rules = engine.parse_rules(rules_line)
    return rules, engine.parse_deal(cards, rules)


class Seal(models.Model):
    """A deal's end: its results are final and its secrets public."""

    deal = models.OneToOneField(
        DailyDeal, on_delete=models.PROTECT, primary_key=True, related_name="seal"
    )
    sealed_at = models.DateTimeField()
    players = models.PositiveIntegerField(help_text="ranked attempts")
    cleared = models.PositiveIntegerField(help_text="ranked attempts that cleared the deal")

    def __str__(self) -> str:
        return f"seal of deal {self.pk}"


class AttemptStatus(models.TextChoices):
    """How an attempt stands. Stuck is no status: undo is still open."""

    ACTIVE = "active"
    CLEARED = "cleared"
    RESIGNED = "resigned"
    EXPIRED = "expired"


class Attempt(models.Model):
    """One player's play of one deal: a log, told by its length, its line and its counts.

    Ranked attempts began on the deal's day; those begun after the seal are practice.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    deal = models.ForeignKey(DailyDeal, on_delete=models.PROTECT, related_name="attempts")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="attempts")
    ranked = models.BooleanField()
    status = models.CharField(
        max_length=8, choices=AttemptStatus.choices, default=AttemptStatus.ACTIVE
    )
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    ply = models.PositiveIntegerField(default=0, help_text="moves in the log, undos included")
    undo_count = models.PositiveIntegerField(default=0)
    seen = models.PositiveSmallIntegerField(help_text="stock cards that were ever shown")
    elapsed_ms = models.PositiveBigIntegerField(
        default=0, help_text="from the start to the last move, or to the end of the attempt"
    )
    line = models.TextField(blank=True, help_text="the moves that stand after the undos")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["deal", "player"], condition=Q(ranked=True), name="one_ranked_attempt"
            ),
            models.UniqueConstraint(
                fields=["deal", "player"],
                condition=Q(ranked=False, status="active"),
                name="one_open_practice",
            ),
            models.CheckConstraint(
                condition=Q(status="active", finished_at=None)
                | ~Q(status="active") & Q(finished_at__isnull=False),
                name="attempt_ends_once",
            ),
            models.CheckConstraint(
                condition=Q(ply__lte=engine.MAX_LOG) & Q(ply__gte=F("undo_count") * 2),
                name="attempt_counts_its_log",
            ),
            models.CheckConstraint(
                condition=Q(status__in=AttemptStatus.values), name="attempt_status"
            ),
        ]
        indexes = [
            models.Index(fields=["player", "started_at", "id"], name="attempts_of_a_player"),
            models.Index(fields=["deal", "status"], name="attempts_at_a_deal"),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def expires_at(self) -> datetime | None:
        return self.deal.seals_at if self.ranked else None

    def status_at(self, now: datetime) -> AttemptStatus:
        """The status, expired from the very ms on, whenever the sweep comes by."""
        if self.status == AttemptStatus.ACTIVE and self.expires_at and now >= self.expires_at:
            return AttemptStatus.EXPIRED
        return AttemptStatus(self.status)

    def finished_by(self, now: datetime) -> datetime | None:
        """When the attempt ended, if it has."""
        return self.expires_at if self._expired_unswept(now) else self.finished_at

    def elapsed_at(self, now: datetime) -> int:
        """ms from the start to `now` or to the end; never less than it was before."""
        if self.status != AttemptStatus.ACTIVE:
            return self.elapsed_ms
        end = self.finished_by(now) or now
        return max(self.elapsed_ms, clock.ms_between(self.started_at, end))

    def _expired_unswept(self, now: datetime) -> bool:
        return self.status_at(now) != self.status

    @property
    def game(self) -> engine.Game:
        """The game as the log left it."""
        rules = self.deal.rules
        return engine.Game.resume(
            self.deal.deal,
            rules,
            line=engine.parse_log(self.line, rules),
            ply=self.ply,
            undo_count=self.undo_count,
            seen=self.seen,
        )


class LoggedMove(models.Model):
    """One move of an attempt's log, undos included. Appended, never changed."""

    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, related_name="log")
    number = models.PositiveSmallIntegerField(help_text="from 1, without gaps")
    move = models.CharField(max_length=4)
    at_ms = models.PositiveBigIntegerField(help_text="ms from the start of the attempt")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["attempt", "number"], name="one_move_a_number"),
            models.CheckConstraint(
                condition=Q(number__range=(1, engine.MAX_LOG)), name="log_is_bounded"
            ),
        ]

    def __str__(self) -> str:
        return f"move {self.number} of {self.attempt_id}"
