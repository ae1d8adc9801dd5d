"""How often one may ask for anything (E): pages, the admin, what is not there; and who shares."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from axes.models import AccessAttempt
from django.conf import settings as django_settings
from django.contrib.auth import hashers
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client as Browser
from django.utils import timezone
from pytest_django import Settings

from games import tasks
from pyramid_site import counting
from pyramid_site.api import throttles
from tests.api.client import Client, claimed
from tests.builders import nothing_changes, publish_short

pytestmark = [pytest.mark.core, pytest.mark.django_db, pytest.mark.usefixtures("clock")]

NOON = 4_102_488_000  # Unix s, the start of a minute, far ahead: Redis forgets what is over
LOGIN = "/admin/login/"
PASSWORD = "seven rows of cards"


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets the web process's clock to so many s after noon, where it stands at first."""

    def set_to(seconds: float) -> None:
        monkeypatch.setattr(throttles, "time", lambda: NOON + seconds)

    set_to(0)
    return set_to


@pytest.fixture
def root() -> User:
    return User.objects.create_superuser("root", password=PASSWORD)


def at(address: str) -> Browser:
    return Browser(REMOTE_ADDR=address)


def from_(address: str, token: str | None = None) -> Client:
    client = Client(token)
    client.django = at(address)
    return client


def tried(password: str, name: str = "root", browser: Browser | None = None) -> int:
    form = {"username": name, "password": password}
    return (browser or Browser()).post(LOGIN, form).status_code


PAGES = ["/", "/play/2026-11-30/one-pass", "/archive", "/manifest.webmanifest", "/favicon.ico",
         "/pictures/x/y.png", "/api/docs", "/errors/throttled", "/admin/", "/admin/login/",
         "/static/no.css", "/nothing"]  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_e_each_address_outside_the_api_is_limited(path: str, settings: Settings) -> None:
    settings.THROTTLE_ADDRESS = "3/min"
    replies = [Browser().get(path) for _ in range(4)]
    assert 429 not in [it.status_code for it in replies[:3]]
    assert replies[3].status_code == 429
    assert replies[3]["Retry-After"] == "60"
    assert replies[3]["Content-Type"] == "text/html; charset=utf-8"
    assert "in 60 s" in replies[3].content.decode()
    assert at("192.0.2.9").get(path).status_code == replies[0].status_code


def test_e_what_the_api_has_not_is_refused_in_its_own_shape(settings: Settings) -> None:
    settings.THROTTLE_ADDRESS = "3/min"
    replies = [from_("192.0.2.1").get("/nothing") for _ in range(4)]
    assert [it.refusal for it in replies] == [(404, "not_found")] * 3 + [(429, "throttled")]


def test_e_pages_and_the_api_share_one_limit(settings: Settings) -> None:
    settings.THROTTLE_ADDRESS = "4/min"
    browser, client = at("192.0.2.1"), from_("192.0.2.1")
    assert [browser.get("/archive").status_code for _ in range(2)] == [200] * 2
    assert [client.get("/challenges").status for _ in range(3)] == [200] * 2 + [429]
    assert browser.get("/archive").status_code == 429


def test_probes_are_never_refused(settings: Settings) -> None:
    settings.THROTTLE_ADDRESS = settings.THROTTLE_NETWORK = "1/min"
    for path in ("/healthz", "/readyz"):
        assert [Browser().get(path).status_code for _ in range(3)] == [200] * 3


# Staff


def test_e_one_staff_name_is_tried_ten_times_a_minute_from_everywhere(
    root: User, settings: Settings, now: Any
) -> None:
    settings.THROTTLE_GUESS = "10/min"
    tries = [tried("wrong", browser=at(f"198.51.100.{n}")) for n in range(12)]
    assert tries == [200] * 10 + [429] * 2
    assert tried(PASSWORD, browser=at("192.0.2.1")) == 429
    assert tried(PASSWORD, name="Root", browser=at("192.0.2.1")) == 429  # nor by another case
    assert tried("wrong", name="ann", browser=at("192.0.2.1")) == 200
    now(60)
    assert tried(PASSWORD, browser=at("192.0.2.1")) == 302


