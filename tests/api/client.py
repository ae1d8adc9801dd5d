"""A client that believes no reply: each one is held against the contract before a test sees it."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, cast
from urllib.parse import urlencode, urlsplit

from django.test import Client as DjangoClient
from django.utils.datastructures import CaseInsensitiveMapping
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator, FormatChecker

from players import passwords
from players.models import Player
from pyramid_site import clock

Json = Any
BASE = "/api/v1"
PASSWORD = "seven rows of cards"

STATUS_OF_CODE = {
    "invalid_request": 400,
    "invalid_notation": 400,
    "not_authenticated": 401,
    "invalid_credentials": 401,
    "not_sealed": 403,
    "forbidden": 403,
    "not_found": 404,
    "not_ranked": 404,
    "method_not_allowed": 405,
    "not_acceptable": 406,
    "stale_ply": 409,
    "attempt_over": 409,
    "log_full": 409,
    "nothing_to_undo": 409,
    "deal_closed": 409,
    "name_taken": 409,
    "already_claimed": 409,
    "body_too_large": 413,
    "unsupported_media_type": 415,
    "illegal_move": 422,
    "throttled": 429,
    "internal_error": 500,
    "deal_being_made": 503,
    "unavailable": 503,
}
"""The codes of the contract, copied from it and not from the code."""

RETRY_AFTER = ("throttled", "deal_being_made", "unavailable")
PROBLEM = {"type", "title", "status", "code", "detail"}
FURTHER = {"invalid_request": "errors", "illegal_move": "rule", "stale_ply": "attempt"}

formats = FormatChecker(["uuid", "date"])


@formats.checks("date-time")
def is_timestamp(text: object) -> bool:
    """RFC 3339 in UTC, with exactly three digits of a second's fraction."""
    if not isinstance(text, str):
        return True  # a format is of strings; null is for the type to refuse
    return bool(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", text))


@dataclass(frozen=True)
class Reply:
    """A reply that keeps the contract. `body` is its JSON, None where it has none.

    `headers` are without the id of the request, which no two replies share.
    """

    status: int
    headers: Mapping[str, str]
    body: Json
    content: bytes

    @property
    def code(self) -> str | None:
        """The code of a refusal."""
        return cast(str, self.body["code"]) if self.status >= 400 else None

    @property
    def refusal(self) -> tuple[int, str | None]:
        return self.status, self.code


class Client:
    """One caller: anonymous, or with a token."""

    def __init__(self, token: str | None = None, player: Json = None) -> None:
        self.token = token
        self.player = player
        self.django = DjangoClient()

    def request(
        self,
        method: str,
        path: str,
        content: bytes = b"",
        content_type: str | None = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """A request just as it is given; `path` is below /api/v1 unless it names /api itself."""
        sent = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        response = self.django.generic(
            method,
            path if path.startswith(("/api", "http")) else BASE + path,
            content,
            content_type or "",
            headers={**sent, **(headers or {})},
        )
        content = b"".join(response) if response.streaming else response.content
        reply = Reply(
            response.status_code,
            CaseInsensitiveMapping(
                {name: it for name, it in response.headers.items() if name != "X-Request-Id"}
            ),
            json.loads(content) if content else None,
            content,
        )
        check(method, path, reply)
        return reply

    def get(self, path: str, headers: Mapping[str, str] | None = None, **query: Any) -> Reply:
        return self.request("GET", with_query(path, query), headers=headers)

    def post(self, path: str, body: Json = None) -> Reply:
        return self.request("POST", path, b"" if body is None else json.dumps(body).encode())

    def patch(self, path: str, body: Json) -> Reply:
        return self.request("PATCH", path, json.dumps(body).encode())

    def delete(self, path: str) -> Reply:
        return self.request("DELETE", path)

    def start(self, challenge: str = "one-pass", day: str = "today") -> Reply:
        return self.post(f"/deals/{day}/{challenge}/attempts")

    def attempt(self, attempt_id: str) -> Reply:
        return self.get(f"/attempts/{attempt_id}")

    def move(self, attempt_id: str, move: str, ply: int) -> Reply:
        return self.post(f"/attempts/{attempt_id}/moves", {"move": move, "ply": ply})

    def resign(self, attempt_id: str) -> Reply:
        return self.post(f"/attempts/{attempt_id}/resign")

    def play(self, attempt: Json, *moves: str) -> Json:
        """The attempt after moves that are all accepted."""
        for move in moves:
            reply = self.move(attempt["id"], move, attempt["ply"])
            assert reply.status == 200, reply.body
            assert "Idempotent-Replayed" not in reply.headers
            attempt = reply.body
        return attempt

    def begin(self, challenge: str = "one-pass", *moves: str) -> Json:
        """A new attempt at today's deal, after some moves."""
        reply = self.start(challenge)
        assert reply.status == 201, reply.body
        return self.play(reply.body, *moves)

    def board(self, challenge: str = "one-pass", day: str = "today", **query: Any) -> Reply:
        return self.get(f"/deals/{day}/{challenge}/leaderboard", **query)


def sign_up(name: str | None = None) -> Client:
    """A new guest."""
    reply = Client().post("/players", {} if name is None else {"name": name})
    assert reply.status == 201, reply.body
    return Client(reply.body["token"], reply.body["player"])


def claimed(name: str) -> Client:
    """A player whose password is PASSWORD; no hash is computed for it."""
    client = sign_up(name)
    player = Player.objects.filter(pk=client.player["id"])
    player.update(claimed_at=clock.now(), password=stored_password())
    client.player["guest"] = False
    return client


@cache
def stored_password() -> str:
    return passwords.hashed(PASSWORD)


def log_in(name: str, password: str = PASSWORD) -> Client:
    reply = Client().post("/auth/login", {"name": name, "password": password})
    assert reply.status == 200, reply.body
    return Client(reply.body["token"], reply.body["player"])


def with_query(path: str, query: Mapping[str, object]) -> str:
    return f"{path}?{urlencode(query)}" if query else path


def check(method: str, path: str, reply: Reply) -> None:
    """Holds a reply against the contract's conventions and the OpenAPI schema."""
    assert "Set-Cookie" not in reply.headers
    operation = operation_of(method, urlsplit(path).path)
    if operation and reply.status != 405:
        assert str(reply.status) in operation["responses"], f"{reply.status} is not documented"
    if method == "HEAD" or reply.status in (204, 304):
        assert reply.content == b""
    elif reply.status >= 400:
        check_problem(reply)
    elif operation:
        content = operation["responses"][str(reply.status)].get("content")
        if content is None:
            assert reply.content == b""
            return
        assert reply.headers["Content-Type"] == "application/json"
        validate(reply.body, content["application/json"]["schema"]["$ref"])


def check_problem(reply: Reply) -> None:
    """The one error shape."""
    body = reply.body
    assert reply.headers["Content-Type"] == "application/problem+json"
    assert reply.status == body["status"] == STATUS_OF_CODE[body["code"]]
    assert body["type"].endswith(f"/errors/{body['code']}")
    assert body["title"]
    assert body["detail"]
    assert set(body) - PROBLEM <= {FURTHER.get(body["code"])}
    assert set(body) >= PROBLEM
    assert ("Retry-After" in reply.headers) == (body["code"] in RETRY_AFTER)
    assert ("WWW-Authenticate" in reply.headers) == (reply.status == 401)
    assert "Allow" in reply.headers or reply.status != 405
    for error in body.get("errors", ()):
        assert set(error) == {"field", "code", "detail"}
        assert error["detail"]
    if body["code"] == "illegal_move":
        assert re.fullmatch(r"R\d+", body["rule"])
    if body["code"] == "stale_ply":
        validate(body["attempt"], "#/components/schemas/Attempt")


def validate(body: Json, component: str) -> None:
    validator_of(component).validate(body)


@cache
def validator_of(component: str) -> Draft202012Validator:
    schema = {"$ref": component, "components": document()["components"]}
    return Draft202012Validator(schema, format_checker=formats)


@cache
def document() -> Json:
    """The OpenAPI schema, in which an object has the fields that it names and no other."""
    made = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    document = json.loads(json.dumps(made))
    for schema in document["components"]["schemas"].values():
        if "properties" in schema:
            schema["additionalProperties"] = False
    return document


@cache
def operation_of(method: str, path: str) -> Json | None:
    """What the schema says of a request, if it is one of the schema's."""
    method = "get" if method == "HEAD" else method.lower()
    path = path if path.startswith("/api") else BASE + path
    for template, operations in document()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            return operations.get(method)
    return None
