"""Attempts at deals, and their logs."""

from datetime import datetime, timedelta
from uuid import uuid4

from django.db import models
from django.db.models import F, Q

from games import engine
from games.models.deals import DailyDeal
from players.models import Player
from pyramid_site import clock


class AttemptStatus(models.TextChoices):
    """How an attempt stands. Stuck is no status: undo is still open."""

    ACTIVE = "active"
    CLEARED = "cleared"
    RESIGNED = "resigned"
    EXPIRED = "expired"


class Attempt(models.Model):
    """One player's play of one deal: a log, told by its length, its line and its counts.

    A daily attempt began on the deal's day and is its player's only one, ranked or not; those
    begun after the seal are practice.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    deal = models.ForeignKey(DailyDeal, on_delete=models.PROTECT, related_name="attempts")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="attempts")
    daily = models.BooleanField(default=True, help_text="begun on the day of the deal")
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
    clock_stepped = models.BooleanField(
        default=False, help_text="the server's clock was set back while it was played"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["deal", "player"], condition=Q(daily=True), name="one_daily_attempt"
            ),
            models.CheckConstraint(
                condition=Q(ranked=False) | Q(daily=True), name="ranked_attempt_is_daily"
            ),
            models.CheckConstraint(
                condition=Q(finished_at=None) | Q(finished_at__gte=F("started_at")),
                name="attempt_ends_after_its_start",
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
            # What is rare among a million is found without looking at all of them.
            models.Index(fields=["deal"], condition=Q(status="active"), name="open_attempts"),
            models.Index(fields=["deal"], condition=Q(ranked=False), name="unranked_attempts"),
            models.Index(fields=["deal"], condition=Q(clock_stepped=True), name="stepped_attempts"),
        ]
        permissions = [
            ("disqualify_attempt", "Can disqualify and reinstate attempts"),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def expires_at(self) -> datetime | None:
        return self.deal.seals_at if self.ranked else None

    @property
    def last_at(self) -> datetime:
        """The instant of the last move, of the end, or of the start: as far as its time has run."""
        return self.started_at + timedelta(milliseconds=self.elapsed_ms)

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

    # The index of the numbers begins with the attempt: a second one would only cost each move.
    attempt = models.ForeignKey(
        Attempt, on_delete=models.PROTECT, related_name="log", db_index=False
    )
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
