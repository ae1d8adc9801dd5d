"""What holds for every endpoint: versions, caches, origins, HEAD, and the schema itself."""

import re

import pytest

from games.models import DailyDeal
from tests.api.client import Client, Json, Reply
from tests.api.routes import endpoints
from tests.builders import SHORT_LINE, nothing_changes, publish_short, seal
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core
EXPOSED = {"etag", "retry-after", "idempotent-replayed", "link", "x-request-id"}
PUBLIC = ["/challenges", "/deals", "/deals/today", "/deals/today/one-pass",
          "/deals/today/one-pass/leaderboard"]  # fmt: skip


@pytest.fixture
def deal(db: None, clock: SimulatedClock) -> DailyDeal:
    return publish_short()


@pytest.fixture
def attempt(ada: Client, deal: DailyDeal) -> Json:
    return ada.begin("one-pass", "D")


def polled(attempt: Json) -> list[str]:
    """The GETs that clients poll."""
    board = "/deals/today/one-pass/leaderboard"
    return [f"/attempts/{attempt['id']}", f"/attempts/{attempt['id']}/moves", "/deals/today",
            "/deals/today/one-pass", board, f"{board}?board=clean"]  # fmt: skip


def asked_again(caller: Client, path: str, etag: str) -> Reply:
    return caller.get(path, headers={"If-None-Match": etag})


def test_what_has_not_changed_is_not_sent_again(
    ada: Client, attempt: Json, clock: SimulatedClock
) -> None:
    for path in polled(attempt):
        reply = ada.get(path)
        etag = reply.headers["ETag"]
        clock.advance(ms=1_000)  # clocks run within one version
        for known in (etag, f'"other", {etag}', etag.removeprefix("W/"), "*"):
            again = asked_again(ada, path, known)
            assert (again.status, again.headers["ETag"]) == (304, etag)
            assert again.headers["Cache-Control"] == reply.headers["Cache-Control"]
        assert asked_again(ada, path, '"other"').status == 200
        assert asked_again(ada, path, "nonsense").status == 200


def test_an_attempt_has_a_new_version_when_and_only_when_it_has_changed(
    ada: Client, ben: Client, attempt: Json, clock: SimulatedClock
) -> None:
    path = f"/attempts/{attempt['id']}"
    etags = [ada.get(path).headers["ETag"]]

    def is_new() -> bool:
        etags.append(ada.get(path).headers["ETag"])
        return etags[-1] not in etags[:-1]

    ada.move(attempt["id"], "b1", 1)  # refused
    ada.move(attempt["id"], "D", 0)  # a retry
    clock.advance(ms=1)
    other = ben.begin()
    assert not is_new()
    attempt = ada.play(attempt, "U")
    assert is_new()
    attempt = ada.play(attempt, *SHORT_LINE)
    assert is_new()
    clock.advance(ms=1_000_000)
    assert not is_new()
    ben.play(other, *SHORT_LINE)  # Ada's result is now one of two
    assert is_new()
    assert ada.attempt(attempt["id"]).body["result"]["of"] == 2


def test_an_attempt_that_ends_without_a_move_has_a_new_version(
    ada: Client, ben: Client, attempt: Json, clock: SimulatedClock
) -> None:
    other = ben.begin("one-pass", "D")
    etag = ada.attempt(attempt["id"]).headers["ETag"]
    ada.resign(attempt["id"])
    assert ada.attempt(attempt["id"]).headers["ETag"] != etag
    etag = ben.attempt(other["id"]).headers["ETag"]
    clock.set("2026-12-01T02:00:00.000Z")
    assert ben.attempt(other["id"]).headers["ETag"] != etag


def test_deals_and_boards_have_a_new_version_when_and_only_when_they_have_changed(
    ada: Client, ben: Client, attempt: Json, deal: DailyDeal, clock: SimulatedClock
) -> None:
    today, of_deal, board = (path for path in polled(attempt)[2:5])
    day = "2026-11-30/one-pass"
    paths = {"today": today, "deal": of_deal, "board": board}
    etags = {name: ada.get(path).headers["ETag"] for name, path in paths.items()}

    def changed() -> set[str]:
        before = dict(etags)
        etags.update({name: ada.get(path).headers["ETag"] for name, path in paths.items()})
        return {name for name in etags if etags[name] != before[name]}

    attempt = ada.play(attempt, "U")
    assert changed() == set()
    other = ben.begin()
    assert changed() == {"today", "deal"}  # one more player
    ada.play(attempt, *SHORT_LINE)
    assert changed() == {"today", "deal", "board"}
    ben.resign(other["id"])
    assert changed() == set()
    paths = {"deal": f"/deals/{day}", "board": f"/deals/{day}/leaderboard"}
    etags.pop("today")
    assert changed() == set()
    clock.set("2026-12-01T00:00:00.000Z")
    assert changed() == {"deal"}  # closing
    clock.set("2026-12-01T02:00:00.000Z")
    seal(deal)
    assert changed() == {"deal", "board"}


