"""Deals: the calendar of their days, their secrets after the seal, and what may be done to them."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games import deals, engine, orders, replays, tasks
from games.admin import calendar, pictures, reviewing, secrecy, stepping
from games.models import DailyDeal, DealMaking, DealOrder, MakingOutcome, Seal, Voiding
from pyramid_site import clock
from pyramid_site.acts import Act, Acting, Reason
from pyramid_site.admin import ReadOnlyAdmin
from pyramid_site.audit_log import Staff


class PublicReason(Reason):
    """A reason that players read."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = "Public: every player reads it with the deal."


def remake(deal: DailyDeal, by: Staff, said: Mapping[str, Any]) -> None:
    orders.remake(deal_id=deal.pk)
    transaction.on_commit(partial(tasks.ask_for_deals, anew=True))


REMAKE = Act(
    name="remake",
    label="Make anew",
    explanation="The worker makes another deal for this day, from a new seed and as hard as the"
    " weekday wants now. This one stays in the records as replaced; nobody plays it.",
    permission="games.remake_deal",
    do=remake,
    done="Another deal is on order. The worker makes it in seconds to minutes.",
    fits=lambda deal: clock.now() < deal.opens_at and not hasattr(deal, "replacement"),
)
VOID = Act(
    name="void",
    label="Void this day",
    explanation="For good: the deal takes no more starts, has no ranks, and counts for nobody; it"
    " breaks no streak. Play that has begun may go on, unranked.",
    permission="games.void_deal",
    do=lambda deal, by, said: deals.void(deal_id=deal.pk, reason=said["reason"]),
    done="The day is void.",
    form=PublicReason,
    fits=lambda deal: not deal.void and clock.now() >= deal.opens_at,
)


