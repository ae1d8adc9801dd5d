"""The one kind of view of the API: it declares what it reads, answers and refuses."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Generic, NewType, TypedDict, TypeVar, cast
from uuid import UUID

from django.utils.http import parse_etags
from rest_framework.exceptions import AuthenticationFailed, MethodNotAllowed, NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from pyramid_site.api import parsing
from pyramid_site.api.parsing import Strict
from pyramid_site.refusals import Refusal

Item = TypeVar("Item")
Timestamp = NewType("Timestamp", str)


class Listing(TypedDict, Generic[Item]):
    """A page of a list; pass `next` or `previous` as `cursor` to get the neighbouring page."""

    items: list[Item]
    next: str | None
    previous: str | None


class Endpoint(APIView):
    """Checks the caller, the query and the body before a subclass's method runs.

    The mappings are keyed by method; what they do not name is refused. The OpenAPI schema is
    made from the same declarations.
    """

    tag: ClassVar[str]
    player_only: ClassVar[Sequence[str]] = ()  # the methods that need a token
    query_forms: ClassVar[Mapping[str, type[Strict]]] = {}
    body_forms: ClassVar[Mapping[str, type[Strict]]] = {}
    answers: ClassVar[Mapping[str, Mapping[int, Any]]]
    codes: ClassVar[Mapping[str, Sequence[str]]] = {}
    problems: ClassVar[Mapping[str, Any]] = {}  # the shapes of those that say more than others
    throttle_scope: ClassVar[str] = ""  # "SIGNUP": by address, THROTTLE_SIGNUP limits it as well

    http_method_names = ["get", "head", "post", "patch", "delete"]

    query: Mapping[str, Any]
    body: Mapping[str, Any]

    @classmethod
    def needs_player(cls, method: str) -> bool:
        return method in cls.player_only

    def perform_authentication(self, request: Request) -> None:
        try:
            super().perform_authentication(request)
        except (AuthenticationFailed, Refusal):
            request.auth = None
            self.check_throttles(request)  # guesses at tokens and the locked count by address
            raise

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        method = "GET" if request.method == "HEAD" else str(request.method)
        if method not in self.answers:
            raise MethodNotAllowed(method)
        if request.auth is None and self.needs_player(method):
            raise NotAuthenticated
        parsing.check_query(request.META)
        self.query = self._checked(self.query_forms.get(method, Strict), request.query_params)
        if method in ("POST", "PATCH", "DELETE"):
            parsing.check_body(request.META)
            self.body = self._checked(self.body_forms.get(method, Strict), request.data)

    @staticmethod
    def _checked(form: type[Strict], data: Any) -> Mapping[str, Any]:
        if form is Strict and not data:
            return {}  # most requests
        checked = form(data=data)
        checked.is_valid(raise_exception=True)
        return cast(Mapping[str, Any], checked.validated_data)

    @property
    def player_id(self) -> UUID:
        """The caller's id, of a method that needs a player."""
        return cast(UUID, self.request.user.pk)

    @property
    def caller_id(self) -> UUID | None:
        """The caller's id, if a token was sent."""
        return self.player_id if self.request.auth else None

    def answer(
        self,
        body: Mapping[str, Any] | Callable[[], Mapping[str, Any]] | None,
        *,
        status: int = 200,
        version: str | None = None,
        private: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """The reply; 304 without a body where the client has this `version` of it already.

        `version` must change with everything in the body but its clocks; it is named weakly,
        since bodies of one version differ in those. It is read before what it is the version of,
        which a `body` that is a function reads only if need be. `private`: it depends on who asks.
        """
        headers = dict(headers or {})
        if self.request.method in ("GET", "HEAD"):
            headers["Cache-Control"] = "private, no-cache" if private else "no-cache"
            if private:
                headers["Vary"] = "Authorization"
        else:
            headers["Cache-Control"] = "no-store"
        if version is not None:
            headers["ETag"] = f'W/"{version}"'
            known = parse_etags(self.request.headers.get("If-None-Match", ""))
            if status == 200 and ("*" in known or headers["ETag"] in map(_weak, known)):
                return Response(None, status=304, headers=headers)
        return Response(body() if callable(body) else body, status=status, headers=headers)


def _weak(etag: str) -> str:
    return etag if etag.startswith("W/") else f"W/{etag}"


def timestamp(instant: datetime) -> Timestamp:
    """RFC 3339 in UTC with ms, as `2026-11-30T00:00:00.000Z`."""
    return Timestamp(instant.strftime("%Y-%m-%dT%H:%M:%S.") + f"{instant.microsecond // 1000:03}Z")


def optional_timestamp(instant: datetime | None) -> Timestamp | None:
    """`timestamp`, null where there is no instant yet."""
    return None if instant is None else timestamp(instant)
