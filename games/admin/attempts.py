"""Attempts and their logs: read-only, played over again, and reviewed."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games import queries, replays, review
from games.admin import secrecy, stepping
from games.models import Attempt, LoggedMove
from leaderboards import standings
from leaderboards.models import Verdict
from players.admin import FoundByName
from pyramid_site.acts import Act, Acting
from pyramid_site.admin import ReadOnlyAdmin

SHOWN_MOVES = 200  # of a log, on the page of its attempt


def verdict(attempt: Attempt) -> Verdict | None:
    """The last word of staff on an attempt's result, if there was any."""
    return Verdict.objects.filter(result=attempt.pk).order_by("-number").first()


def is_out(attempt: Attempt) -> bool:
    last = verdict(attempt)
    return last is not None and last.disqualified


DISQUALIFY = Act(
    name="disqualify",
    label="Disqualify",
    explanation="Takes the result off all boards, those of its week, month and all time included."
    " Everybody behind it moves up. It can be put back.",
    permission="games.disqualify_attempt",
    do=lambda attempt, by, said: standings.disqualify(
        attempt_id=attempt.pk, by=by, why=said["reason"]
    ),
    done="The result is off all boards.",
    fits=lambda attempt: attempt.ranked and attempt.status == "cleared" and not is_out(attempt),
)
REINSTATE = Act(
    name="reinstate",
    label="Reinstate",
    explanation="Puts the disqualified result back on all its boards.",
    permission="games.disqualify_attempt",
    do=lambda attempt, by, said: standings.reinstate(
        attempt_id=attempt.pk, by=by, why=said["reason"]
    ),
    done="The result is back on its boards.",
    fits=is_out,
)


@admin.register(Attempt)
class AttemptAdmin(FoundByName, Acting, ReadOnlyAdmin):
    list_display = ("started_at", "deal", "player", "status", "ply")
    list_filter = ("status", "ranked", "clock_stepped")
    linked_by = ("deal", "player")
    searched_ids = ("pk", "player")
    acts = (DISQUALIFY, REINSTATE)
    ordering = ("-deal_id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Attempt]:
        # The line, too: a list of them would be long, and shows none.
        found = Attempt.objects.select_related("deal__seal", "player")
        return found.defer("line", *secrecy.of("deal"))

    def get_fieldsets(self, request: HttpRequest, obj: Attempt | None = None) -> Any:
        log: tuple[str, ...] = ()
        if request.user.has_perm("games.view_loggedmove"):
            log = ("masked_log",)
            if obj is not None and secrecy.reveals(request, obj.deal):
                log = ("numbers", "line", "log") if obj.deal.sealed else ("line", "log")
        times = ("started_at", "finished_at", "elapsed_ms", "clock_stepped")
        play = ("status", *times, "ply", "undo_count", "seen", "judged")
        return (
            (None, {"fields": ("id", "deal", "player", "daily", "ranked", *play)}),
            ("Log", {"fields": log}),
        )

    def get_urls(self) -> list[Any]:
        replay = self.admin_site.admin_view(self.replay)
        address = path("<path:object_id>/replay/", replay, name="games_attempt_replay")
        return [address, *super().get_urls()]

    def replay(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """A log step by step, with what its player saw; after the seal, or with the permission."""
        attempt = self.get_object(request, object_id)
        if not self.has_view_permission(request) or not request.user.has_perm(
            "games.view_loggedmove"
        ):
            raise PermissionDenied
        if attempt is None:
            raise Http404
        if not secrecy.reveals(request, attempt.deal):
            raise PermissionDenied
        steps = _steps(attempt)
        context = {
            **self.admin_site.each_context(request),
            "title": f"Attempt of {attempt.player} at {attempt.deal}",
            "opts": self.opts,
            "original": attempt,
            "timed": True,
            **stepping.context(attempt.deal, steps, asked=request.GET.get("step"), as_seen=True),
        }
        return TemplateResponse(request, "admin/games/steps.html", context)

    @admin.display(description="verdict")
    def judged(self, attempt: Attempt) -> str:
        last = verdict(attempt)
        if last is None:
            return "none"
        said = "disqualified" if last.disqualified else "reinstated"
        return f"{said} by {last.by_name} at {last.at:%Y-%m-%d %H:%M}: {last.why}"

    @admin.display(description="moves")
    def log(self, attempt: Attempt) -> SafeString:
        address = reverse("admin:games_attempt_replay", args=[attempt.pk])
        return format_html(
            '<p><a href="{}">replay it step by step</a></p>{}',
            address,
            _table(attempt, masked=False),
        )

    @admin.display(description=f"moves ({secrecy.MASK})")
    def masked_log(self, attempt: Attempt) -> SafeString:
        return _table(attempt, masked=True)

    @admin.display(description="review")
    def numbers(self, attempt: Attempt) -> SafeString:
        """What a reviewer measures; never a verdict."""
        return measured(_steps(attempt))


@admin.register(LoggedMove)
class LoggedMoveAdmin(ReadOnlyAdmin):
    list_display = ("id", "attempt", "number", "at_ms")
    linked_by = ("attempt",)
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[LoggedMove]:
        found = LoggedMove.objects.select_related("attempt__deal__seal")
        return found.defer("attempt__line", *secrecy.of("attempt__deal"))

    def get_fieldsets(self, request: HttpRequest, obj: LoggedMove | None = None) -> Any:
        shown = obj is not None and secrecy.reveals(request, obj.attempt.deal)
        move = "move" if shown else "masked"
        return ((None, {"fields": ("attempt", "number", move, "at_ms")}),)

    @admin.display(description="move")
    def masked(self, move: LoggedMove) -> str:
        return secrecy.MASK


def measured(steps: list[replays.Step]) -> SafeString:
    """A review's numbers, and its flags where there are any."""
    numbers, flags = review.measure(steps), review.flags(steps)
    rows = [
        ("gaps between moves", "median", _ms(numbers.median_ms)),
        ("", "least", _ms(numbers.least_ms)),
        ("", "spread", _ms(numbers.spread_ms)),
        ("gap after a new card", "median", _ms(numbers.after_new_ms)),
        ("gap after other moves", "median", _ms(numbers.after_known_ms)),
        ("undos in a row", "most", numbers.longest_burst),
        ("moves after the last undo", "", numbers.moves_after_last_undo),
    ]
    return format_html(
        "<table>{}</table>{}",
        format_html_join("", "<tr><th>{}</th><td>{}</td><td>{}</td></tr>", rows),
        format_html_join("", '<p class="flag">{}</p>', ((flag,) for flag in flags)),
    )


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value / 1000:,.3f} s"


def _steps(attempt: Attempt) -> list[replays.Step]:
    log = queries.log_of(attempt).order_by("number").values_list("move", "at_ms")
    return replays.steps(attempt.deal.deal, attempt.deal.rules, log)


def _table(attempt: Attempt, *, masked: bool) -> SafeString:
    """The end of a log, newest first, with a link to all of it."""
    log = queries.log_of(attempt).order_by("-number")[:SHOWN_MOVES]
    rows = [(it.number, "??" if masked else it.move, _ms(it.at_ms)) for it in log]
    if not rows:
        return SafeString("none yet")
    return format_html(
        "<table><thead><tr><th>Number</th><th>Move</th><th>After</th></tr></thead>"
        '<tbody>{}</tbody></table><a href="{}?attempt__exact={}">all {} moves</a>',
        format_html_join("", "<tr><td>{}</td><td>{}</td><td>{}</td></tr>", rows),
        reverse("admin:games_loggedmove_changelist"),
        attempt.pk,
        attempt.ply,
    )
