"""What a browser may do with a reply."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

DATA = "default-src 'none'; frame-ancestors 'none'"
PAGE = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)


def content_security(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Lets the few pages load what is the server's own, nothing inline, and the rest nothing."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        is_page = request.path.startswith(("/admin/", "/api/docs"))
        response["Content-Security-Policy"] = PAGE if is_page else DATA
        return response

    return middleware