def test_e_a_browser_that_signed_in_before_is_not_kept_out_from_afar(
    root: User, settings: Settings
) -> None:
    settings.THROTTLE_GUESS = "10/min"
    known = at("192.0.2.1")
    assert tried(PASSWORD, browser=known) == 302
    known.post("/admin/logout/")
    for number in range(12):
        tried("wrong", browser=at(f"198.51.100.{number}"))
    assert tried(PASSWORD, browser=known) == 302
    known.post("/admin/logout/")
    assert tried("wrong", name="ann", browser=known) == 200  # it is known as root alone
    tries = [tried("wrong", browser=known) for _ in range(10)]
    assert tries[-1] == 429  # and may not guess without end either


def test_e_guessing_as_a_player_keeps_no_member_of_staff_out(
    root: User, settings: Settings
) -> None:
    settings.THROTTLE_GUESS = "2/min"
    for name in ("root", "staff:root", "staff root"):
        for _ in range(3):
            Client().post("/auth/login", {"name": name, "password": "wrong"})
    assert tried(PASSWORD) == 302


def test_e_many_names_from_one_address_are_not_all_hashed(
    root: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.THROTTLE_LOGIN = "5/min"
    hashing = Mock(wraps=hashers.make_password)  # of a name that nobody has, to take as long
    monkeypatch.setattr("django.contrib.auth.base_user.make_password", hashing)
    tries = [tried("wrong", name=f"name {number}") for number in range(9)]
    assert tries == [200] * 5 + [429] * 4
    assert hashing.call_count == 5
    with nothing_changes():
        reply = Client().post("/auth/login", {"name": "Ada", "password": "wrong"})
    assert reply.refusal == (429, "throttled")  # the API's and the admin's are one limit
    assert Browser().get(LOGIN).status_code == 200


def test_e_the_old_password_of_staff_is_not_guessed_at_by_a_stolen_session(
    root: User, settings: Settings
) -> None:
    settings.THROTTLE_GUESS = "3/min"
    browser = Browser()
    browser.force_login(root)
    form = {"old_password": "wrong", "new_password1": "x" * 12, "new_password2": "x" * 12}
    tries = [browser.post("/admin/password_change/", form).status_code for _ in range(4)]
    assert tries == [200] * 3 + [429]


def test_e_failed_logins_past_the_lock_out_store_nothing_more(root: User) -> None:
    for _ in range(10):
        tried("wrong")
    attempts = list(AccessAttempt.objects.values())
    with nothing_changes():
        assert {tried("wrong") for _ in range(20)} == {429}
    assert list(AccessAttempt.objects.values()) == attempts


def test_e_whoever_is_locked_out_learns_when_to_come_again(root: User) -> None:
    for _ in range(10):
        tried("wrong")
    reply = Browser().post(LOGIN, {"username": "root", "password": PASSWORD})
    assert (reply.status_code, reply["Retry-After"]) == (429, "900")
    assert "in 900 s" in reply.content.decode()


def test_the_sweep_clears_failed_logins_away(root: User) -> None:
    tried("wrong")
    tried("wrong", name="ann")
    an_hour_ago = timezone.now() - timedelta(hours=1)
    AccessAttempt.objects.filter(username="root").update(attempt_time=an_hour_ago)
    tasks.sweep()
    assert [it.username for it in AccessAttempt.objects.all()] == ["ann"]


# Networks


def test_e_sixty_four_bits_more_are_no_other_household(settings: Settings) -> None:
    """A line of IPv6 often has 256 networks of 64 bits, which are its own to choose from."""
    settings.THROTTLE_SIGNUP = "4/min"
    statuses = [from_(f"2001:db8:0:1{n:02x}::1").post("/players").status for n in range(6)]
    assert statuses == [201] * 4 + [429] * 2
    assert from_("2001:db8:0:200::1").post("/players").status == 201


def test_e_guests_bring_in_no_more_requests_than_their_address_may_send(
    settings: Settings,
) -> None:
    settings.THROTTLE_PLAYER, settings.THROTTLE_NETWORK = "5/min", "20/min"
    guests = []
    for _ in range(4):
        reply = from_("192.0.2.1").post("/players")
        guests.append(from_("192.0.2.1", reply.body["token"]))
    answers = [guest.get("/me").status for guest in guests for _ in range(5)]
    assert answers == [200] * 16 + [429] * 4
    assert from_("192.0.2.1").get("/challenges").refusal == (429, "throttled")
    assert at("192.0.2.1").get("/archive").status_code == 429
    assert from_("192.0.2.2", guests[0].token).get("/challenges").status == 429  # its own is used
    assert from_("192.0.2.2", guests[3].token).get("/challenges").status == 429
    assert from_("192.0.2.2").get("/challenges").status == 200


def test_e_a_network_is_counted_whatever_its_lines_do(settings: Settings) -> None:
    settings.THROTTLE_ADDRESS, settings.THROTTLE_NETWORK = "3/min", "7/min"
    lines = [from_(f"2001:db8:0:1{n:02x}::1") for n in range(3)]
    assert [line.get("/challenges").status for line in lines for _ in range(3)] == [
        200, 200, 200, 200, 200, 200, 200, 429, 429,
    ]  # fmt: skip


def test_a_request_is_counted_in_one_go(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.THROTTLE_PLAYER, settings.THROTTLE_NETWORK = "9/min", "99/min"
    ada = claimed("Ada")
    count = Mock(wraps=counting.count)
    monkeypatch.setattr(counting, "count", count)
    ada.get("/me")
    assert [len(call.args[0]) for call in count.call_args_list] == [2]


@pytest.fixture
def as_shipped(settings: Settings) -> None:
    from pyramid_site import checks

    for name in checks.THROTTLES:
        setattr(settings, f"THROTTLE_{name}", SHIPPED[f"THROTTLE_{name}"])


SHIPPED = {name: getattr(django_settings, name) for name in dir(django_settings)
           if name.startswith("THROTTLE_")}  # fmt: skip
"""As the settings have them before any test switches them off."""


@pytest.mark.usefixtures("as_shipped")
def test_a_classroom_of_60_plays_behind_one_address(now: Any) -> None:
    """Within one minute each opens three pages, looks round and signs up.

    In the next each moves every 2 s and asks for the board every 15 s. A request of each kind is
    sent by one pupil, and counted for the other 59 without being played.
    """
    publish_short()

    def ask(limits: list[throttles.Limit], send: Callable[..., Any], *given: Any) -> None:
        reply = send(*given)
        assert (reply.status_code if isinstance(reply, HttpResponse) else reply.status) < 300
        for _ in range(59):
            assert throttles.too_soon(limits) == 0

    here = {"REMOTE_ADDR": "127.0.0.1"}
    address = list(throttles.by_address(here))
    for path in ("/", "/play/2026-11-30/one-pass", "/manifest.webmanifest"):
        ask(address, Browser().get, path)
    for path in ("/challenges", "/deals/today", "/deals/today/one-pass"):
        ask(address, Client().get, path)
    ask([*address, throttles.by_scope("SIGNUP", here)], Client().post, "/players")
    ada = claimed("Ada")
    attempt = ada.begin()["id"]
    now(60)
    together = [throttles.by_network(here)]
    for second in range(0, 60, 2):
        ply = second // 2
        ask(together, ada.move, attempt, "DU"[ply % 2], ply)
        if second % 15 < 2:
            ask(together, ada.board)
