"""What a request costs grows with its size, and not with the square of it (D)."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from time import thread_time
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from pytest_django import Settings
from rest_framework.exceptions import ParseError

from games import engine
from games.engine.errors import NotationError
from players import lookalikes, names
from players.models import Player
from pyramid_site import paging, wsgi
from pyramid_site.api import parsing, throttles
from pyramid_site.refusals import Refusal

pytestmark = pytest.mark.django_db

BAD = "[]"  # a body that is refused before the database is asked
FIELD = 8_000  # bytes: about what gunicorn takes for one field of a head
QUERY = 1_900
RULES = engine.RULE_SETS["one-pass"]
Text = Callable[[int], str]


def repeated(part: str, before: str = "", after: str = "") -> Text:
    """A text of about so many bytes: a part again and again."""
    return lambda size: before + part * (size // len(part)) + after


BODIES = {
    "escaped quotes in a string without an end": repeated('\\"', '"'),
    "escaped quotes in a string": repeated('\\"', '{"name": "', '"}'),
    "escaped quotes, then lists": repeated('\\"', '{"name": "', '", "x": ' + "[" * 5_000),
    "escaped backslashes": repeated("\\\\", '"'),
    "quotes": repeated('"'),
    "empty strings": repeated('"",', "[", "0]"),
    "many keys": lambda size: "{" + ",".join(f'"{n}":0' for n in range(size // 8)) + "}",
    "one key": repeated('"a":0,', "{", '"a":0}'),
    "open lists": repeated("["),
    "closed lists": repeated("]"),
    "lists": repeated("[],", "[", "[]]"),
    "objects": repeated('{"a":', "", "0"),
    "digits": repeated("9"),
    "a number": repeated("9", '{"ply": ', ".5}"),
    "numbers": repeated("9" * 4_000 + ",", "[", "0]"),
    "halves of characters": repeated("\\ud800", '{"name": "', '"}'),
    "combining marks": repeated("\u0301\u0316", '{"name": "a', '"}'),
    "blanks": repeated(" ", "{", "}"),
    "a letter": repeated("x", '{"name": "', '"}'),
}

FORMS = {
    "a name of marks": lambda size: "username=a" + "\u0301\u0316" * (size // 4) + "&password=x",
    "fields": repeated("a=&"),
    "escapes": repeated("%41", "username="),
    "plus": repeated("+", "username=", "&password=x"),
}

HEADERS = {
    "HTTP_COOKIE": {
        "backslashes": repeated("\\", 'sessionid="', '"'),
        "escaped quotes": repeated('\\"', 'sessionid="', '"'),
        "octal": repeated("\\101", 'sessionid="', '"'),
        "semicolons": repeated(";a"),
        "equals": repeated("=", "a"),
        "quotes": repeated('"', "a="),
        "our own": repeated("; language=de"),
    },
    "CONTENT_TYPE": {
        "semicolons": repeated(";", "application/json"),
        "quoted semicolons": repeated(";", 'application/json; a="'),
        "parameters": repeated(";a=b", "application/json"),
        "escaped quotes": repeated('\\";', 'application/json; a="'),
        "stars": repeated(";a*=b''c", "application/json"),
    },
    "HTTP_ACCEPT": {
        "semicolons": repeated(";", "text/html"),
        "quoted semicolons": repeated(";", 'text/html; a="'),
        "types": repeated("text/html,"),
        "parameters": repeated("a/b;c=d,"),
        "stars": repeated("*/*,"),
    },
    "HTTP_IF_NONE_MATCH": {
        "tags": repeated('"a",'),
        "quotes": repeated('"'),
        "commas": repeated(","),
        "blanks": repeated(" ", '"a"', "b"),
        "weak": repeated("W/"),
    },
    "HTTP_AUTHORIZATION": {
        "blanks": repeated(" ", "Bearer ", "\t"),
        "token": repeated("a", "Bearer "),
        "equals": repeated("=", "Bearer "),
    },
    "HTTP_X_FORWARDED_FOR": {
        "commas": repeated(","),
        "colons": repeated(":"),
        "digits": repeated("1"),
        "zones": repeated("1", "fe80::1%"),
    },
    "HTTP_ACCEPT_LANGUAGE": {
        "tags": repeated("de-AT;q=0.5,"),
        "dashes": repeated("a-", "de-"),
        "blanks": repeated(" ", "de", ";"),
    },
    "HTTP_ACCEPT_ENCODING": {"codings": repeated("gzip,"), "blanks": repeated(" ", "gzip")},
    "HTTP_ORIGIN": {"slashes": repeated("/", "http:"), "brackets": repeated("[", "http://")},
    "HTTP_RANGE": {"ranges": repeated("0-1,", "bytes=")},
    "HTTP_IF_MODIFIED_SINCE": {
        "blanks": repeated(" ", "Mon,"),
        "words": repeated("Mon ", ""),
        "digits": repeated("1", "Mon, 01 Jan "),
    },
    "HTTP_X_REQUEST_ID": {"a letter": repeated("x")},
    "HTTP_CONTENT_ENCODING": {"codings": repeated("identity,")},
    "HTTP_REFERER": {"slashes": repeated("/", "http://a")},
    "HTTP_X_CSRFTOKEN": {"a letter": repeated("x")},
}
HEADS = [(name, label) for name, families in HEADERS.items() for label in families]
READ_BY = {"HTTP_ACCEPT_LANGUAGE": "/", "HTTP_RANGE": "/static/", "HTTP_REFERER": "/admin/login/",
           "HTTP_X_CSRFTOKEN": "/admin/login/"}  # fmt: skip

QUERIES = {
    "ampersands": repeated("&"),
    "keys": repeated("a&"),
    "limits": repeated("&limit=1"),
    "percents": repeated("%"),
    "escapes": repeated("%41"),
    "plus": repeated("+"),
    "a cursor of lists": repeated("W1tb", "cursor="),
    "a cursor": repeated("A", "cursor="),
}
PATHS = {
    "slashes": repeated("/"),
    "dots": repeated("../"),
    "a name": repeated("x", "/api/v1/players/"),
    "marks": repeated("\u0301\u0316", "/api/v1/players/a"),
    "dashes": repeated("-", "/api/v1/attempts/"),
    "a day": repeated("1-", "/api/v1/deals/2026-"),
    "static": repeated("../", "/static/"),
}
TEXTS: dict[str, tuple[Callable[[str], object], Text, int]] = {
    "a move": (lambda it: engine.parse_move(it, RULES), repeated("g1"), 16_000),
    "a log": (lambda it: engine.parse_log(it, RULES), repeated("D "), 16_000),
    "a log of nonsense": (lambda it: engine.parse_log(it, RULES), repeated("x "), 16_000),
    "rules": (engine.parse_rules, repeated("1", "rows="), 16_000),
    "a name": (names.cleaned, repeated("x"), 200),
    "a name of marks": (names.cleaned, repeated("\u0301\u0316", "a"), 200),
    "a name of words": (names.cleaned, repeated("a "), 200),
    "a name of digits": (names.cleaned, repeated("1"), 200),
    "a name that grows": (names.key, repeated("\ufdfa"), 200),
    "a key of marks": (names.key, repeated("\u0301\u0316", "a"), 16_000),
    "a look": (lookalikes.skeleton, repeated("\u0301\u0316", "a"), 200),
    "a rate": (throttles.parse_rate.__wrapped__, repeated("1"), 4_000),
    "an address": (throttles.line_of, repeated(":"), 8_000),
    "a query": (lambda it: parsing.check_query({"QUERY_STRING": it}), repeated("%41"), QUERY),
    "a cursor": (lambda it: paging.Keys(("name",)).anchor(Player, it), repeated("W1tb"), 500),
}


@pytest.fixture(autouse=True)
def connection_kept() -> Iterator[None]:
    """As Django's own test client does: a request would close that of the test."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def begin(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
    """Take the head of a reply, which nobody looks at here."""


