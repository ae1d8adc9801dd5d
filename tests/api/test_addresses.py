"""Routes, methods, identifiers, and the headers that say who asks for what."""

import pytest

from games.models import Attempt
from tests.api.client import Client, Reply
from tests.api.routes import Route, endpoints
from tests.builders import nothing_changes, publish_short

pytestmark = pytest.mark.core
ROUTES = endpoints()
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"]


def allowed(reply: Reply) -> set[str]:
    return set(reply.headers["Allow"].split(", "))


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_a_method_that_is_not_there_is_not_allowed(ada: Client, route: Route) -> None:
    publish_short()
    answered = route.methods | ({"HEAD"} if "GET" in route.methods else set())
    with nothing_changes():
        for method in set(METHODS) - answered:
            reply = ada.request(method, route.path)
            assert reply.status == 405, method
            assert allowed(reply) == answered
            if method != "HEAD":
                assert reply.code == "method_not_allowed"


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_a_trailing_slash_is_another_address(ada: Client, route: Route) -> None:
    publish_short()
    with nothing_changes():
        for method in ("GET", "POST", "PUT"):
            assert ada.request(method, f"{route.path}/").refusal == (404, "not_found")


@pytest.mark.parametrize(
    "path",
    ["/api", "/api/v1", "/api/v1/", "/api/v2/me", "/api/v1/nothing", "/api/v1/DEALS/today",
     "/api/v1//me", "/api/v1/deals/today/one-pass/seed", "/api/v1/%00",
     "/api/v1/%ff", "/api/v1/me.json", "/api/v1/../admin", "/api/v1/attempts/"],
)  # fmt: skip
def test_an_unknown_address_is_not_found(ada: Client, path: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        assert ada.request(method, path).refusal == (404, "not_found")


@pytest.mark.parametrize(
    "identifier",
    ["1", "x", "-", "null", "%00", "0" * 32, "0" * 36, "{00000000-0000-0000-0000-000000000000}",
     "urn:uuid:00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-00000000000g",
     "00000000-0000-0000-0000-000000000000%0A", "%D9%A0" * 8, "x" * 2_000],
)  # fmt: skip
def test_what_is_no_id_is_not_found(ada: Client, identifier: str) -> None:
    never = ada.attempt("00000000-0000-0000-0000-000000000000")
    assert never.refusal == (404, "not_found")
    for reply in (
        ada.attempt(identifier),
        ada.get(f"/attempts/{identifier}/moves"),
        ada.move(identifier, "D", 0),
        ada.resign(identifier),
    ):
        assert reply.content == never.content


ODD_PARTS = ["%00", "today%00", "one-pass%00", "%0A", "today%0A", "%ff", "%ED%A0%80", "%2e%2e",
             "%F0%9F%82%A1", "..%2f", "a%2Fb", "%D9%A1", "'", "%22%3B--", "x" * 2_000]  # fmt: skip


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_d_an_odd_part_of_an_address_is_not_found(ada: Client, route: Route) -> None:
    """Whatever the part names, PostgreSQL and the logs included."""
    publish_short()
    for fixed, _, rest in (route.template.partition("{}") for _ in range("{}" in route.template)):
        with nothing_changes():
            for odd in ODD_PARTS:
                for method in route.methods:
                    path = fixed + odd + rest.replace("{}", "one-pass")
                    reply = ada.request(method, path)
                    body_is_missing = method == "POST" and reply.code == "invalid_request"
                    assert reply.status == 404 or body_is_missing, odd


def test_an_id_is_found_in_capitals_too(ada: Client) -> None:
    publish_short()
    attempt = ada.begin()
    assert ada.attempt(attempt["id"].upper()).body == attempt


@pytest.mark.parametrize(
    "header",
    ["", " ", "Bearer", "Bearer ", "Bearer  ", "Basic {}", "Token {}", "{}", "Bearer {} {}",
     "Bearer {}x", "Bearer {},", "Bearer x{}", "Bearer, {}", "Bearer:{}", "Bearer \u00e9",
     "Bearer \x00", "Bearer {}\x00", "Bearer \ud83d", "Bearer " + "x" * 201,
     "Bearer " + "x" * 9_000, "Bearer null", "Bearer \u0661", 'Bearer "{}"'],
)  # fmt: skip
def test_a_malformed_authorization_is_not_authenticated(
    ada: Client, anyone: Client, header: str
) -> None:
    publish_short()
    headers = {"Authorization": header.replace("{}", str(ada.token))}
    with nothing_changes():
        for method, path in (("GET", "/me"), ("GET", "/challenges"), ("POST", "/players"),
                             ("POST", "/deals/today/one-pass/attempts")):  # fmt: skip
            reply = anyone.request(method, path, headers=headers)
            assert reply.refusal == (401, "not_authenticated"), path


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "Bearer "])
def test_the_scheme_is_known_in_any_case(ada: Client, anyone: Client, scheme: str) -> None:
    reply = anyone.get("/me", headers={"Authorization": f"{scheme} {ada.token}"})
    assert reply.body["player"] == ada.player


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_the_api_answers_in_json_only(ada: Client, route: Route) -> None:
    publish_short()
    with nothing_changes():
        for method in route.methods:
            for accept in ("text/html", "application/xml", "image/*", "text/html, text/plain",
                           "application/json+x"):  # fmt: skip
                reply = ada.request(method, route.path, headers={"Accept": accept})
                assert reply.refusal == (406, "not_acceptable"), accept


@pytest.mark.parametrize(
    "accept",
    ["*/*", "application/*", "application/json", "application/json; charset=utf-8",
     "text/html, */*;q=0.1", "text/html,application/json;q=0.5"],
)  # fmt: skip
def test_an_accept_that_includes_json_is_served(anyone: Client, accept: str) -> None:
    assert anyone.get("/challenges", headers={"Accept": accept}).status == 200


@pytest.mark.parametrize("accept", [";", ",", "/", "a/b/c", "*", "application/json;q=x", "\x00"])
def test_a_broken_accept_breaks_nothing(anyone: Client, accept: str) -> None:
    assert anyone.get("/challenges", headers={"Accept": accept}).status in (200, 406)


def test_another_host_is_refused_in_the_one_shape(anyone: Client) -> None:
    reply = anyone.get("/challenges", headers={"Host": "evil.example"})
    assert reply.refusal == (400, "invalid_request")


def test_cookies_are_not_looked_at(ada: Client, anyone: Client) -> None:
    publish_short()
    headers = {"Cookie": f"sessionid={ada.token}; token={ada.token}"}
    assert anyone.get("/me", headers=headers).refusal == (401, "not_authenticated")
    assert Attempt.objects.count() == 0
