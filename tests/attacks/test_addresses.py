"""What every address refuses: a day to come, an order by what is hidden, a time of the client's."""

from datetime import timedelta

import pytest

from tests.api.client import Client, Json, Reply, sign_up
from tests.api.routes import Route, endpoints
from tests.builders import DAY, nothing_changes, publish_short
from tests.conftest import SimulatedClock

pytestmark = [pytest.mark.core, pytest.mark.django_db]

NEVER = ["1999-01-01", "2026-02-30", "9999-12-31", "tomorrow", "nonsense"]
TIMES = ["time", "now", "at", "at_ms", "ms", "elapsed_ms", "ranked_ms", "started_at", "finished_at",
         "expires_at", "timestamp", "client_time", "paused_ms", "date"]  # fmt: skip


def of_a_day() -> list[Route]:
    return [
        route for route in endpoints() if "<str:day>" in route.template or "today/" in route.path
    ]


def asked(client: Client, route: Route, day: str, method: str) -> Reply:
    path = route.path.replace("/today/", f"/{day}/")
    return client.request(method, path)


@pytest.mark.parametrize("route", of_a_day(), ids=lambda route: route.path)
def test_a6_a_day_to_come_is_no_day_until_its_very_first_ms(
    clock: SimulatedClock, route: Route
) -> None:
    tomorrow = DAY + timedelta(days=1)
    publish_short(day=DAY)
    publish_short(day=tomorrow)
    players = [Client(), sign_up()]
    clock.set("2026-11-30T23:59:59.999Z")
    for player in players:
        for method in sorted(route.methods):
            never = asked(player, route, NEVER[0], method)
            for day in (str(tomorrow), *NEVER[1:]):
                with nothing_changes():
                    reply = asked(player, route, day, method)
                assert (reply.status, reply.content) == (never.status, never.content)
                assert dict(reply.headers) == dict(never.headers)
            assert never.code in ("not_found", "not_authenticated")
    clock.set("2026-12-01T00:00:00.000Z")
    for method in sorted(route.methods):
        assert asked(players[1], route, str(tomorrow), method).code != "not_found"


@pytest.mark.parametrize(
    "route", [it for it in endpoints() if "GET" in it.methods], ids=lambda route: route.path
)
@pytest.mark.parametrize("key", ["ordering", "seed", "k", "cards", "deal__cards", "sort", "fields"])
def test_a7_nothing_is_ordered_or_filtered_by_what_is_not_named(
    clock: SimulatedClock, route: Route, key: str
) -> None:
    publish_short()
    reply = sign_up().request("GET", f"{route.path}?{key}=seed")
    assert reply.refusal == (400, "invalid_request")
    assert [error["field"] for error in reply.body["errors"]] == [key]


@pytest.mark.parametrize(
    "route",
    [it for it in endpoints() if "/attempts" in it.path and "POST" in it.methods],
    ids=lambda route: route.path,
)
@pytest.mark.parametrize("field", TIMES)
def test_b4_no_request_of_play_takes_a_time(
    clock: SimulatedClock, route: Route, field: str
) -> None:
    publish_short()
    ada = sign_up()
    attempt = ada.begin()
    body: Json = {"move": "D", "ply": 0} if route.path.endswith("/moves") else {}
    path = (
        route.template.format("today", "one-pass")
        if "deals" in route.path
        else (route.template.format(attempt["id"]))
    )
    with nothing_changes():
        reply = ada.post(path, {**body, field: 0})
    assert reply.refusal == (400, "invalid_request")
    assert [error["field"] for error in reply.body["errors"]] == [field]