def ask(address: str, body: str = "", **environ: str) -> None:
    """Sends a request to the application that gunicorn serves, and reads all that it answers."""
    path, _, query = address.partition("?")
    content = body.encode()
    request = {
        "REQUEST_METHOD": "POST" if body else "GET",
        "REMOTE_ADDR": "127.0.0.1",
        "PATH_INFO": path.encode().decode("latin-1"),
        "QUERY_STRING": query,
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(content)),
        "wsgi.input": BytesIO(content),
        **environ,
    }
    setup_testing_defaults(request)
    answer = wsgi.application(request, begin)
    for _ in answer:
        pass
    if close := getattr(answer, "close", None):
        close()


def seconds(call: Callable[[str], object], text: str) -> float:
    """Of the processor, for this thread alone: the least of some calls."""
    taken = []
    for _ in range(3):
        start = thread_time()
        with suppress(NotationError, Refusal, ParseError, ValueError):
            call(text)
        taken.append(thread_time() - start)
    return min(taken)


def check_growth(call: Callable[[str], object], text: Text, most: int) -> None:
    """Eight times as much takes about eight times as long, where 64 times would be the square."""
    none, some, all_of_it = (seconds(call, text(size)) for size in (0, most // 8, most))
    assert all_of_it - none <= 24 * max(some - none, none / 4, 20e-6), (none, some, all_of_it)


@pytest.mark.parametrize("family", BODIES)
def test_d_a_body_costs_by_its_size(family: str) -> None:
    check_growth(lambda text: ask("/api/v1/players", text), BODIES[family], parsing.MAX_BODY - 50)


@pytest.mark.parametrize("family", FORMS)
def test_d_a_form_costs_by_its_size(family: str) -> None:
    def send(text: str) -> None:
        ask("/admin/login/", text, CONTENT_TYPE="application/x-www-form-urlencoded")

    check_growth(send, FORMS[family], parsing.MAX_BODY - 50)


@pytest.mark.parametrize(("field", "family"), HEADS)
def test_d_a_field_of_the_head_costs_by_its_size(
    field: str, family: str, settings: Settings
) -> None:
    settings.TRUSTED_PROXIES = 1
    address = READ_BY.get(field, "/api/v1/players")
    check_growth(lambda text: ask(address, BAD, **{field: text}), HEADERS[field][family], FIELD)


@pytest.mark.parametrize("family", QUERIES)
def test_d_a_query_costs_by_its_size(family: str) -> None:
    check_growth(lambda text: ask(f"/api/v1/deals?{text}"), QUERIES[family], QUERY)


@pytest.mark.parametrize("family", PATHS)
def test_d_a_path_costs_by_its_size(family: str) -> None:
    check_growth(ask, PATHS[family], 4_000)


@pytest.mark.parametrize("family", TEXTS)
def test_d_a_text_costs_by_its_size(family: str) -> None:
    check_growth(*TEXTS[family])
