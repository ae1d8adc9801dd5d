"""Cursors: only a list's own ones are taken."""

import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test import Client

from games import attempts
from games.api.attempts import LOG, NEWEST
from games.api.deals import ARCHIVE
from games.models import Attempt, DailyDeal, LoggedMove
from leaderboards.boards import ORDER
from leaderboards.models import Result
from players import accounts
from pyramid_site.paging import Keys
from pyramid_site.refusals import Refusal
from tests import builders
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core

Lists = dict[str, tuple[Keys, QuerySet[Any], str]]
"""By name: an order, its rows, and a cursor that the list gave out."""


@pytest.fixture
def lists(db: None, clock: SimulatedClock) -> Lists:
    for number in (28, 29):
        deal = builders.publish_short(day=builders.DAY.replace(day=number))
        clock.instant = deal.opens_at
        player = accounts.sign_up(name=None).player
        for one in (player, accounts.sign_up(name=None).player):
            attempt, _ = attempts.start(deal=deal, player_id=one.pk)
            for ply, move in enumerate(builders.SHORT_LINE):
                attempts.play(attempt_id=attempt.pk, player_id=one.pk, move=move, ply=ply)
    lists: dict[str, tuple[Keys, QuerySet[Any]]] = {
        "board": (ORDER, Result.objects.filter(deal=deal)),
        "log": (LOG, LoggedMove.objects.filter(attempt=attempt)),
        "attempts": (NEWEST, Attempt.objects.all()),
        "archive": (ARCHIVE, DailyDeal.objects.all()),
    }
    return {
        name: (keys, rows, str(keys.page(rows, cursor=None, limit=1).next))
        for name, (keys, rows) in lists.items()
    }


NAMES = ("board", "log", "attempts", "archive")


def encoded(document: object) -> str:
    text = document if isinstance(document, str) else json.dumps(document)
    return urlsafe_b64encode(text.encode("utf-8", "surrogatepass")).decode().rstrip("=")


def refused(keys: Keys, rows: QuerySet[Any], cursor: str) -> bool:
    try:
        keys.page(rows, cursor=cursor, limit=10)
    except Refusal as refusal:
        return refusal.code == "invalid_request"
    return False


@pytest.mark.parametrize("name", NAMES)
def test_a_list_takes_its_own_cursors(name: str, lists: Lists) -> None:
    keys, rows, cursor = lists[name]
    second = keys.page(rows, cursor=cursor, limit=1)
    assert len(second.items) == 1
    assert second.items != keys.page(rows, cursor=None, limit=1).items
    assert keys.page(rows, cursor=second.previous, limit=1).items == list(
        rows.order_by(*(("-" if keys.descending else "") + it for it in keys.columns))[:1]
    )


@pytest.mark.parametrize("name", NAMES)
def test_d_another_list_s_cursor_is_refused(name: str, lists: Lists) -> None:
    keys, rows, _ = lists[name]
    others = [cursor for other, (_, _, cursor) in lists.items() if other != name]
    assert len(others) == 3
    assert all(refused(keys, rows, cursor) for cursor in others)


GARBAGE = [
    "",
    " ",
    "a",
    "AAAA",
    "\0",
    "é",
    "\N{GREEK SMALL LETTER ALPHA}",
    "=" * 40,
    "-_-_",
    "null",
    "x" * 500,
    encoded("not json"),
    encoded("nul"),
    encoded("NaN"),
    encoded("[" * 300),
    encoded("[" * 100_000),
    encoded("[" * 300 + "]" * 300),
    encoded("1" * 5_000),
    encoded(None),
    encoded(1),
    encoded("a"),
    encoded('"a"'),
    encoded([]),
    encoded({}),
    encoded({"a": 1}),
    encoded(["a"]),
    encoded(["b"]),
    encoded(["c", 1]),
    encoded([None, 1]),
    encoded([["a"], 1]),
    encoded([0, 1]),
    encoded([True, 1]),
]


