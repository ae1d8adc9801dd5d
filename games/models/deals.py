"""Deals: the cards of a challenge for a day, their seal, and what made a day void."""

from datetime import datetime, timedelta
from functools import lru_cache

from django.db import models
from django.db.models import Q

from games import engine
from games.models.challenges import DIFFICULTIES, Challenge
from games.models.makings import Source
from pyramid_site import clock

OPEN_FOR = timedelta(days=1)  # a deal takes starts from the midnight of its day
GRACE = timedelta(hours=2)  # play begun before then may go on


class DailyDeal(models.Model):
    """The deal of one challenge for one day, certified winnable. Written once, never changed.

    One that is made anew before its day is a further row, which names the one that it replaces.
    The rules are the deal's own copy. `cards` and all below it are secret until the seal.
    """

    date = models.DateField()
    challenge = models.ForeignKey(Challenge, on_delete=models.PROTECT, related_name="deals")
    replaces = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, related_name="replacement"
    )
    source = models.CharField(
        max_length=4, choices=Source.choices, default=Source.SEED, db_default=Source.SEED
    )
    rules_line = models.CharField(max_length=200)
    shuffle_id = models.CharField(max_length=40)
    solver_id = models.CharField(max_length=80)
    target = models.CharField(max_length=6, choices=DIFFICULTIES, null=True)  # noqa: DJ001
    difficulty = models.CharField(max_length=6, choices=DIFFICULTIES, null=True)  # noqa: DJ001
    made_at = models.DateTimeField()
    cards = models.CharField(max_length=250, help_text="the deal line")
    seed = models.BinaryField(max_length=32)
    k = models.PositiveIntegerField(null=True, help_text="which candidate of the seed")
    winning_line = models.TextField(help_text="a log that clears the deal")
    wins = models.PositiveIntegerField(null=True, help_text="of 20,000 random games")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["date", "challenge"], condition=Q(replaces=None), name="one_deal_a_day"
            ),
            models.CheckConstraint(
                condition=Q(source="seed", k__isnull=False) | Q(source="hand", k=None),
                name="deal_has_a_source",
            ),
        ]
        indexes = [models.Index(fields=["date", "challenge"], name="deals_of_a_day")]
        permissions = [
            ("view_secrets", "Can see the secrets of deals before their seal"),
            ("remake_deal", "Can have the deals of coming days made anew"),
            ("void_deal", "Can void days that have begun"),
        ]

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

    @property
    def void(self) -> bool:
        """An operator had to void it: it takes no starts and has no ranks."""
        return hasattr(self, "voiding")


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


class Voiding(models.Model):
    """A day that an operator had to void: no ranks, and it breaks nobody's streak."""

    deal = models.OneToOneField(
        DailyDeal, on_delete=models.PROTECT, primary_key=True, related_name="voiding"
    )
    voided_at = models.DateTimeField()
    reason = models.CharField(max_length=200, help_text="public")

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(reason=""), name="voiding_has_a_reason")]

    def __str__(self) -> str:
        return f"voiding of deal {self.pk}"
