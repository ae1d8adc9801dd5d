"""Challenges, the targets of their weekdays, and the deals that operators write for them."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest

from games import deals, orders, tasks
from games.models import Challenge, WeekdayTarget
from pyramid_site.acts import Act, Acting, Reason
from pyramid_site.admin import Audited, TabularInline
from pyramid_site.audit_log import Staff


class ChallengeForm(forms.ModelForm):  # type: ignore[type-arg] # it takes none at run time
    """A challenge with rules that the engine can play."""

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if not self.errors:
            try:
                _ = Challenge(**values).rules
            except ValueError as error:
                raise ValidationError(str(error)) from error
        return values


class Pausing(Reason):
    """From when on."""

    first_day = forms.DateField(
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="Of UTC, from tomorrow on. A day that has begun goes on.",
    )
    field_order = ("first_day", "reason")


class Writing(Reason):
    """A deal line and its day."""

    date = forms.DateField(
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="Of UTC, from tomorrow on. A deal that the day has already is replaced.",
    )
    cards = forms.CharField(
        label="Deal line",
        max_length=250,
        widget=forms.Textarea(
            attrs={"rows": 3, "cols": 90, "class": "deal-line", "spellcheck": "false"}
        ),
        help_text="The rows of the pyramid, apex first, joined by /, a space, and the stock, next"
        " draw first: Kd/Tc4s/5d... 8s8h...",
    )
    field_order = ("date", "cards", "reason")


def write(challenge: Challenge, by: Staff, said: Mapping[str, Any]) -> None:
    orders.write(day=said["date"], challenge_id=challenge.pk, cards=said["cards"])
    transaction.on_commit(partial(tasks.ask_for_deals, anew=True))


WRITE = Act(
    name="write",
    label="Write a deal by hand",
    explanation="The worker lets the solver find a way to win it and then puts it in place; what"
    " came of it is in the list of deal orders. Everybody is told that it was written by hand.",
    permission="games.write_deal",
    do=write,
    done="The deal is on order. The worker checks it and puts it in place within a minute or so.",
    form=Writing,
    linked=("date",),
)
PAUSE = Act(
    name="pause",
    label="Pause",
    explanation="From that day on no deal of it is made or offered, until it is resumed.",
    permission="games.pause_challenge",
    do=lambda challenge, by, said: deals.pause(
        challenge_id=challenge.pk, first_day=said["first_day"]
    ),
    done="The challenge is paused from that day on.",
    form=Pausing,
    fits=lambda challenge: challenge.paused_from is None,
)
RESUME = Act(
    name="resume",
    label="Resume",
    explanation="The challenge is on offer again at once; a deal of today is made if it has none.",
    permission="games.pause_challenge",
    do=lambda challenge, by, said: deals.resume(challenge_id=challenge.pk),
    done="The challenge is on offer again.",
    fits=lambda challenge: challenge.paused_from is not None,
)


class WeekdayTargets(TabularInline):
    """How hard each weekday's deals are to be; those not made yet follow a change."""

    model = WeekdayTarget
    extra = 0
    max_num = 7


@admin.register(Challenge)
class ChallengeAdmin(Acting, Audited):
    form = ChallengeForm
    inlines = (WeekdayTargets,)
    acts = (WRITE, PAUSE, RESUME)
    list_display = (
        "title", "id", "list_order", "rows", "decks", "passes", "goal", "undo_penalty_ms",
        "paused_from",
    )  # fmt: skip
    actions = None
    fieldsets = (
        (None, {"fields": ("id", "title", "list_order", "paused_from")}),
        (
            "Rules",
            {
                "fields": (
                    "rows", "decks", "passes", "stock_top", "outside_pairs", "goal",
                    "undo_penalty_ms",
                ),
                "description": "A deal keeps the rules it was made with, and those of the coming"
                " days are made: a change begins after them.",
            },
        ),
    )  # fmt: skip

    def get_readonly_fields(
        self, request: HttpRequest, obj: Challenge | None = None
    ) -> tuple[str, ...]:
        return ("id", "paused_from") if obj else ("paused_from",)

    def has_delete_permission(self, request: HttpRequest, obj: Challenge | None = None) -> bool:
        if obj is not None and obj.deals.exists():
            return False
        return super().has_delete_permission(request, obj)
