"""Errors as RFC 9457 problem details: one shape for every refusal and every fault."""

import logging
import sys
from http import HTTPStatus
from typing import Any, NamedTuple, NewType, NotRequired, TypedDict

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response

from pyramid_site.refusals import Refusal

logger = logging.getLogger(__name__)
MEDIA_TYPE = "application/problem+json"
Code = NewType("Code", str)


class FieldErrorShape(TypedDict):
    """An error in one field of a body or a query."""

    field: str
    code: str
    detail: str


class ProblemShape(TypedDict):
    """A problem (RFC 9457). `code` is stable: switch on it, not on the text."""

    type: str
    title: str
    status: int
    code: Code
    detail: str
    errors: NotRequired[list[FieldErrorShape]]


class Kind(NamedTuple):
    """What all problems of one code share."""

    status: int
    title: str


KINDS = {
    "invalid_request": Kind(400, "The request is not well formed"),
    "invalid_notation": Kind(400, "That is not a move"),
    "not_authenticated": Kind(401, "A valid token is needed"),
    "invalid_credentials": Kind(401, "Name and password do not match"),
    "not_sealed": Kind(403, "The deal is not sealed yet"),
    "forbidden": Kind(403, "Not allowed"),
    "not_found": Kind(404, "Not found"),
    "not_ranked": Kind(404, "Not on this board"),
    "method_not_allowed": Kind(405, "The method is not allowed here"),
    "not_acceptable": Kind(406, "The API answers in JSON"),
    "stale_ply": Kind(409, "The attempt is at another ply"),
    "attempt_over": Kind(409, "The attempt is over"),
    "log_full": Kind(409, "The log is full"),
    "nothing_to_undo": Kind(409, "There is no move to take back"),
    "deal_closed": Kind(409, "The deal takes no new attempts"),
    "name_taken": Kind(409, "The name is taken"),
    "already_claimed": Kind(409, "The account is claimed already"),
    "body_too_large": Kind(413, "The body is too large"),
    "unsupported_media_type": Kind(415, "The API reads JSON"),
    "illegal_move": Kind(422, "The move is against the rules"),
    "throttled": Kind(429, "Too many requests"),
    "internal_error": Kind(500, "The server failed"),
    "deal_being_made": Kind(503, "The deal is being made"),
    "unavailable": Kind(503, "The server cannot answer now"),
}

DETAILS = {  # of errors that the frameworks raise
    "not_authenticated": "Send `Authorization: Bearer TOKEN` with a token that is valid.",
    "forbidden": "You may not do this.",
    "not_found": "There is nothing at this address.",
    "not_acceptable": "The API answers in application/json; the Accept header excludes it.",
    "unsupported_media_type": "Send the body as application/json in UTF-8.",
    "internal_error": "The server failed to answer. The fault is logged; trying again may help.",
    "unavailable": "The server cannot reach its database. Try again in a few seconds.",
}


def problem(code: str, detail: str, **data: object) -> dict[str, object]:
    """The body of a problem. A relative `type`: the same page explains it on every server."""
    kind = KINDS[code]
    return {
        "type": f"/errors/{code}",
        "title": kind.title,
        "status": kind.status,
        "code": code,
        "detail": detail,
        **data,
    }


def too_many(seconds: int) -> str:
    """Return the detail for a caller who exceeded a rate limit."""
    return f"Too many requests. Go on in {seconds} s."


def handle(exc: Exception, context: dict[str, Any]) -> Response | None:
    """REST framework's exception handler; None lets an unforeseen fault go on to `server_error`."""
    refusal = _refusal_of(exc)
    if refusal is None:
        return None
    headers = {"Cache-Control": "no-store"}
    if KINDS[refusal.code].status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if (retry_after := refusal.data.pop("retry_after", None)) is not None:
        headers["Retry-After"] = str(retry_after)
    if isinstance(exc, exceptions.MethodNotAllowed):
        headers["Allow"] = ", ".join(context["view"].allowed_methods)
    body = problem(refusal.code, refusal.detail, **refusal.data)
    return Response(
        body, status=KINDS[refusal.code].status, headers=headers, content_type=MEDIA_TYPE
    )


FRAMEWORK_CODES: tuple[tuple[type[Exception], str], ...] = (
    (exceptions.NotAuthenticated, "not_authenticated"),
    (exceptions.AuthenticationFailed, "not_authenticated"),
    (exceptions.PermissionDenied, "forbidden"),
    (PermissionDenied, "forbidden"),
    (exceptions.NotFound, "not_found"),
    (Http404, "not_found"),
    (exceptions.NotAcceptable, "not_acceptable"),
    (exceptions.UnsupportedMediaType, "unsupported_media_type"),
)


def _refusal_of(exc: Exception) -> Refusal | None:
    match exc:
        case Refusal():
            return exc
        case exceptions.ValidationError():
            errors = list(_field_errors(exc.get_full_details()))
            return Refusal("invalid_request", _sentence(errors), errors=errors)
        case exceptions.ParseError():
            return Refusal("invalid_request", str(exc.detail))
        case exceptions.MethodNotAllowed():
            return Refusal("method_not_allowed", str(exc.detail))
        case exceptions.Throttled():
            wait = getattr(exc, "wait", 1)  # s; the stubs do not know it
            return Refusal("throttled", too_many(wait), retry_after=wait)
        case OperationalError() | InterfaceError():
            logger.error("The database does not answer", exc_info=exc)
            return Refusal("unavailable", DETAILS["unavailable"], retry_after=5)
    for kind, code in FRAMEWORK_CODES:
        if isinstance(exc, kind):
            return Refusal(code, DETAILS[code])
    return None


def _sentence(errors: list[dict[str, str]]) -> str:
    return " ".join(f"{error['field']}: {error['detail']}" for error in errors)


def _field_errors(details: Any, field: str = "") -> Any:
    """The errors of a serializer, each as {field, code, detail}, nested fields joined by dots."""
    if isinstance(details, dict) and "message" in details:
        yield {"field": field, "code": details["code"], "detail": str(details["message"])}
    elif isinstance(details, dict):
        for name, inner in details.items():
            yield from _field_errors(inner, f"{field}.{name}" if field else name)
    else:
        for inner in details:
            yield from _field_errors(inner, field)


def plain(code: str, detail: str = "") -> HttpResponse:
    """A problem from outside REST framework, where its renderers do not run."""
    detail = detail or DETAILS.get(code, HTTPStatus(KINDS[code].status).description)
    body = problem(code, detail)
    response = JsonResponse(body, status=KINDS[code].status, content_type=MEDIA_TYPE)
    response["Content-Length"] = len(response.content)  # where no middleware adds it
    return response


def explain(request: HttpRequest, code: str) -> HttpResponse:
    """The page that a problem's `type` names."""
    if code not in KINDS:
        return plain("not_found")
    kind = KINDS[code]
    return HttpResponse(f"{code} ({kind.status})\n\n{kind.title}.\n", content_type="text/plain")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400: a request so broken that no view saw it."""
    too_large = isinstance(exception, RequestDataTooBig)
    return plain("body_too_large" if too_large else "invalid_request")


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler403."""
    return plain("forbidden")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler404: no route has this address."""
    return plain("not_found")


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500; the fault itself is in the log.

    A service may refuse in a view that is none of the API's, as the admin's login is.
    """
    error = sys.exc_info()[1]
    return plain(error.code if isinstance(error, Refusal) else "internal_error")
