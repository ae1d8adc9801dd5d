"""The pages: each asks one question of the game, and shows the first paint of the answer."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games import queries
from games.api import deals, shapes
from games.models import Challenge, DailyDeal
from pyramid_site import clock
from pyramid_site.api.endpoint import timestamp
from pyramid_site.refusals import Refusal
from web import modules, texts

Page = Callable[..., HttpResponse]
SWITCHES = {
    "theme": ["auto", "light", "dark"],
    "deck": ["two", "four"],
    "timer": ["shown", "hidden"],
}
"""What a visitor may choose, by cookie; the first is what holds until then."""


def page(view: Page) -> Page:
    """What all pages have in common: they are only read, and say so where nothing is."""

    def answer(request: HttpRequest, **parts: Any) -> HttpResponse:
        try:
            return view(request, **parts)
        except Refusal as refusal:
            if refusal.code != "not_found":
                raise
            return show(request, "missing", status=404)

    return require_safe(gzip_page(answer))


def show(
    request: HttpRequest,
    name: str,
    /,
    *,
    status: int = 200,
    words: dict[str, str] | None = None,
    picture: str = "",
    **data: Any,
) -> HttpResponse:
    """The page of a name in the visitor's language; `words` fill the blanks of its title."""
    language = texts.language_of(request)
    t = texts.of(language)
    own = t["pages"][name]
    context = {
        "t": t,
        "page": name,
        "language": language,
        "languages": texts.LANGUAGES,
        "texts_address": static(f"web/texts/{language}.json"),
        "title": own["title"].format(**words or {}),
        "description": own["description"].format(**words or {}),
        "picture": request.build_absolute_uri(picture or static("web/img/icon-512.png")),
        "large_picture": bool(picture),
        "canonical": request.build_absolute_uri(request.path),
        "import_map": modules.import_map(name),
        "preloads": modules.preloads(name),
        "nonce": vars(request)["csp_nonce"],
        "now": timestamp(clock.now()),
        **{name: _chosen(request, name, choices) for name, choices in SWITCHES.items()},
        **data,
    }
    response = render(request, f"web/{name}.html", context, status=status)
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


def _chosen(request: HttpRequest, name: str, choices: Sequence[str]) -> str:
    chosen = request.COOKIES.get(name, "")
    return chosen if chosen in choices else choices[0]


def deal_at(day: str, challenge: str) -> DailyDeal:
    """The deal of an address; one of today that is being made is shown by what is known of it."""
    try:
        return deals.asked_for(day, challenge)
    except Refusal as refusal:
        if refusal.code != "deal_being_made":
            raise
        return queries.unmade_deal(day=clock.today(), challenge_id=challenge)


@page
def today(request: HttpRequest) -> HttpResponse:
    """Every deal of the day."""
    body = deals.of_today()
    t = _texts(request)
    shown = [
        {
            **deal,
            **_names(t, challenge),
            "difficulty_name": _difficulty(t, deal["difficulty"]),
            "void_text": _void_text(t, deal["void_reason"]),
        }
        for deal, challenge in zip(body["items"], queries.challenges(body["date"]), strict=True)
    ]
    offered = body["items"]
    picture = _picture(body["date"], offered[0]["challenge"]) if offered else ""
    return show(request, "today", picture=picture, date=body["date"], deals=shown)


@page
def play(request: HttpRequest, day: str, challenge: str) -> HttpResponse:
    """One deal; `today` leads to the address that will still name it tomorrow."""
    if day == "today":
        return redirect("web:play", clock.today(), challenge)
    row = deal_at(day, challenge)
    t = _texts(request)
    return show(
        request,
        "play",
        **_heading(t, row),
        sealed=row.sealed,
        start_text=t["play"]["practice" if row.sealed else "start_text"],
        void_text=_void_text(t, row.voiding.reason if row.void else None),
        blank=[range(length) for length in range(1, row.challenge.rows + 1)],
    )


@page
def leaderboard(request: HttpRequest, day: str, challenge: str) -> HttpResponse:
    """The board of one deal, and the way to those of its day."""
    if day == "today":
        return redirect("web:leaderboard", clock.today(), challenge)
    row = deal_at(day, challenge)
    t = _texts(request)
    others = [_names(t, other) for other in queries.challenges()]
    return show(request, "leaderboard", **_heading(t, row), sealed=row.sealed, others=others)


@page
def archive(request: HttpRequest) -> HttpResponse:
    """The calendar of sealed deals."""
    shown = [shapes.challenge(row) for row in queries.challenges()]
    return show(request, "archive", challenges=shown)


@page
def replay(request: HttpRequest, attempt: UUID) -> HttpResponse:
    """An attempt, move by move."""
    blank = [range(length) for length in range(1, 8)]
    return show(request, "replay", attempt=attempt, blank=blank)


@page
def profile(request: HttpRequest) -> HttpResponse:
    """The visitor's own results."""
    return show(request, "profile")


@page
def player(request: HttpRequest, name: str) -> HttpResponse:
    """What anybody may know of a player."""
    return show(request, "player", words={"name": name}, name=name)


@page
def account(request: HttpRequest) -> HttpResponse:
    """Signing in, and keeping what a guest has played."""
    return show(request, "account")


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """What a device needs to know to keep the client among its applications."""
    t = _texts(request)
    icons = [
        {"src": static("web/img/icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        {"src": static("web/img/icon-512.png"), "sizes": "512x512", "type": "image/png"},
    ]
    body = {
        "name": t["site"]["name"],
        "short_name": "Pyramid",
        "description": t["pages"]["today"]["description"],
        "lang": texts.language_of(request),
        "start_url": reverse("web:today"),
        "display": "standalone",
        "background_color": "#f4f0e6",
        "theme_color": "#f4f0e6",
        "icons": icons,
    }
    return JsonResponse(body, content_type="application/manifest+json")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """For those who ask for it by its old address."""
    return HttpResponseRedirect(static("web/img/icon.svg"))


def _texts(request: HttpRequest) -> texts.Texts:
    return texts.of(texts.language_of(request))


def _heading(t: texts.Texts, row: DailyDeal) -> dict[str, Any]:
    """What stands above a deal, and what others are told who get its address."""
    names = _names(t, row.challenge)
    day_name = texts.day_name(t, row.date)
    return {
        "words": {"challenge": names["title"], "day": day_name},
        "picture": _picture(row.date, row.challenge_id),
        "day": row.date.isoformat(),
        "day_name": day_name,
        "challenge": shapes.challenge(row.challenge),
        "heading": names["title"],
        "about": names["about"],
        "difficulty_name": _difficulty(t, row.difficulty),
    }


def _names(t: texts.Texts, row: Challenge) -> dict[str, str]:
    """A challenge in the visitor's language, or as an operator has named it."""
    known = t["challenges"].get(row.pk, {})
    return {"id": row.pk, "title": known.get("title", row.title), "about": known.get("about", "")}


def _difficulty(t: texts.Texts, difficulty: str | None) -> str:
    return str(t["difficulty"][difficulty]) if difficulty else ""


def _void_text(t: texts.Texts, reason: str | None) -> str:
    return "" if reason is None else str(t["play"]["void"].format(reason=reason))


def _picture(day: date, challenge: str) -> str:
    return reverse("web:picture", args=[day, challenge])
