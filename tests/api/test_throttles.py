"""How often one may ask (E): by account or address, and never too seldom for the honest."""

import logging
import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client as DjangoClient
from pytest_django import Settings

from games import tasks
from pyramid_site import circuit, counting
from pyramid_site.api import throttles
from pyramid_site.models import Counter
from tests.api.client import Client, claimed, log_in, sign_up
from tests.builders import CERTIFIED, nothing_changes, publish, publish_short
from tests.conftest import Database

pytestmark = pytest.mark.core

NOON = 4_102_488_000  # Unix s, the start of a minute, far ahead: Redis forgets what is over


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets the web process's clock to so many s after noon, where it stands at first."""

    def set_to(seconds: float) -> None:
        monkeypatch.setattr(throttles, "time", lambda: NOON + seconds)

    set_to(0)
    return set_to


@pytest.fixture(autouse=True)
def limits(settings: Settings) -> None:
    settings.THROTTLE_ADDRESS = "5/min"
    settings.THROTTLE_SIGNUP = "3/min"
    settings.THROTTLE_PLAYER = "8/min"


@pytest.fixture(params=["redis", "database"])
def store(request: pytest.FixtureRequest, settings: Settings) -> None:
    """Where it is counted."""
    if request.param == "database":
        settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}


def came_from(address: str, forwarded: str | None = None) -> Client:
    """A caller whom the server, or its nearest proxy, hears from this address."""
    client = Client()
    client.django = DjangoClient(REMOTE_ADDR=address)
    if forwarded is not None:
        client.django.defaults["HTTP_X_FORWARDED_FOR"] = forwarded
    return client


def asked(client: Client, times: int, path: str = "/challenges") -> list[int]:
    return [client.get(path).status for _ in range(times)]


@pytest.mark.usefixtures("store")
def test_e_requests_without_a_token_are_counted_by_address(
    anyone: Client, now: Callable[[float], None]
) -> None:
    assert asked(anyone, 7) == [200] * 5 + [429] * 2
    assert asked(came_from("192.0.2.1"), 1) == [200]
    now(59.999)
    assert asked(anyone, 1) == [429]
    now(60)
    assert asked(anyone, 6) == [200] * 5 + [429]


@pytest.mark.usefixtures("store")
def test_e_requests_with_a_token_are_counted_by_account(anyone: Client) -> None:
    ada, ben = sign_up("Ada"), sign_up("Ben")
    assert asked(ada, 9, "/me") == [200] * 8 + [429]
    assert asked(ben, 1, "/me") == [200]
    assert asked(anyone, 6) == [200] * 3 + [429] * 3  # after the two sign-ups


@pytest.mark.parametrize(("seconds", "wait"), [(0, 60), (0.5, 60), (30, 30), (59.999, 1)])
def test_who_is_refused_learns_when_to_come_again(
    anyone: Client, now: Callable[[float], None], seconds: float, wait: int
) -> None:
    now(seconds)
    asked(anyone, 5)
    reply = anyone.get("/challenges")
    assert reply.refusal == (429, "throttled")
    assert reply.headers["Retry-After"] == str(wait)
    assert f"in {wait} s" in reply.body["detail"]


def test_e_sign_ups_are_counted_by_address_as_well(anyone: Client) -> None:
    with_token = sign_up()
    with_token.post("/players")
    assert with_token.post("/players").status == 201
    with nothing_changes():
        assert anyone.post("/players").refusal == (429, "throttled")
        assert with_token.post("/players").refusal == (429, "throttled")
    assert asked(anyone, 4) == [200] * 3 + [429]  # of five, the two without a token are gone
    assert asked(with_token, 1, "/me") == [200]


def test_e_a_bad_token_is_counted_by_address(anyone: Client) -> None:
    guesses = [Client(f"guess{number}").get("/me").status for number in range(7)]
    assert guesses == [401] * 5 + [429] * 2
    assert anyone.get("/me").status == 429


def test_what_is_refused_for_another_reason_counts(anyone: Client) -> None:
    with nothing_changes():
        replies = [anyone.get("/me"), anyone.get("/challenges?x=1"), anyone.get("/attempts/x"),
                   anyone.request("PUT", "/me"), anyone.post("/players", {"x": 1}),
                   anyone.get("/challenges")]  # fmt: skip
    assert [reply.status for reply in replies] == [401, 400, 404, 405, 400, 429]


def test_a_refused_move_is_not_played(anyone: Client, settings: Settings) -> None:
    publish_short()
    ada = sign_up()
    attempt = ada.begin()
    settings.THROTTLE_PLAYER = "1/min"
    with nothing_changes():
        assert ada.move(attempt["id"], "D", 0).refusal == (429, "throttled")
    settings.THROTTLE_PLAYER = ""
    assert ada.attempt(attempt["id"]).body == attempt


