"""Who may do what: every route by every caller (E). A route without a row fails."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import transaction
from django.urls import URLPattern, URLResolver, get_resolver

from tests.api.client import BASE, PASSWORD, Client, Json, claimed, sign_up
from tests.api.routes import endpoints
from tests.builders import publish_short, seal
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core

BOARD = "/deals/{day}/{challenge}/leaderboard"


class Row(NamedTuple):
    """A request, and the statuses that callers get for it.

    `{attempt}` is a ranked attempt of the owner's and `{day}` its day, of today or sealed. Staff
    come with the session of the admin, which the API does not know; with a token of their own
    they would be players like others.
    """

    request: str
    anonymous: int
    other: int
    guest: int
    owner: int
    staff: int
    body: Json = None
    sealed: bool = False
    base: str = BASE


outside = partial(Row, base="")
ROWS = [
    # Players
    Row("POST /players", 201, 201, 201, 201, 201),
    Row("GET /players/{name}", 200, 200, 200, 200, 200),
    Row("POST /auth/login", 200, 200, 200, 200, 200,
        {"name": "Owner", "password": PASSWORD}),
    Row("POST /auth/logout", 401, 204, 204, 204, 401),
    Row("POST /auth/logout-all", 401, 204, 204, 204, 401),
    Row("POST /auth/reset", 202, 202, 202, 202, 202, {"email": "owner@example.org"}),
    Row("POST /auth/reset/confirm", 401, 401, 401, 401, 401,
        {"key": "x" * 43, "password": "nine rows of cards"}),
    Row("GET /me", 401, 200, 200, 200, 401),
    Row("PATCH /me", 401, 200, 200, 200, 401, {"name": "Another"}),
    Row("DELETE /me", 401, 204, 204, 204, 401),
    Row("POST /me/claim", 401, 409, 200, 409, 401, {"password": PASSWORD}),
    Row("POST /me/password", 401, 204, 403, 204, 401,
        {"old": PASSWORD, "new": "nine rows of cards"}),
    Row("POST /me/email", 401, 202, 403, 202, 401,
        {"email": "new@example.org", "password": PASSWORD}),
    Row("POST /me/email/confirm", 401, 401, 401, 401, 401, {"key": "x" * 43}),
    Row("GET /me/export", 401, 200, 200, 200, 401),
    Row("GET /me/attempts", 401, 200, 200, 200, 401),
    # Deals
    Row("GET /challenges", 200, 200, 200, 200, 200),
    Row("GET /deals", 200, 200, 200, 200, 200),
    Row("GET /deals/today", 200, 200, 200, 200, 200),
    Row("GET /deals/{day}/{challenge}", 200, 200, 200, 200, 200),
    Row("GET /deals/{day}/{challenge}", 200, 200, 200, 200, 200, sealed=True),
    # Attempts
    Row("POST /deals/{day}/{challenge}/attempts", 401, 201, 201, 200, 401),
    Row("POST /deals/{day}/{challenge}/attempts", 401, 201, 201, 201, 401, sealed=True),
    Row("GET /attempts/{attempt}", 404, 404, 404, 200, 404),
    Row("GET /attempts/{attempt}", 200, 200, 200, 200, 200, sealed=True),
    Row("GET /attempts/{attempt}/moves", 404, 404, 404, 200, 404),
    Row("GET /attempts/{attempt}/moves", 200, 200, 200, 200, 200, sealed=True),
    Row("POST /attempts/{attempt}/moves", 401, 404, 404, 200, 401, {"move": "D", "ply": 1}),
    Row("POST /attempts/{attempt}/moves", 401, 404, 404, 409, 401, {"move": "D", "ply": 1},
        sealed=True),
    Row("POST /attempts/{attempt}/resign", 401, 404, 404, 200, 401),
    Row("POST /attempts/{attempt}/resign", 401, 404, 404, 409, 401, sealed=True),
    # Leaderboards
    Row(f"GET {BOARD}", 200, 200, 200, 200, 200),
    Row(f"GET {BOARD}?around=me", 401, 404, 404, 404, 401),
    Row(f"GET {BOARD}?around=me", 401, 404, 404, 404, 401, sealed=True),
    Row(f"GET {BOARD}?group={{group}}", 401, 404, 404, 200, 401),
    Row("GET /deals/{day}/{challenge}/stats", 403, 403, 403, 403, 403),
    Row("GET /deals/{day}/{challenge}/stats", 200, 200, 200, 200, 200, sealed=True),
    Row("GET /leaderboards/{challenge}/{period}", 200, 200, 200, 200, 200),
    Row("GET /leaderboards/{challenge}/{period}?group={group}", 401, 404, 404, 200, 401),
    # Groups
    Row("POST /groups", 401, 201, 201, 201, 401, {"name": "friends"}),
    Row("POST /groups/join", 401, 404, 404, 404, 401, {"code": "NOSUCHCODE"}),
    Row("GET /me/groups", 401, 200, 200, 200, 401),
    Row("GET /groups/{group}", 401, 404, 404, 200, 401),
    Row("POST /groups/{group}/code", 401, 404, 404, 200, 401),
    Row("DELETE /groups/{group}/members/{player}", 401, 404, 404, 204, 401),
    # Not of the API: every page of the admin has a test of its own below
    outside("GET /", 200, 200, 200, 200, 200),
    outside("GET /play/{day}/{challenge}", 302, 302, 302, 302, 302),
    outside("GET /play/{day}/{challenge}", 200, 200, 200, 200, 200, sealed=True),
    outside("GET /leaderboard/{day}/{challenge}", 302, 302, 302, 302, 302),
    outside("GET /leaderboard/{day}/{challenge}", 200, 200, 200, 200, 200, sealed=True),
    outside("GET /archive", 200, 200, 200, 200, 200),
    outside("GET /replay/{attempt}", 200, 200, 200, 200, 200),
    outside("GET /replay/{attempt}", 200, 200, 200, 200, 200, sealed=True),
    outside("GET /profile", 200, 200, 200, 200, 200),
    outside("GET /players/{name}", 200, 200, 200, 200, 200),
    outside("GET /account", 200, 200, 200, 200, 200),
    outside("GET /manifest.webmanifest", 200, 200, 200, 200, 200),
    outside("GET /favicon.ico", 302, 302, 302, 302, 302),
    outside("GET /pictures/{day}/{challenge}.png", 302, 302, 302, 302, 302),
    outside("GET /pictures/{day}/{challenge}.png", 200, 200, 200, 200, 200, sealed=True),
    outside("GET /api/v1/schema", 200, 200, 200, 200, 200),
    outside("GET /api/docs", 200, 200, 200, 200, 200),
    outside("GET /errors/{code}", 200, 200, 200, 200, 200),
    outside("GET /healthz", 200, 200, 200, 200, 200),
    outside("GET /readyz", 200, 200, 200, 200, 200),
    outside("GET /admin", 302, 302, 302, 302, 302),
    outside("GET /admin/", 302, 302, 302, 302, 200),
]  # fmt: skip


def callers(owner: Client) -> Mapping[str, Callable[[], Client]]:
    return {
        "anonymous": Client,
        "other": lambda: claimed("Other"),
        "guest": lambda: sign_up("Guest 7"),
        "owner": lambda: owner,
        "staff": staff,
    }


def staff() -> Client:
    """With the session of a superuser, and no token."""
    client = Client()
    client.django.force_login(User.objects.create_superuser("root"))
    return client


def address(row: Row) -> str:
    """With the parts of it still to be filled in."""
    return row.base + row.request.split(" ")[1]


def named(row: Row) -> str:
    method, _ = row.request.split(" ")
    return f"{method} {address(row)} {'sealed' if row.sealed else ''}".strip()


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_e_every_caller_gets_what_the_matrix_says(
    row: Row, db: None, clock: SimulatedClock
) -> None:
    clock.set("2026-11-29T12:00:00.000Z")
    yesterday = publish_short(day=clock.instant.date())
    owner = claimed("Owner")
    past = owner.begin("one-pass", "D")
    clock.set("2026-11-30T12:00:00.000Z")
    seal(yesterday)
    publish_short()
    present = owner.begin("one-pass", "D")
    group = owner.post("/groups", {"name": "friends"}).body
    path = address(row).format(
        day="2026-11-29" if row.sealed else "today",
        challenge="one-pass",
        attempt=(past if row.sealed else present)["id"],
        name="Owner",
        code="not_found",
        period="week",
        group=group["id"],
        player=owner.player["id"],
    )
    method = row.request.split(" ")[0]
    statuses = {}
    for caller, make in callers(owner).items():
        with transaction.atomic():  # each finds all as it was
            statuses[caller] = status(make(), method, path, row.body)
            transaction.set_rollback(True)
    assert statuses == {caller: getattr(row, caller) for caller in statuses}


def status(client: Client, method: str, path: str, body: Json) -> int:
    content = b"" if body is None else json.dumps(body).encode()
    if path.startswith(BASE):
        return client.request(method, path, content).status
    token = {"Authorization": f"Bearer {client.token}"} if client.token else {}
    return client.django.generic(method, path, content, headers=token).status_code


def routes(patterns: list[URLPattern | URLResolver], prefix: str = "/") -> Iterator[str]:
    """The address of each route, with `{}` for its parts."""
    for pattern in patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, path)
        else:
            yield re.sub(r"<[^>]+>|\(\?P<.*", "{}", path)


def test_e_every_route_has_its_row() -> None:
    of_the_api = {(method, it.template) for it in endpoints() for method in it.methods}
    templates = {template for _, template in of_the_api}
    others = {path for path in routes(get_resolver().url_patterns) if path not in templates}
    outside = {("GET", path) for path in others if not path.startswith("/admin/")}
    rows = {
        (row.request.split(" ")[0], re.sub(r"\{\w+\}", "{}", address(row).partition("?")[0]))
        for row in ROWS
    }
    assert rows == of_the_api | outside | {("GET", "/admin/")}


LOGGED_OUT = ("/admin/logout/", "/admin/")


@pytest.mark.parametrize("caller", ["anonymous", "other", "guest", "owner"])
def test_e_no_page_of_the_admin_opens_to_a_player(
    db: None, clock: SimulatedClock, caller: str
) -> None:
    client = callers(claimed("Owner"))[caller]()
    patterns = admin.site.get_urls()
    paths = [path.replace("{}", "1") for path in routes(patterns, "/admin/")]
    assert len(paths) > 80
    for path in paths:
        for method in ("GET", "POST"):
            token = {"Authorization": f"Bearer {client.token}"} if client.token else {}
            response = client.django.generic(method, path, headers=token)
            if path == "/admin/login/":
                assert response.status_code == 200
            else:
                assert response.status_code == 302, path
                to = response.headers["Location"]
                assert to.startswith("/admin/login/") or (path, to) == LOGGED_OUT, path
