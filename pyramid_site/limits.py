"""How often one may ask for what is not of the API, which counts its own callers by account."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar
from unicodedata import normalize

from axes.models import AccessAttempt
from django.conf import settings
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from rest_framework.views import APIView

from pyramid_site.api import problems, throttles
from pyramid_site.api.throttles import Limit

UNCOUNTED = ("/healthz", "/readyz")  # whoever refuses a probe has a healthy server killed
PASSWORDS = ("admin:login", "admin:password_change")
KNOWN = "known_staff"  # a cookie of browsers in which a member of staff has signed in before
KNOWN_FOR = 90 * 86_400  # s


View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class Limits:
    """Middleware: refuses pages, the admin and what is not there to whoever asks too often."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.resolver_match is None:  # no view has this address
            return _refusal(request, throttles.by_address(request.META)) or response
        if _sends_password(request, "admin:login") and request.user.is_authenticated:
            response.set_signed_cookie(
                KNOWN,
                _folded(request.user.get_username()),
                max_age=KNOWN_FOR,
                path="/admin/",
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Strict",
            )
        return response

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponse | None:
        if request.path in UNCOUNTED or issubclass(getattr(view, "cls", object), APIView):
            return None
        return _refusal(request, counted(request, view))


def scoped(scope: str) -> Callable[[View], View]:
    """Limits a view by THROTTLE_ and this name as well, by network: one that is costly."""

    def mark(view: View) -> View:
        vars(view)["throttle_scope"] = scope
        return view

    return mark


def counted(request: HttpRequest, view: Any) -> Iterator[Limit]:
    """What limits a request that is not the API's."""
    yield from throttles.by_address(request.META)
    if scope := getattr(view, "throttle_scope", ""):
        yield throttles.by_scope(scope, request.META)
    if _sends_password(request, *PASSWORDS):
        yield throttles.by_scope("LOGIN", request.META)
        yield throttles.by_guess("staff", _guessed_at(request))


def locked_out(request: HttpRequest, *context: Any) -> HttpResponse:
    """What django-axes answers after too many wrong passwords."""
    return too_many(request, int(settings.AXES_COOLOFF_TIME.total_seconds()))


def forget_failed_logins() -> None:
    """Removes those of which nobody is locked out any more; django-axes waits for the next."""
    AccessAttempt.objects.filter(attempt_time__lt=Now() - settings.AXES_COOLOFF_TIME).delete()


def too_many(request: HttpRequest, seconds: int) -> HttpResponse:
    """The refusal of a request: a problem for clients of the API, a page for people."""
    response: HttpResponse
    if request.path.startswith("/api/v1/"):
        body = problems.problem("throttled", problems.too_many(seconds))
        response = JsonResponse(body, status=429, content_type=problems.MEDIA_TYPE)
    else:
        response = render(request, "throttled.html", {"seconds": seconds}, status=429)
    response["Retry-After"] = str(seconds)
    response["Cache-Control"] = "no-store"
    return response


def _refusal(request: HttpRequest, limits: Iterator[Limit]) -> HttpResponse | None:
    seconds = throttles.too_soon(limits)
    return too_many(request, seconds) if seconds else None


def _sends_password(request: HttpRequest, *views: str) -> bool:
    match = request.resolver_match
    return request.method == "POST" and match is not None and match.view_name in views


def _guessed_at(request: HttpRequest) -> str:
    """Whose password a request holds, and whether it comes from where that one is known.

    Guesses from afar are counted apart, so that they keep nobody out of a browser of theirs.
    """
    if request.user.is_authenticated:
        return "known " + _folded(request.user.get_username())
    name = _folded(request.POST.get("username", ""))
    known = request.get_signed_cookie(KNOWN, default="", max_age=KNOWN_FOR)
    return f"known {name}" if known == name else f"named {name}"


def _folded(name: str) -> str:
    """The start of a name, folded: sorting many accents takes quadratic time."""
    return normalize("NFKC", name[:200]).strip().casefold()
