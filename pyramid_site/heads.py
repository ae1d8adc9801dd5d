"""What the head of a request says of its body, held against limits before anything reads either."""

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from pyramid_site.api import problems
from pyramid_site.api.parsing import MAX_BODY

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

LONGEST_TYPE = 255  # characters of a Content-Type
OTHER_CHARSET = re.compile(r'charset(?! *= *"?utf-?8"? *(;|$))', re.IGNORECASE)


def bounded(application: "WSGIApplication") -> "WSGIApplication":
    """Keeps from Django what it parses at its own cost, or fails at, before any middleware runs."""

    def checked(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        if "\\" in environ.get("HTTP_COOKIE", ""):
            # Python before 3.11.10 unquotes them in quadratic time. No cookie of ours has one.
            environ["HTTP_COOKIE"] = environ["HTTP_COOKIE"].replace("\\", "")
        if _is_plain(environ.get("CONTENT_TYPE", "")):
            return application(environ, start_response)
        refusal = problems.plain("invalid_request", "The Content-Type is not a plain one in UTF-8.")
        start_response(f"{refusal.status_code} {refusal.reason_phrase}", list(refusal.items()))
        return [refusal.content]

    return checked


def _is_plain(content_type: str) -> bool:
    """Short, with no parameter in the coding of RFC 2231, and in no charset but UTF-8."""
    return (
        len(content_type) <= LONGEST_TYPE
        and "*" not in content_type
        and not OTHER_CHARSET.search(content_type)
    )


def limit_bodies(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: refuses by its head a body that is too large, or in parts outside the admin."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if int(request.META.get("CONTENT_LENGTH") or 0) > MAX_BODY:
            return problems.plain("body_too_large", f"A body may hold {MAX_BODY} bytes at most.")
        if request.content_type == "multipart/form-data" and not request.path.startswith("/admin/"):
            return problems.plain("unsupported_media_type")
        return get_response(request)

    return middleware
