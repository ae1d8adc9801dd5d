"""Bad bodies and bad queries, at every endpoint: refused in the one shape, and nothing changes."""

import json

import pytest

from tests.api.client import Client
from tests.api.routes import Route, endpoints
from tests.builders import nothing_changes, publish_short

pytestmark = pytest.mark.core

KIB_16 = 16 * 1024
ROUTES = endpoints()
WRITING = [route for route in ROUTES if "POST" in route.methods]
READING = [route for route in ROUTES if "GET" in route.methods]

BAD_BODIES = {
    "not JSON": b"move=D&ply=0",
    "cut off": b'{"move": "D", "ply": 0',
    "followed by more": b'{"move": "D", "ply": 0} {}',
    "single quotes": b"{'move': 'D'}",
    "a comment": b'{"move": "D", /* first */ "ply": 0}',
    "a comma too many": b'{"move": "D", "ply": 0,}',
    "a list": b'[{"move": "D", "ply": 0}]',
    "an empty list": b"[]",
    "a string": b'"D"',
    "a number": b"0",
    "true": b"true",
    "null": b"null",
    "blanks": b" \r\n\t ",
    "an unknown key": b'{"time": 0}',
    "a null under an unknown key": b'{"time": null}',
    "keys in another case": b'{"Move": "D", "PLY": 0, "Name": "Cyd"}',
    "an empty key": b'{"": 1}',
    "half a character as a key": b'{"\\ud800": 1}',
    "a NUL in a key": b'{"\\u0000": 1}',
    "a prototype": b'{"__proto__": {}}',
    "a duplicate key": b'{"move": "D", "ply": 0, "ply": 0}',
    "a duplicate key, escaped": b'{"name": "Cyd", "n\\u0061me": "Cyd"}',
    "a duplicate key further down": b'{"a": [{"b": 1, "b": 1}]}',
    "NaN": b'{"move": "D", "ply": NaN}',
    "Infinity": b'{"move": "D", "ply": Infinity}',
    "-Infinity": b'{"move": "D", "ply": -Infinity}',
    "a float beyond all": b'{"move": "D", "ply": 1e999}',
    "an integer of 5,000 digits": b'{"move": "D", "ply": ' + b"1" * 5_000 + b"}",
    "a leading zero": b'{"move": "D", "ply": 00}',
    "a plus": b'{"move": "D", "ply": +1}',
    "lists 16,000 deep": b"[" * 16_000,
    "lists 8,000 deep, closed": b"[" * 8_000 + b"]" * 8_000,
    "objects 2,500 deep": b'{"a":' * 2_500,
    "a move 8,000 deep": b'{"move": ' + b"[" * 8_000 + b"]" * 8_000 + b', "ply": 0}',
    "depth behind a quote": b'{"\\"": ' + b"[" * 8_000 + b"]" * 8_000 + b"}",
    "depth behind many quotes": b'{"'
    + b'\\"' * 2_000
    + b'": '
    + b"[" * 4_000
    + b"]" * 4_000
    + b"}",
    "depth behind a backslash": b'{"\\\\": ' + b"[" * 8_000 + b"]" * 8_000 + b"}",
    "depth between strings": b'["\\"",' * 2_700 + b"0",
    "escaped quotes without an end": b'"' + b'\\"' * 8_000,
    "Latin-1": '{"name": "Zoë"}'.encode("latin-1"),
    "UTF-16": '{"name": "Cyd"}'.encode("utf-16"),
    "UTF-8 cut in half": '{"name": "Zoë'.encode()[:-1] + b'"}',
    "UTF-8 of half a character": b'{"name": "Cyd\xed\xa0\x80"}',
    "overlong UTF-8": b'{"name": "Cyd\xc0\x80"}',
    "a byte order mark": b"\xef\xbb\xbf{}",
    "a raw control character": b'{"name": "Cyd\x01"}',
    "a raw NUL": b'{"name": "Cyd\x00"}',
    "almost 16 KiB": b'{"a": "' + b"x" * (KIB_16 - 9) + b'"}',
}


@pytest.mark.parametrize("route", WRITING, ids=lambda route: route.path)
def test_a_bad_body_is_refused_everywhere(ada: Client, route: Route) -> None:
    publish_short()
    with nothing_changes():
        for named, body in BAD_BODIES.items():
            reply = ada.request("POST", route.path, body)
            assert reply.refusal == (400, "invalid_request"), named


