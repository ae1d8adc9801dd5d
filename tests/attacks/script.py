"""A long random script of requests, and all that was answered to it."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch
from uuid import UUID

from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from games.models import Attempt
from pyramid_site.api.problems import KINDS
from tests.attacks.addresses import Address, addresses
from tests.conftest import SimulatedClock

METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"]
FOR_STAFF = ["GET", "HEAD", "POST"]  # pages, which know no other
READING = ["GET", "HEAD"]
CHALLENGES = ["one-pass", "three-pass", "full-clear", "double"]
DAYS = ["today", "today", "2026-11-30", "2026-11-29", "2026-12-01", "2026-12-02", "2026-02-30"]
QUERIES = [*[""] * 20, "limit=2", "limit=0", "cursor=x", "positions=1", "board=clean", "around=me",
           "around=Ada", "ordering=seed", "challenge=one-pass", "date=2026-11-30", "q=a",
           "k__gt=0", "deal__cards__startswith=K", "format=json"]  # fmt: skip
BODIES = [b"", b"{}", b"[", b'{"name": "Ada"}', b'{"move": "D", "ply": 0}', b'{"seed": ""}']
PLAYERS = ["Ada", "Ben", "Cyd"]


class Exchange(NamedTuple):
    """A request, all that came back, and the statements that the database was sent for it."""

    request: tuple[Any, ...]
    status: int
    headers: dict[str, str]
    cookies: str
    content: bytes
    statements: list[str]


class Script:
    """Requests that are chosen by chance and by the answers so far: equal answers, equal script."""

    guest = "somebody else"

    def __init__(self, clock: SimulatedClock, *, agreed: int) -> None:
        self.clock = clock
        self.agreed = agreed
        self.random = Random(2026)
        self.client = Client(raise_request_exception=False)
        self.staff = {name: signed_in(name) for name in ("operator", "root")}
        self.exchanges: list[Exchange] = []
        self.etags: dict[str, str] = {}
        self.attempts: dict[tuple[str, str], Any] = {}
        self.tokens = {name: self.sign_up(name=name) for name in PLAYERS}
        self.tokens[self.guest] = self.sign_up()

    def run(self, *, steps: int) -> None:
        """Each method at each address, with moves in between."""
        for name in PLAYERS:
            for challenge in CHALLENGES:
                self.start(name, challenge)
        requests = self.random.sample(all_requests := list(every_request()), len(all_requests))
        for number, (address, method) in enumerate(requests):
            if number % max(1, len(requests) // steps) == 0:
                self.step()
            self.visit(address, method)
        with no_clock():
            for address in addresses():
                if not address.of_the_admin:  # which never asks for the time
                    self.visit(address, "GET")

    # One request

    def send(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        by: Client | None = None,
    ) -> Exchange:
        self.clock.advance(ms=self.random.randrange(100))
        client, statements = by or self.client, list[str]()

        def note(execute: Any, sql: str, *rest: Any) -> Any:
            statements.append(re.sub(r"s\d+_x\d+", "savepoint", sql))
            return execute(sql, *rest)

        with connection.execute_wrapper(note):
            form = "application/x-www-form-urlencoded" if by else "application/json"
            reply = client.generic(method, path, body, form, headers=headers)
        exchange = Exchange(
            (method, path, body, headers),
            reply.status_code,
            # The id of a request is 122 random bits of no meaning.
            {name: it for name, it in reply.headers.items() if name != "X-Request-Id"},
            reply.cookies.output(),
            b"".join(reply) if reply.streaming else reply.content,
            statements,
        )
        self.exchanges.append(exchange)
        if etag := reply.headers.get("ETag"):
            self.etags[path] = etag
        return exchange

    def sign_up(self, **body: str) -> str:
        exchange = self.send("POST", "/api/v1/players", json.dumps(body).encode())
        token: str = json.loads(exchange.content)["token"]
        return token

    def visit(self, address: Address, method: str) -> None:
        """The address, in some of its places, as somebody."""
        path = address.filled({part: self.value(address, part) for part in address.parts})
        query = self.random.choice(QUERIES) if method in READING else ""
        path = f"{path}?{query}" if query else path
        body = b"" if method in READING else self.random.choice(BODIES)
        if address.of_the_admin:
            self.visit_as_staff(method, path, b"" if "/auth/user/" in path else body)
            return
        headers = self.some_headers()
        # What is written may be the end of an account, and so is not left to one that plays.
        name = self.random.choice(["", *PLAYERS] if method in READING else ["", self.guest])
        if name:
            headers["Authorization"] = f"Bearer {self.tokens[name]}"
        if self.send(method, path, body, headers).status in (204, 401) and name:
            self.tokens[self.guest] = self.sign_up()

    def visit_as_staff(self, method: str, path: str, body: bytes) -> None:
        name = self.random.choice(list(self.staff))
        self.send(method, path, body, self.some_headers(), by=self.staff[name])
        if path.startswith("/admin/logout"):
            self.staff[name] = signed_in(name)

    def some_headers(self) -> dict[str, str]:
        chance = self.random.random()
        if chance < 0.1:
            return {"Accept": self.random.choice(["text/html", "image/png", "*/*"])}
        if chance < 0.2:
            return {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
        return {}

    def value(self, address: Address, part: str) -> str:
        """Something to stand in an address; what a part that is new here may want is among it."""
        pools: dict[str, list[str]] = {
            "day": DAYS,
            "challenge": [*CHALLENGES, "nonsense"],
            "code": [*KINDS, "nonsense"],
            "app_label": ["games", "players", "leaderboards", "pyramid_site", "auth"],
            "attempt_id": [it["id"] for it in self.attempts.values()] + [str(UUID(int=0))],
        }
        model = address.template.split("/")[2:4]
        if part == "object_id" and "<" not in model[1]:
            rows = apps.get_model(model[0], model[1])._default_manager.order_by("pk")
            return str(self.random.choice([0, *rows.values_list("pk", flat=True)]))
        if part in pools:
            return self.random.choice(pools[part])
        known = [value for pool in pools.values() for value in pool]
        return self.random.choice([*known, *PLAYERS, "1", *self.ids_of_players()])

    def ids_of_players(self) -> list[str]:
        return [str(it) for it in Attempt.objects.order_by("pk").values_list("player", flat=True)]

    # Play, which turns no card over that the twins do not agree on

    def as_player(
        self, name: str, method: str, path: str, body: Any = None, etag: str = ""
    ) -> Exchange:
        content = b"" if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.tokens[name]}"}
        if etag:
            headers["If-None-Match"] = etag
        return self.send(method, f"/api/v1{path}", content, headers)

    def start(self, name: str, challenge: str) -> None:
        exchange = self.as_player(name, "POST", f"/deals/today/{challenge}/attempts")
        self.attempts[name, challenge] = json.loads(exchange.content)

    def step(self) -> None:
        """A move, an undo, or what is refused; now and then the end of an attempt, or a poll."""
        name, challenge = self.random.choice(list(self.attempts))
        attempt = self.attempts[name, challenge]
        if self.random.random() < 0.02:
            self.as_player(name, "POST", f"/attempts/{attempt['id']}/resign")
        if self.etags and self.random.random() < 0.2:
            polled = self.random.choice(list(self.etags))
            for _ in range(2):  # the second time nothing has changed
                self.as_player(name, "GET", polled.removeprefix("/api/v1"), etag=self.etags[polled])
        kind = self.random.random()
        good = [it for it in attempt["legal_moves"] if not self.turns_over(attempt, it)]
        if kind < 0.6 and good:
            move = self.random.choice(good)
        elif kind < 0.75:
            move = "U"
        else:
            move = self.random.choice(
                ["S", "WS", "W", "g1S", "a1", "R", "??", "g4g5", "b1W", "D" * 9]
            )
            if move in attempt["legal_moves"] and self.turns_over(attempt, move):
                return
        ply = attempt["ply"] - (self.random.random() < 0.1)
        self.play(name, challenge, move, max(0, ply))

    def play(self, name: str, challenge: str, move: str, ply: int) -> Exchange:
        attempt_id = self.attempts[name, challenge]["id"]
        body = {"move": move, "ply": ply}
        exchange = self.as_player(name, "POST", f"/attempts/{attempt_id}/moves", body)
        if exchange.status == 200:
            self.attempts[name, challenge] = json.loads(exchange.content)
        return exchange

    def turns_over(self, attempt: Any, move: str) -> bool:
        """Whether the move may show a card that the twins do not agree on."""
        stock = attempt["position"]["stock"]
        agreed_left = self.hidden(attempt) > self.hidden_at_the_end(attempt)
        return (move == "D" or "S" in move) and "??" in stock[:2] and not agreed_left

    def hidden(self, attempt: Any) -> int:
        return int(attempt["position"]["stock"].count("??"))

    def hidden_at_the_end(self, attempt: Any) -> int:
        size = {"one-pass": 49, "double": 59}.get(attempt["challenge"], 24)  # of the stocks
        return -self.agreed if self.agreed < 0 else size - self.agreed


def signed_in(name: str) -> Client:
    """Somebody of the staff, at a browser."""
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(username=name))
    return client


def every_request() -> Iterator[tuple[Address, str]]:
    """Each method at each address; of the admin, which has many, those that it knows."""
    for address in addresses():
        for method in FOR_STAFF if address.of_the_admin else [*METHODS, *["GET"] * 5]:
            yield address, method


@contextmanager
def no_clock() -> Iterator[None]:
    """Inside, whatever asks the database for the time fails in a way that nobody foresaw."""
    with patch("pyramid_site.clock.sql", lambda: "no_such_clock()"):
        yield