def test_an_empty_setting_switches_its_limit_off(anyone: Client, settings: Settings) -> None:
    settings.THROTTLE_ADDRESS = ""
    assert asked(anyone, 20) == [200] * 20
    assert [anyone.post("/players").status for _ in range(4)] == [201] * 3 + [429]
    settings.THROTTLE_SIGNUP = settings.THROTTLE_PLAYER = ""
    assert asked(sign_up(), 20, "/me") == [200] * 20


def test_the_schema_is_limited_and_the_probes_are_not(anyone: Client) -> None:
    assert asked(anyone, 6, "/schema") == [200] * 5 + [429]
    for path in ("/healthz", "/readyz"):
        assert anyone.django.get(path).status_code == 200


def test_e_x_forwarded_for_is_nobody_s_word_without_a_trusted_proxy(
    anyone: Client, settings: Settings
) -> None:
    rotated = [came_from("192.0.2.1", f"198.51.100.{n}").get("/challenges") for n in range(8)]
    assert [reply.status for reply in rotated] == [200] * 5 + [429] * 3


@pytest.mark.parametrize("proxies", [1, 2])
def test_e_a_rotated_x_forwarded_for_gets_nobody_past(
    anyone: Client, settings: Settings, proxies: int
) -> None:
    """The proxies add the caller's address, and each but the nearest its own, on the right."""
    settings.TRUSTED_PROXIES = proxies
    added = ", ".join(["192.0.2.1", "10.0.0.2"][:proxies])
    forged = [f"198.51.100.{n}, 203.0.113.{n}, {added}" for n in range(8)]
    rotated = [came_from("10.0.0.1", forwarded).get("/challenges") for forwarded in forged]
    assert [reply.status for reply in rotated] == [200] * 5 + [429] * 3
    assert asked(came_from("10.0.0.1", added.replace("192.0.2.1", "192.0.2.2")), 1) == [200]


@pytest.mark.parametrize(
    ("proxies", "remote", "forwarded", "address"),
    [
        (0, "192.0.2.1", "198.51.100.1", "192.0.2.1"),
        (1, "10.0.0.1", "198.51.100.1, 192.0.2.1", "192.0.2.1"),
        (1, "10.0.0.1", "198.51.100.1,192.0.2.1 ", "192.0.2.1"),
        (2, "10.0.0.1", "198.51.100.1, 192.0.2.1, 10.0.0.2", "192.0.2.1"),
        (2, "10.0.0.1", "192.0.2.1", "192.0.2.1"),  # not by way of the outer proxy
        (1, "10.0.0.1", None, "10.0.0.1"),
        (1, "10.0.0.1", "198.51.100.1, unknown", "10.0.0.1"),
        (1, "10.0.0.1", "198.51.100.1, ", "10.0.0.1"),
        (1, "", "198.51.100.1, 192.0.2.1", "192.0.2.1"),  # a proxy on a socket
        (0, "", None, ""),
        (0, "2001:db8:1:2:3:4:5:6", None, "2001:db8:1:2::"),
        (0, "2001:db8:1:2:ffff::", None, "2001:db8:1:2::"),  # one line has a whole /64
        (0, "2001:db8:1:3::1", None, "2001:db8:1:3::"),
        (0, "::ffff:192.0.2.1", None, "192.0.2.1"),
        (0, "fe80::1%eth0", None, "fe80::"),
    ],
)  # fmt: skip
def test_e_the_address_is_the_one_that_the_trusted_proxy_saw(
    settings: Settings, proxies: int, remote: str, forwarded: str | None, address: str
) -> None:
    settings.TRUSTED_PROXIES = proxies
    environ = {"REMOTE_ADDR": remote}
    if forwarded is not None:
        environ["HTTP_X_FORWARDED_FOR"] = forwarded
    assert throttles.client_address(environ) == address


@pytest.mark.usefixtures("store")
def test_e_parallel_requests_are_counted_one_by_one(committed_db: Database) -> None:
    def count(number: int) -> int:
        try:
            return counting.count({"key": NOON + 60, "other": NOON + 60})["key"]
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(count, range(200)))
    assert sorted(counts) == list(range(1, 201))


def test_the_database_forgets_what_is_over(db: None, settings: Settings) -> None:
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    counting.count({"over": int(time.time()) - 1, "not over": int(time.time()) + 60})
    tasks.sweep()
    assert [counter.key for counter in Counter.objects.all()] == ["not over"]


def test_redis_forgets_what_is_over(settings: Settings) -> None:
    cache = caches["default"]
    assert isinstance(cache, counting.CountingRedisCache)
    counting.count({"key": int(time.time()) + 60})
    assert 0 < cache._cache.get_client().ttl(cache.make_key("key")) <= 60