@pytest.mark.parametrize(
    ("named", "detail"),
    [
        ("Latin-1", "The body is not UTF-8."),
        ("UTF-8 of half a character", "The body is not UTF-8."),
        ("NaN", "The body is not JSON: NaN is no JSON value."),
        ("-Infinity", "The body is not JSON: -Infinity is no JSON value."),
        ("lists 16,000 deep", "The body is nested too deeply."),
    ],
)
def test_the_refusal_of_a_bad_body_says_what_is_wrong(ada: Client, named: str, detail: str) -> None:
    assert ada.request("POST", "/players", BAD_BODIES[named]).body["detail"] == detail


def test_the_refusal_of_a_query_that_is_not_utf_8_says_so(ada: Client) -> None:
    assert ada.get("/deals?limit=%ff").body["detail"] == "The query is not UTF-8."


@pytest.mark.parametrize("route", WRITING, ids=lambda route: route.path)
def test_a_body_over_16_kib_is_too_large(ada: Client, route: Route) -> None:
    publish_short()
    with nothing_changes():
        for size in (KIB_16 + 1, 3 * 1024 * 1024):
            for filling in (b" ", b"[", b"\xff"):
                reply = ada.request("POST", route.path, filling * size)
                assert reply.refusal == (413, "body_too_large")
        at_most = ada.request("POST", route.path, b"[]".ljust(KIB_16))
        assert at_most.refusal == (400, "invalid_request")


@pytest.mark.parametrize("route", WRITING, ids=lambda route: route.path)
def test_bodies_are_json_in_utf8_only(ada: Client, route: Route) -> None:
    publish_short()
    others = ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain",
              "text/json", "application/xml", "application/jsonx", "application/merge-patch+json",
              "application/octet-stream", "json", "text/html; charset=utf-8", ";", "é"]  # fmt: skip
    with nothing_changes():
        for content_type in others:
            reply = ada.request("POST", route.path, b"{}", content_type)
            assert reply.refusal == (415, "unsupported_media_type"), content_type
        for charset in ("latin-1", "utf-16", "ascii", "utf-7", "x", "base64"):
            reply = ada.request("POST", route.path, b"{}", f"application/json; charset={charset}")
            assert reply.refusal == (400, "invalid_request"), charset


@pytest.mark.parametrize("content_type", ["application/json", "application/json; charset=UTF-8"])
def test_json_in_utf8_is_taken(ada: Client, content_type: str) -> None:
    publish_short()
    path = f"/attempts/{ada.begin()['id']}/moves"
    assert ada.request("POST", path, b' {"ply":0,\n"move":"\\u0044"} ', content_type).status == 200


NO_PLY = ["0", 0.0, 1.0, 1e3, True, False, None, -1, [], [0], {}, "",
          "\uff11", "0x1"]  # fmt: skip
NO_TEXT = [1, 0, 1.5, True, None, [], ["D"], {}, {"move": "D"}, "\ud800",
           "D\udfff"]  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value"),
    [*(("ply", value) for value in NO_PLY), *(("move", value) for value in NO_TEXT)],
)
def test_a_move_takes_strings_and_integers_only(ada: Client, field: str, value: object) -> None:
    publish_short()
    attempt = ada.begin()
    with nothing_changes():
        reply = ada.post(f"/attempts/{attempt['id']}/moves", {"move": "D", "ply": 0, field: value})
    assert reply.refusal == (400, "invalid_request")
    assert [error["field"] for error in reply.body["errors"]] == [field]
    assert ada.attempt(attempt["id"]).body == attempt


@pytest.mark.parametrize("body", [b"", b"{}", b'{"move": "D"}', b'{"ply": 0}'])
def test_a_move_needs_both_its_fields(ada: Client, body: bytes) -> None:
    publish_short()
    attempt = ada.begin()
    with nothing_changes():
        reply = ada.request("POST", f"/attempts/{attempt['id']}/moves", body)
    assert reply.refusal == (400, "invalid_request")
    missing = {"move", "ply"} - set(json.loads(body or b"{}"))
    assert {error["field"] for error in reply.body["errors"]} == missing