@admin.register(DailyDeal)
class DailyDealAdmin(Acting, ReadOnlyAdmin):
    list_display = (
        "date", "challenge", "state", "source", "difficulty", "target", "made_at", "sealed_at",
    )  # fmt: skip
    list_filter = ("challenge",)
    date_hierarchy = "date"
    ordering = ("-date", "challenge")
    acts = (REMAKE, VOID)
    change_list_template = "admin/games/deals.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[DailyDeal]:
        found = DailyDeal.objects.select_related("challenge", "seal", "voiding", "replacement")
        known = found.defer(*secrecy.SECRETS, *secrecy.of("replacement"))
        return known.annotate(now=clock.Now())

    def get_fieldsets(self, request: HttpRequest, obj: DailyDeal | None = None) -> Any:
        shown = obj is not None and secrecy.reveals(request, obj)
        secrets = ("pictured", "cards", "seed_in_hex", "k", "winning_line", "wins")
        made = ("source", "shuffle_id", "solver_id", "target", "difficulty", "made_at", "replaces")
        return (
            (None, {"fields": ("date", "challenge", "state", "rules_line", *made)}),
            ("Play", {"fields": ("sealed_at", "void_reason", "play")}),
            ("Secrets", {"fields": secrets if shown else ("masked",)}),
        )

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        return [
            path("calendar/", view(self.calendar), name="games_dailydeal_calendar"),
            path("<path:object_id>/line/", view(self.line), name="games_dailydeal_line"),
            path("<path:object_id>/review/", view(self.review), name="games_dailydeal_review"),
            *super().get_urls(),
        ]

    def calendar(self, request: HttpRequest) -> HttpResponse:
        """Days by challenges."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        context = {
            **self.admin_site.each_context(request),
            "title": "Calendar",
            "opts": self.opts,
            "weeks": calendar.weeks(request.GET.get("from", "")),
            "may_write": request.user.has_perm("games.write_deal"),
        }
        return TemplateResponse(request, "admin/games/calendar.html", context)

    def line(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The winning line step by step."""
        deal = self._shown(request, object_id)
        if not secrecy.reveals(request, deal):
            raise PermissionDenied
        log = [(move, 0) for move in deal.winning_line.split(" ") if move]
        steps = replays.steps(deal.deal, deal.rules, log)
        context = {
            **self.admin_site.each_context(request),
            "title": f"A winning line of {deal}",
            "opts": self.opts,
            "original": deal,
            **stepping.context(deal, steps, asked=request.GET.get("step"), as_seen=False),
        }
        return TemplateResponse(request, "admin/games/steps.html", context)

    def review(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The best of a sealed deal's board, with what stands out in their logs."""
        deal = self._shown(request, object_id)
        if not deal.sealed or not request.user.has_perm("games.view_loggedmove"):
            raise PermissionDenied
        context = {
            **self.admin_site.each_context(request),
            "title": f"Review of {deal}",
            "opts": self.opts,
            "original": deal,
            "rows": reviewing.best_of(deal),
        }
        return TemplateResponse(request, "admin/games/review.html", context)

    def _shown(self, request: HttpRequest, object_id: str) -> DailyDeal:
        if not self.has_view_permission(request):
            raise PermissionDenied
        deal: DailyDeal | None = self.get_object(request, object_id)
        if deal is None:
            raise Http404
        return deal

    @admin.display
    def state(self, deal: DailyDeal) -> str:
        if hasattr(deal, "replacement"):
            return "replaced"
        return calendar.state(deal, vars(deal)["now"])

    @admin.display
    def sealed_at(self, deal: DailyDeal) -> str:
        return f"{deal.seal.sealed_at:%Y-%m-%d %H:%M:%S}" if deal.sealed else "not sealed"

    @admin.display
    def void_reason(self, deal: DailyDeal) -> str:
        return deal.voiding.reason if deal.void else "not void"

    @admin.display(description="the deal")
    def pictured(self, deal: DailyDeal) -> SafeString:
        start = engine.Game.start(deal.deal, deal.rules).position
        return format_html(
            '{}<p><a href="{}">the winning line step by step</a></p>',
            pictures.picture(start),
            reverse("admin:games_dailydeal_line", args=[deal.pk]),
        )

    @admin.display(description="seed")
    def seed_in_hex(self, deal: DailyDeal) -> str:
        return bytes(deal.seed).hex() or "none: written by hand"

    @admin.display(description="cards, seed, k, winning line, wins")
    def masked(self, deal: DailyDeal) -> str:
        return secrecy.MASK

    @admin.display(description="attempts")
    def play(self, deal: DailyDeal) -> SafeString:
        review = reverse("admin:games_dailydeal_review", args=[deal.pk])
        return format_html(
            '<a href="{}?deal__exact={}">all attempts at this deal</a>{}',
            reverse("admin:games_attempt_changelist"),
            deal.pk,
            format_html(', <a href="{}">review of the best</a>', review) if deal.sealed else "",
        )


@admin.register(Seal)
class SealAdmin(ReadOnlyAdmin):
    list_display = ("deal", "sealed_at", "players", "cleared")
    fields = ("deal", "sealed_at", "players", "cleared")
    ordering = ("-deal_id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seal]:
        return Seal.objects.select_related("deal").defer(*secrecy.of("deal"))


@admin.register(Voiding)
class VoidingAdmin(ReadOnlyAdmin):
    list_display = ("deal", "voided_at", "reason")
    fields = ("deal", "voided_at", "reason")
    ordering = ("-deal_id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Voiding]:
        return Voiding.objects.select_related("deal").defer(*secrecy.of("deal"))


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
        if making.outcome == MakingOutcome.MADE and not making.sealed:
            return secrecy.MASK
        return (
            f"{making.tried} tried: {making.unwinnable} unwinnable, {making.undecided} undecided, "
            f"{making.other_tier} easier or harder"
        )

    @admin.display
    def elapsed(self, making: DealMaking) -> str:
        return f"{(making.updated_at - making.started_at).total_seconds():,.1f} s"


@admin.register(DealOrder)
class DealOrderAdmin(ReadOnlyAdmin):
    """Deals that operators want, and what came of it. The cards of one written are not shown."""

    list_display = ("date", "challenge", "source", "ordered_at", "settled_at", "state")
    list_select_related = ("challenge",)
    fields = list_display
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[DealOrder]:
        return DealOrder.objects.select_related("challenge")

    @admin.display
    def state(self, order: DealOrder) -> str:
        return order.outcome or "waiting for the worker"