@pytest.fixture
def dead_redis(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttles.counters, "resting_until", -math.inf)
    lost = {**settings.CACHES["default"], "LOCATION": "redis://192.0.2.1:6379"}  # goes nowhere
    lost["OPTIONS"] = {"socket_connect_timeout": 0.2, "socket_timeout": 0.2}
    settings.CACHES = {"default": lost}


@pytest.mark.usefixtures("dead_redis")
def test_c4_a_dead_redis_refuses_nobody_and_holds_nobody_up(
    anyone: Client, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = Mock(wraps=counting.count)
    monkeypatch.setattr(counting, "count", count)
    monkeypatch.setattr(circuit, "monotonic", lambda: 0.0)  # a busy machine takes longer than REST
    with caplog.at_level(logging.WARNING, "pyramid_site.circuit"):
        assert asked(anyone, 20) == [200] * 20
    assert count.call_count == 1  # one of the twenty has waited
    [record] = caplog.records
    assert "go uncounted" in record.message


def test_c4_counting_goes_on_when_redis_is_back(
    anyone: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    living = settings.CACHES
    settings.CACHES = {"default": {**living["default"], "LOCATION": "unix:///nowhere/socket"}}
    monkeypatch.setattr(throttles.counters, "resting_until", -math.inf)
    assert asked(anyone, 10) == [200] * 10
    settings.CACHES = living
    assert asked(anyone, 10) == [200] * 10  # it is left alone for a while
    later = time.monotonic() + circuit.REST
    monkeypatch.setattr(circuit, "monotonic", lambda: later)
    assert asked(anyone, 6) == [200] * 5 + [429]


@pytest.fixture
def as_shipped(settings: Settings) -> None:
    settings.THROTTLE_ADDRESS = "1200/min"
    settings.THROTTLE_NETWORK = "6000/min"
    settings.THROTTLE_SIGNUP = "120/min"
    settings.THROTTLE_PLAYER = "1200/min"
    settings.THROTTLE_LOGIN = "120/min"
    settings.THROTTLE_GUESS = "10/min"


@pytest.mark.usefixtures("as_shipped")
def test_a_classroom_of_40_logs_in_behind_one_address(anyone: Client) -> None:
    """All within one minute, each with two wrong passwords before the right one."""
    pupils = [claimed(f"Pupil {number}").player["name"] for number in range(40)]
    for name in pupils:
        for password in ("wrong", "wrong again"):
            reply = anyone.post("/auth/login", {"name": name, "password": password})
            assert reply.refusal == (401, "invalid_credentials")
        assert log_in(name).player["name"] == name


@pytest.mark.usefixtures("as_shipped")
def test_a_classroom_of_40_behind_one_address_is_never_stopped(anyone: Client) -> None:
    """All within one minute: look round, sign up twice by mistake, look again, start."""
    publish_short()
    looks = ("/challenges", "/deals/today", "/deals/today/one-pass",
             "/deals/today/one-pass/leaderboard", "/deals")  # fmt: skip
    for _ in range(40):
        assert [anyone.get(path).status for path in looks] == [200] * 5
        pupils = [sign_up(), sign_up()]
        assert [anyone.get(path).status for path in looks] == [200] * 5
        pupils[0].begin("one-pass", "D")


@pytest.mark.usefixtures("as_shipped")
def test_the_fastest_honest_player_is_never_stopped(anyone: Client) -> None:
    """Four whole games in one minute, every move sent twice, and then looks: 8 a second."""
    ada = sign_up()
    sent = 0
    for challenge in CERTIFIED:
        publish(challenge)
        attempt = ada.begin(challenge)
        for ply, move in enumerate(CERTIFIED[challenge].moves):
            assert ada.move(attempt["id"], move, ply).status == 200
            ada.move(attempt["id"], move, ply)
            sent += 2
    assert sent > 300
    while sent < 8 * 60:
        assert ada.get("/me/attempts").status == 200
        sent += 1


@pytest.mark.parametrize(
    ("text", "rate"),
    [("600/min", (600, 60)), ("1/s", (1, 1)), ("5/hour", (5, 3_600)), ("9/day", (9, 86_400))],
)
def test_a_rate_is_a_number_in_a_period(text: str, rate: tuple[int, int]) -> None:
    assert throttles.parse_rate(text) == rate


@pytest.mark.parametrize(
    "text", ["600", "/min", "0/min", "-1/min", "6e2/min", "600/m", "600 / min", "1_0/s", "\u0661/s"]
)
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no rate such as 600/min"):
        throttles.parse_rate(text)