@pytest.mark.parametrize("field", ["at_ms", "elapsed_ms", "started_at", "status", "ranked", "seed"])
def test_b4_no_client_says_what_only_the_server_knows(ada: Client, field: str) -> None:
    publish_short()
    with nothing_changes():
        started = ada.post("/deals/today/one-pass/attempts", {field: 0})
    assert started.refusal == (400, "invalid_request")
    attempt = ada.begin()
    with nothing_changes():
        for path, body in (("moves", {"move": "D", "ply": 0, field: 0}), ("resign", {field: 0})):
            reply = ada.post(f"/attempts/{attempt['id']}/{path}", body)
            assert reply.refusal == (400, "invalid_request")
            assert [error["field"] for error in reply.body["errors"]] == [field]


@pytest.mark.parametrize(
    "name",
    [1, 1.5, True, None, [], {}, "", "  ", "Al", "x" * 25, "x" * 200, "Cyd\x00", "\ud800Cyd",
     "Cyd\u202e", "Cyd\u200b", "Cy\nd", "C\u0007d", "...", "a  b"],
)  # fmt: skip
def test_what_is_no_name_is_refused(anyone: Client, name: object) -> None:
    with nothing_changes():
        reply = anyone.post("/players", {"name": name})
    assert reply.refusal == (400, "invalid_request")
    assert [error["field"] for error in reply.body["errors"]] == ["name"]


BAD_QUERIES = ["ordering=seed", "x=1", "x=", "x", "=1", "Limit=5", "page=2", "format=api", "%00=1",
               "%ff=1", "%ED%A0%80=1", "token=x"]  # fmt: skip
BAD_PAGES = ["limit=0", "limit=-1", "limit=1001", "limit=x", "limit=1.0", "limit=1e1", "limit=true",
             "limit=null", "limit=", "limit=%00", "limit=%D9%A1", "limit=1_0", "limit=%201",
             "limit=99999999999999999999", "limit=1&limit=1", "limit[]=1", "cursor=", "cursor=x",
             "cursor=%00", "cursor=bnVsbA", "cursor=W10", "cursor=WyJhIl0", "cursor=" + "A" * 501,
             "cursor=WyJhIixudWxsXQ", "cursor=WyJhIixudWxsLG51bGxd", "cursor=WyJjIiwxXQ",
             "cursor=WyJhIixbXV0", "cursor=WyJhIix7fV0", "cursor=WyJhIiwiXHUwMDAwIl0",
             "cursor=WyJhIiwiXHUwMDAwIiwiXHUwMDAwIl0", "cursor=WyJhIiwiXHVkODAwIiwiXHVkODAwIl0",
             "cursor=WyJhIiwxZTk5OSwxXQ", "cursor=WyJhIixOYU5d", "cursor=x&cursor=x",
             "cursor=%F0%9F%82%A1", "cursor=W1tbW1tbW1tbW1tb"]  # fmt: skip


@pytest.mark.parametrize("route", READING, ids=lambda route: route.path)
def test_a_bad_query_is_refused_everywhere(ada: Client, route: Route) -> None:
    publish_short()
    path = route.path.replace("00000000-0000-0000-0000-000000000000", ada.begin()["id"])
    with nothing_changes():
        for query in BAD_QUERIES + (BAD_PAGES if "GET" in route.readers else []):
            reply = ada.get(f"{path}?{query}")
            assert reply.refusal == (400, "invalid_request"), query
        assert ada.request("HEAD", f"{path}?x=1").status == 400


@pytest.mark.parametrize(
    "query",
    ["date=today", "date=2026-02-30", "date=20261130", "date=2026-11-30T00:00:00",
     "date=%00", "date=", "date=2026-1-3", "date=%D9%A2026-11-30", "challenge=", "challenge=%00",
     "challenge=" + "x" * 41, "date=2026-11-30&date=2026-11-30"],
)  # fmt: skip
def test_a_bad_filter_is_refused(ada: Client, query: str) -> None:
    assert ada.get(f"/me/attempts?{query}").refusal == (400, "invalid_request")


def test_a_query_is_refused_where_a_body_is_read(ada: Client) -> None:
    publish_short()
    with nothing_changes():
        for route in WRITING:
            reply = ada.request("POST", f"{route.path}?x=1", b"{}")
            assert reply.refusal == (400, "invalid_request")
