"""What staff see of the game.

A deal's secrets are masked until its seal, and so are the moves at it: those that clear a deal
are its solution.
"""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.core.exceptions import ValidationError
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games import queries
from games.models import Attempt, Challenge, DailyDeal, DealMaking, LoggedMove, Seal, WeekdayTarget
from players.admin import FoundByName
from pyramid_site.admin import ModelAdmin, ReadOnlyAdmin, TabularInline

SECRETS = ("cards", *queries.SECRETS)
SHOWN_MOVES = 200  # of a log, on the page of its attempt
MASK = "secret until the seal"


def may_see_secrets(request: HttpRequest, deal: DailyDeal) -> bool:
    """Whether the deal is sealed, or the permission to see more was granted by name.

    Not `has_perm`: it says yes to every superuser, and an operator plays the daily deal too.
    """
    if deal.sealed:
        return True
    return Permission.objects.filter(
        Q(user=request.user.pk) | Q(group__user=request.user.pk),
        content_type__app_label="games",
        codename="view_secrets",
    ).exists()


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


class WeekdayTargets(TabularInline):
    """How hard each weekday's deals are to be; those not made yet follow a change."""

    model = WeekdayTarget
    extra = 0
    max_num = 7


@admin.register(Challenge)
class ChallengeAdmin(ModelAdmin):
    form = ChallengeForm
    inlines = (WeekdayTargets,)
    list_display = ("title", "id", "place", "rows", "decks", "passes", "goal", "undo_penalty_ms")
    actions = None
    fieldsets = (
        (None, {"fields": ("id", "title", "place")}),
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
        return ("id",) if obj else ()

    def has_delete_permission(self, request: HttpRequest, obj: Challenge | None = None) -> bool:
        if obj is not None and obj.deals.exists():
            return False
        return super().has_delete_permission(request, obj)


@admin.register(DealMaking)
class DealMakingAdmin(ReadOnlyAdmin):
    """Deals being made, and how those that are made came about."""

    list_display = ("date", "challenge", "target", "state", "candidates", "elapsed")
    list_select_related = ("challenge",)
    fields = list_display
    ordering = ("-date", "challenge")

    def get_queryset(self, request: HttpRequest) -> QuerySet[DealMaking]:
        seal = Seal.objects.filter(
            deal__date=OuterRef("date"), deal__challenge=OuterRef("challenge")
        )
        return DealMaking.objects.annotate(sealed=Exists(seal))

    @admin.display
    def state(self, making: DealMaking) -> str:
        return making.outcome or "searching"

    @admin.display
    def candidates(self, making: Any) -> str:
        """Masked once the deal is made: how many were tried for it is its `k`."""
        if making.outcome == DealMaking.Outcome.MADE and not making.sealed:
            return MASK
        return (
            f"{making.tried} tried: {making.unwinnable} unwinnable, {making.undecided} undecided, "
            f"{making.other_tier} easier or harder"
        )

    @admin.display
    def elapsed(self, making: DealMaking) -> str:
        return f"{(making.updated_at - making.started_at).total_seconds():,.1f} s"


@admin.register(DailyDeal)
class DailyDealAdmin(ReadOnlyAdmin):
    list_display = ("date", "challenge", "difficulty", "target", "made_at", "sealed_at")
    list_filter = ("challenge",)
    date_hierarchy = "date"
    ordering = ("-date", "challenge")

    def get_queryset(self, request: HttpRequest) -> QuerySet[DailyDeal]:
        return DailyDeal.objects.select_related("challenge", "seal").defer(*SECRETS)

    def get_fieldsets(self, request: HttpRequest, obj: DailyDeal | None = None) -> Any:
        shown = obj is not None and may_see_secrets(request, obj)
        secrets = ("cards", "seed_in_hex", "k", "winning_line", "wins") if shown else ("masked",)
        made = ("shuffle_id", "solver_id", "target", "difficulty", "made_at")
        plain = ("date", "challenge", "rules_line", *made)
        return (
            (None, {"fields": (*plain, "sealed_at", "play")}),
            ("Secrets", {"fields": secrets}),
        )

    @admin.display
    def sealed_at(self, deal: DailyDeal) -> str:
        return f"{deal.seal.sealed_at:%Y-%m-%d %H:%M:%S}" if deal.sealed else "not sealed"

    @admin.display(description="seed")
    def seed_in_hex(self, deal: DailyDeal) -> str:
        return bytes(deal.seed).hex()

    @admin.display(description="cards, seed, k, winning line, wins")
    def masked(self, deal: DailyDeal) -> str:
        return MASK

    @admin.display(description="attempts")
    def play(self, deal: DailyDeal) -> SafeString:
        return _link(Attempt, "deal", deal, "all attempts at this deal")


@admin.register(Seal)
class SealAdmin(ReadOnlyAdmin):
    list_display = ("deal", "sealed_at", "players", "cleared")
    fields = ("deal", "sealed_at", "players", "cleared")
    ordering = ("-deal_id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seal]:
        return Seal.objects.select_related("deal").defer(*_of("deal"))


@admin.register(Attempt)
class AttemptAdmin(FoundByName, ReadOnlyAdmin):
    list_display = ("started_at", "deal", "player", "status", "ply")
    list_filter = ("status", "ranked", "clock_stepped")
    linked_by = ("deal", "player")
    ordering = ("-deal_id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Attempt]:
        # The line, too: a list of them would be long, and shows none.
        found = Attempt.objects.select_related("deal__seal", "player")
        return found.defer("line", *_of("deal"))

    def get_fieldsets(self, request: HttpRequest, obj: Attempt | None = None) -> Any:
        shown = obj is not None and may_see_secrets(request, obj.deal)
        log: tuple[str, ...] = ("line", "log") if shown else ("masked_log",)
        if not request.user.has_perm("games.view_loggedmove"):
            log = ()
        times = ("started_at", "finished_at", "elapsed_ms", "clock_stepped")
        play = ("status", *times, "ply", "undo_count", "seen")
        return (
            (None, {"fields": ("id", "deal", "player", "daily", "ranked", *play)}),
            ("Log", {"fields": log}),
        )

    @admin.display(description="moves")
    def log(self, attempt: Attempt) -> SafeString:
        return _table(attempt, masked=False)

    @admin.display(description=f"moves ({MASK})")
    def masked_log(self, attempt: Attempt) -> SafeString:
        return _table(attempt, masked=True)


@admin.register(LoggedMove)
class LoggedMoveAdmin(ReadOnlyAdmin):
    list_display = ("id", "attempt", "number", "at_ms")
    linked_by = ("attempt",)
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[LoggedMove]:
        found = LoggedMove.objects.select_related("attempt__deal__seal")
        return found.defer("attempt__line", *_of("attempt__deal"))

    def get_fieldsets(self, request: HttpRequest, obj: LoggedMove | None = None) -> Any:
        shown = obj is not None and may_see_secrets(request, obj.attempt.deal)
        move = "move" if shown else "masked"
        return ((None, {"fields": ("attempt", "number", move, "at_ms")}),)

    @admin.display(description="move")
    def masked(self, move: LoggedMove) -> str:
        return MASK


def _of(deal: str) -> list[str]:
    """A deal's secrets as seen from a row that refers to it."""
    return [f"{deal}__{secret}" for secret in SECRETS]


def _table(attempt: Attempt, *, masked: bool) -> SafeString:
    """The end of a log, newest first, with a link to all of it."""
    log = queries.log_of(attempt).order_by("-number")[:SHOWN_MOVES]
    rows = [(it.number, "??" if masked else it.move, f"{it.at_ms / 1000:,.3f} s") for it in log]
    if not rows:
        return SafeString("none yet")
    return format_html(
        "<table><thead><tr><th>Number</th><th>Move</th><th>After</th></tr></thead>"
        "<tbody>{}</tbody></table>{}",
        format_html_join("", "<tr><td>{}</td><td>{}</td><td>{}</td></tr>", rows),
        _link(LoggedMove, "attempt", attempt, f"all {attempt.ply} moves"),
    )


def _link(model: type[Any], field: str, row: Any, words: str) -> SafeString:
    """To the list of a model's rows that refer to `row`."""
    address = reverse(f"admin:games_{model.__name__.lower()}_changelist")
    return format_html('<a href="{}?{}__exact={}">{}</a>', address, field, row.pk, words)
