"""What a browser may do with a reply."""

from collections.abc import Callable
from secrets import token_urlsafe

from django.http import HttpRequest
from django.http.response import HttpResponseBase

DATA = "default-src 'none'; frame-ancestors 'none'"
PAGE = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
CLIENT = (
    "default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html"
)


def content_security(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Lets pages load what is the server's own, and the rest nothing.

    Nothing inline either, but the one import map of a page of the client: it bears the
    `csp_nonce` of its request, because a browser reads no import map from a file.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        nonce = token_urlsafe(16)
        vars(request)["csp_nonce"] = nonce
        response = get_response(request)
        response["Content-Security-Policy"] = _policy(request).format(nonce=nonce)
        return response

    return middleware


def _policy(request: HttpRequest) -> str:
    if request.resolver_match and request.resolver_match.app_name == "web":
        return CLIENT
    return PAGE if request.path.startswith(("/admin/", "/api/docs")) else DATA