def test_the_window_around_me_is_not_the_version_of_another(
    ada: Client, ben: Client, attempt: Json
) -> None:
    ada.play(attempt, "b1b2", "a1")
    ben.begin("one-pass", *SHORT_LINE)
    mine = ada.board(around="me", limit=1)
    assert asked_again(ada, "/deals/today/one-pass/leaderboard?around=me&limit=1",
                       mine.headers["ETag"]).status == 304  # fmt: skip
    theirs = asked_again(
        ben, "/deals/today/one-pass/leaderboard?around=me&limit=1", mine.headers["ETag"]
    )
    assert theirs.status == 200
    assert theirs.body["items"] != mine.body["items"]


def test_what_depends_on_the_caller_stays_out_of_shared_caches(ada: Client, attempt: Json) -> None:
    ada.play(attempt, *SHORT_LINE)
    for path in ("/me", "/me/attempts", f"/attempts/{attempt['id']}",
                 f"/attempts/{attempt['id']}/moves",
                 "/deals/today/one-pass/leaderboard?around=me"):  # fmt: skip
        for method in ("GET", "HEAD"):
            reply = ada.request(method, path)
            assert reply.headers["Cache-Control"] == "private, no-cache", path
            assert "Authorization" in reply.headers["Vary"]


def test_f5_public_replies_depend_on_no_caller(
    ada: Client, ben: Client, anyone: Client, attempt: Json
) -> None:
    ada.play(attempt, *SHORT_LINE)
    for path in [*PUBLIC, "/deals/today/one-pass/leaderboard?around=Ada"]:
        replies = [caller.get(path) for caller in (anyone, ada, ben)]
        assert len({reply.content for reply in replies}) == 1
        assert len({tuple(reply.headers.items()) for reply in replies}) == 1
        assert "private" not in replies[0].headers["Cache-Control"]


def test_tokens_are_not_stored_by_caches(anyone: Client) -> None:
    reply = anyone.post("/players", {"name": "Cyd"})
    assert reply.headers["Cache-Control"] == "no-store"
    assert reply.headers.get("ETag") is None


def test_head_is_get_without_the_body(ada: Client, attempt: Json) -> None:
    for path in [*PUBLIC, *polled(attempt), "/me", "/me/attempts"]:
        get, head = ada.get(path), ada.request("HEAD", path)
        assert head.status == get.status == 200
        assert dict(head.headers) == dict(get.headers)
    gone = ada.request("HEAD", "/deals/1999-01-01/one-pass")
    assert (gone.status, gone.content) == (404, b"")


def test_any_origin_may_ask_and_read(ada: Client, attempt: Json) -> None:
    origin = {"Origin": "https://cards.example"}
    for reply in (
        ada.get("/deals/today", headers=origin),
        ada.get("/deals/1999-01-01/one-pass", headers=origin),
        ada.get("/nothing", headers=origin),
        Client().get("/me", headers=origin),
    ):
        assert reply.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in reply.headers
        assert set(reply.headers["Access-Control-Expose-Headers"].lower().split(", ")) >= EXPOSED


@pytest.mark.parametrize("route", endpoints(), ids=lambda route: route.path)
def test_a_browser_may_send_what_the_api_reads(anyone: Client, route: Json) -> None:
    for method in route.methods:
        with nothing_changes():
            reply = anyone.request(
                "OPTIONS",
                route.path,
                headers={
                    "Origin": "https://cards.example",
                    "Access-Control-Request-Method": method,
                    "Access-Control-Request-Headers": "authorization,content-type,if-none-match",
                },
            )
        assert reply.status == 200
        assert reply.headers["Access-Control-Allow-Origin"] == "*"
        assert method in reply.headers["Access-Control-Allow-Methods"]
        allowed = reply.headers["Access-Control-Allow-Headers"].lower()
        assert {"authorization", "content-type", "if-none-match"} <= set(allowed.split(", "))


def test_the_schema_is_openapi_31_and_names_every_route(anyone: Client) -> None:
    reply = anyone.get("/schema")
    assert reply.headers["Content-Type"].startswith("application/vnd.oai.openapi+json")
    assert reply.body["openapi"].startswith("3.1")
    described = {
        (re.sub(r"{\w+}", "{}", path), method.upper())
        for path, operations in reply.body["paths"].items()
        for method in operations
    }
    routes = {(route.template, method) for route in endpoints() for method in route.methods}
    assert described == routes


def test_the_docs_are_a_page_that_loads_nothing_from_elsewhere(anyone: Client) -> None:
    page = anyone.django.get("/api/docs")
    assert (page.status_code, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "https://" not in page.content.decode()
    assert "//cdn" not in page.content.decode()