@pytest.mark.parametrize("cursor", GARBAGE)
@pytest.mark.parametrize("name", NAMES)
def test_d_garbage_is_refused(name: str, cursor: str, lists: Lists) -> None:
    keys, rows, _ = lists[name]
    assert refused(keys, rows, cursor)


WRONG_VALUES = [
    None,
    True,
    False,
    "",
    " ",
    "\0",
    "one-pass\0",
    "\ud800",
    "é",
    "x" * 300,
    "%",
    "1",
    "01",
    "1_0",
    "٣",
    1.0,
    1.5,
    1e308,
    float("nan"),
    float("inf"),
    -1,
    2**31,
    2**63,
    2**64,
    10**400,
    -(2**63) - 1,
    [],
    [1],
    ["one-pass"],
    {},
    {"a": 1},
    "today",
    "2026-11-31",
    "20261129",
    "2026-W48-7",
    "2026-11-29T00:00:00",
    "2026-11-29T00:00:00+00:00",
    "2026-11-29T01:00:00+01:00",
    "10000-01-01T00:00:00Z",
    "0000-01-01",
    "{00000000-0000-0000-0000-000000000000}",
    "00000000000000000000000000000000",
    "urn:uuid:00000000-0000-0000-0000-000000000000",
    "FFFFFFFF-0000-0000-0000-000000000000",
]


def might_have_been(column: str, value: object) -> bool:
    """Whether a row could have had it: a cursor outlives its row."""
    if column == "challenge_id":
        return isinstance(value, str) and bool(re.fullmatch(r"[-\w]{1,40}", value, re.ASCII))
    wide = ["ranked_ms"]
    if connection.vendor == "sqlite":  # its integers all have 64 bits
        wide += ["undo_count", "number"]
    return column in wide and value == 2**31


@pytest.mark.parametrize("name", NAMES)
def test_d_a_value_that_the_column_could_not_have_is_refused(name: str, lists: Lists) -> None:
    keys, rows, _ = lists[name]
    right = [*map(plain, keys.of(rows[0]))]
    for place, column in enumerate(keys.columns):
        for wrong in WRONG_VALUES:
            cursor = encoded(["a", *right[:place], wrong, *right[place + 1 :]])
            if might_have_been(column, wrong):
                keys.page(rows, cursor=cursor, limit=1)
            else:
                assert refused(keys, rows, cursor), (column, wrong)


def plain(value: Any) -> Any:
    """A key as a cursor spells it."""
    if isinstance(value, int):
        return value
    text = value.isoformat() if hasattr(value, "isoformat") else str(value)
    return text.replace("+00:00", "Z")


@pytest.mark.parametrize("name", NAMES)
def test_d_too_few_and_too_many_values_are_refused(name: str, lists: Lists) -> None:
    keys, rows, _ = lists[name]
    values = [*map(plain, keys.of(rows[0]))]
    for wrong in (values[:-1], values[1:], [*values, values[-1]], [*values, None]):
        assert refused(keys, rows, encoded(["a", *wrong]))


@pytest.mark.parametrize("name", NAMES)
def test_d_another_spelling_of_a_cursor_is_refused(name: str, lists: Lists) -> None:
    keys, rows, cursor = lists[name]
    values: Sequence[Any] = ["a", *map(plain, keys.of(rows[0]))]
    for other in (
        f"{cursor}=",
        f" {cursor}",
        f"{cursor}\n",
        f"{cursor[:5]}!{cursor[5:]}",
        f"{cursor}é",
        encoded(json.dumps(values, separators=(",", ":"))),
        encoded(json.dumps(values, indent=1)),
    ):
        assert refused(keys, rows, other)


@pytest.mark.parametrize("cursor", [*GARBAGE[1:8], encoded(["a", "2026-11-29", "one-pass\0"])])
def test_d_over_http_a_bad_cursor_is_a_problem(
    cursor: str, lists: Lists, client: Client, clock: SimulatedClock
) -> None:
    for address in ("deals", "deals/2026-11-29/one-pass/leaderboard"):
        response = client.get(f"/api/v1/{address}", {"cursor": cursor})
        assert response.status_code == 400
        assert response.json()["code"] == "invalid_request"
