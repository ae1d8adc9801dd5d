"""Deals that are being made, and those that operators order."""

from django.db import models
from django.db.models import Q

from games.models.challenges import DIFFICULTIES, Challenge


class MakingOutcome(models.TextChoices):
    """How the making of a deal ended."""

    MADE = "made"
    HOPELESS = "no candidate can be won"


class DealMaking(models.Model):
    """How far the making of a deal has come: candidates tried, and what was wrong with them."""

    date = models.DateField()
    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="makings")
    target = models.CharField(max_length=6, choices=DIFFICULTIES)
    started_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    tried = models.PositiveIntegerField(default=0)
    unwinnable = models.PositiveIntegerField(default=0)
    undecided = models.PositiveIntegerField(default=0)
    other_tier = models.PositiveIntegerField(default=0, help_text="winnable, but easier or harder")
    outcome = models.CharField(max_length=24, choices=MakingOutcome.choices, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["date", "challenge"], name="one_making_a_deal"),
        ]

    def __str__(self) -> str:
        # How many were tried for a deal that is made would tell which candidate it is.
        state = self.outcome or f"searching, {self.tried} tried"
        return f"{self.date} {self.challenge_id}, {self.target}: {state}"


class Source(models.TextChoices):
    """Where a deal's cards come from: a random seed, or an operator."""

    SEED = "seed"
    HAND = "hand"


class DealOrder(models.Model):
    """A deal that an operator wants for a coming day, in the place of the one it has, if any.

    `cards` is the deal line of one written by hand, until the worker has seen to it, and as
    secret as a deal's.
    """

    date = models.DateField()
    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="orders")
    source = models.CharField(max_length=4, choices=Source.choices)
    cards = models.CharField(max_length=250, blank=True)
    ordered_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=200, blank=True, help_text="what came of it")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["date", "challenge"],
                condition=Q(settled_at=None),
                name="one_open_order_a_deal",
            ),
            models.CheckConstraint(
                condition=Q(settled_at=None) | Q(cards="") & ~Q(outcome=""),
                name="settled_order_keeps_no_cards",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.challenge_id} of {self.date}: {self.outcome or 'waiting'}"
