"""The pages: their first paint, what they say of themselves, and what they show of the API."""

import json
import re
from contextlib import closing
from typing import TYPE_CHECKING
from unittest.mock import Mock

import pytest
from django.test import Client
from playwright.sync_api import expect
from pytest_django import Settings

from tests.web.conftest import DESKTOP, PHONE, NeedsContext
from tests.web.playing import Table

if TYPE_CHECKING:
    from tests.conftest import SimulatedClock


SATURDAY = re.compile("28: Saturday,? 28 November 2026, Hard, 6 of 6 cleared it, you cleared it")


@pytest.fixture
def deals(db: None, clock: "SimulatedClock") -> None:
    from tests import builders

    for challenge in builders.CERTIFIED:
        builders.publish(challenge, difficulty="medium")


ADDRESSES = ["/", "/play/2026-11-30/one-pass", "/leaderboard/2026-11-30/double", "/archive",
             "/profile", "/account", "/players/Ada",
             "/replay/00000000-0000-0000-0000-000000000000"]  # fmt: skip


def meta(page: str, name: str) -> str:
    match = re.search(rf'<meta (?:name|property)="{name}" content="([^"]*)"', page)
    assert match, name
    return match[1]


@pytest.mark.parametrize("address", ADDRESSES)
def test_each_page_says_what_it_is(client: Client, deals: None, address: str) -> None:
    reply = client.get(address)
    page = reply.content.decode()
    assert reply.status_code == 200
    assert reply["Content-Type"] == "text/html; charset=utf-8"
    assert reply["Cache-Control"] == "private, no-cache"
    assert {"Accept-Language", "Cookie"} <= set(reply["Vary"].split(", "))
    title = re.search(r"<title>([^<]+)</title>", page)
    assert title
    assert meta(page, "og:title") == title[1]
    assert len(meta(page, "description")) > 20
    assert meta(page, "og:url") == f"http://testserver{address}"
    assert not reply.cookies


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_runs_nothing_but_the_server_s_own_files(
    client: Client, deals: None, address: str
) -> None:
    reply = client.get(address)
    page = reply.content.decode()
    policy = reply["Content-Security-Policy"]
    nonce = re.search(r"'nonce-([\w-]{20,})'", policy)
    assert nonce
    assert "unsafe" not in policy
    assert "http" not in policy
    assert client.get(address)["Content-Security-Policy"] != policy
    scripts = re.findall(r"<script ([^>]*)>", page)
    data = [it for it in scripts if 'type="application/json"' in it]
    assert scripts[0] == f'type="importmap" nonce="{nonce[1]}"'
    assert re.fullmatch(r'type="module" src="/static/web/js/\w+\.[0-9a-f]{12}\.js"', scripts[1])
    assert scripts[2:] == data
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=", page)


def test_files_have_names_that_never_change_their_meaning(client: Client, deals: None) -> None:
    page = client.get("/play/2026-11-30/one-pass").content.decode()
    found = re.search(r'<script type="importmap"[^>]*>(.*?)</script>', page)
    assert found
    imports = json.loads(found[1])["imports"]
    assert imports["/static/web/js/play.js"] in page
    for address in imports.values():
        with closing(client.get(address, headers={"accept-encoding": "gzip"})) as reply:
            assert "immutable" in reply["Cache-Control"], address
            if "/play." in address:
                assert reply["Content-Encoding"] == "gzip"


def test_the_first_paint_shows_the_deals_of_the_day(client: Client, deals: None) -> None:
    page = client.get("/").content.decode()
    for title in ("One Pass", "Three Passes", "Full Clear", "Double Pyramid"):
        assert f"<h2>{title}</h2>" in page
    assert page.count("Medium") == 4
    assert 'href="/play/2026-11-30/one-pass#start"' in page


def test_the_picture_is_of_the_day_and_shows_no_card(client: Client, deals: None) -> None:
    page = client.get("/play/2026-11-30/double").content.decode()
    address = meta(page, "og:image")
    assert address == "http://testserver/pictures/2026-11-30/double.png"
    picture = client.get(address)
    assert picture["Content-Type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    assert len(picture.content) < 60_000


def test_a_picture_is_kept_for_a_day_once_its_deal_is_made(
    client: Client, db: None, clock: "SimulatedClock"
) -> None:
    from tests import builders

    address = "/pictures/2026-11-30/one-pass.png"
    assert client.get(address)["Cache-Control"] == "public, max-age=60"
    builders.publish(difficulty="medium")
    assert client.get(address)["Cache-Control"] == "public, max-age=86400"


def test_a_picture_is_kept_for_long_once_its_deal_is_sealed(
    client: Client, db: None, clock: "SimulatedClock"
) -> None:
    from tests import builders

    deal = builders.publish(difficulty="medium")
    clock.set("2026-12-01T02:00:00.000Z")
    builders.seal(deal)
    kept = client.get("/pictures/2026-11-30/one-pass.png")["Cache-Control"]
    assert kept == "public, max-age=2592000"


@pytest.mark.parametrize(
    ("time", "seconds"), [("12:00:00.000", 60), ("23:59:30.500", 29), ("23:59:59.999", 0)]
)
def test_the_picture_of_today_is_that_of_its_date_until_midnight(
    client: Client, deals: None, clock: "SimulatedClock", time: str, seconds: int
) -> None:
    clock.set(f"2026-11-30T{time}Z")
    reply = client.get("/pictures/today/one-pass.png")
    assert (reply.status_code, reply["Location"]) == (302, "/pictures/2026-11-30/one-pass.png")
    assert reply["Cache-Control"] == f"public, max-age={seconds}"


@pytest.fixture
def drawing(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Is called for each picture that is drawn."""
    from web import pictures

    drawing = Mock(wraps=pictures._png)
    monkeypatch.setattr(pictures, "_png", drawing)
    pictures._of.cache_clear()
    return drawing


def test_e_pictures_are_asked_for_no_more_often_than_they_may_be(
    client: Client, deals: None, drawing: Mock, settings: Settings
) -> None:
    settings.THROTTLE_PICTURE = "2/min"
    paths = [f"/pictures/2026-11-30/{name}.png" for name in ("one-pass", "double", "three-pass")]
    assert [client.get(path).status_code for path in paths] == [200, 200, 429]
    assert drawing.call_count == 2
    assert client.get("/").status_code == 200  # of the pages it is another limit


def test_a_picture_is_drawn_once(client: Client, deals: None, drawing: Mock) -> None:
    for _ in range(3):
        assert client.get("/pictures/2026-11-30/double.png").status_code == 200
    assert drawing.call_count == 1


def test_a_picture_depends_on_nothing_secret(
    client: Client, db: None, clock: "SimulatedClock"
) -> None:
    """Two deals of one date, challenge and difficulty have the same one."""
    from django.db import transaction

    from tests import builders

    pictures = []
    for publish in (builders.publish, builders.publish_short):
        with transaction.atomic():
            publish(difficulty="hard")
            pictures.append(client.get("/pictures/2026-11-30/one-pass.png").content)
            transaction.set_rollback(True)
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize(
    "address",
    ["/play/2026-12-01/one-pass", "/play/2026-11-29/one-pass", "/play/x/one-pass",
     "/play/2026-11-30/none", "/play/today/none", "/leaderboard/2027-01-01/one-pass"],
)  # fmt: skip
def test_a6_the_future_and_what_never_was_look_the_same(
    client: Client, deals: None, address: str
) -> None:
    reply = client.get(address, follow=True)
    assert reply.status_code == 404
    other = client.get("/play/1066-10-14/one-pass")
    own = re.compile(rb'nonce="[^"]*"|' + address.encode() + rb"|/play/1066-10-14/one-pass")
    if not reply.redirect_chain:
        assert own.sub(b"", reply.content) == own.sub(b"", other.content)


@pytest.mark.parametrize("address", ["/pictures/2026-12-01/one-pass.png", "/pictures/x/y.png"])
def test_a6_the_future_has_no_picture(client: Client, deals: None, address: str) -> None:
    assert client.get(address).status_code == 404


def test_today_leads_to_an_address_that_stays(client: Client, deals: None) -> None:
    assert client.get("/play/today/double")["Location"] == "/play/2026-11-30/double"
    assert client.get("/leaderboard/today/double")["Location"] == "/leaderboard/2026-11-30/double"


@pytest.mark.parametrize(
    ("wanted", "cookie", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "", "de"),
        ("fr,pl;q=0.5", "", "pl"),
        ("fr", "", "en"),
        ("de", "pl", "pl"),
        ("de", "xx", "de"),
        ("!!,,;q=", "", "en"),
    ],
)
def test_the_language_is_the_browser_s_until_one_is_chosen(
    client: Client, deals: None, wanted: str, cookie: str, language: str
) -> None:
    client.cookies["language"] = cookie
    page = client.get("/", headers={"accept-language": wanted}).content.decode()
    assert f'<html lang="{language}"' in page


def test_the_manifest_names_what_a_device_needs(client: Client, deals: None) -> None:
    reply = client.get("/manifest.webmanifest")
    assert reply["Content-Type"] == "application/manifest+json"
    body = json.loads(reply.content)
    assert (body["start_url"], body["display"]) == ("/", "standalone")
    for icon in body["icons"]:
        with closing(client.get(icon["src"])) as found:
            assert found.status_code == 200
    with closing(client.get("/favicon.ico", follow=True)) as found:
        assert found.status_code == 200


@pytest.mark.parametrize("address", ADDRESSES)
def test_pages_are_only_read(client: Client, deals: None, address: str) -> None:
    from tests import builders

    with builders.nothing_changes():
        assert client.head(address).status_code == 200
        assert client.post(address, "", content_type="text/plain").status_code == 405


def test_one_tap_from_the_first_page_to_the_first_card(visitor: NeedsContext) -> None:
    """As a guest, with no form."""
    from games.models import Attempt
    from tests import builders

    builders.publish()
    page = visitor(PHONE, has_touch=True, is_mobile=True).new_page()
    page.goto("/")
    page.locator("[data-challenge=one-pass] [data-play]").tap()
    table = Table(page)
    table.wait(0)
    expect(table.card("g1")).to_be_visible()
    assert Attempt.objects.get().player.guest


def test_the_language_can_be_switched_and_plurals_follow(visitor: NeedsContext) -> None:
    from tests import builders

    builders.publish()
    table = Table(visitor(DESKTOP).new_page()).enter("one-pass")
    for ply, move in enumerate(["D", "U"] * 5, start=1):
        table.page.locator("[data-play]").evaluate("it => it.dataset.seen = 1")
        table.element.locator("[data-place=S]").focus()
        table.page.keyboard.press({"D": "d", "U": "z"}[move])
        table.wait(ply)
    table.page.get_by_label("Language").select_option("Polski")
    expect(table.page.locator("[data-undos]")).to_have_text("5 cofnięć")
    table.page.get_by_label("Język").select_option("Deutsch")
    expect(table.page.locator("[data-undos]")).to_have_text("5 Rücknahmen")


def test_a_board_is_live_and_shows_the_player(
    visitor: NeedsContext, clock: "SimulatedClock"
) -> None:
    from players import accounts
    from tests import builders
    from tests.web import furnished

    deal = builders.publish_short()
    ada, ben = (accounts.sign_up(name=name) for name in ("Ada", "Ben"))
    furnished.play(clock, deal, ada.player.pk, builders.SHORT_LINE, s=100, undos=0)
    context = furnished.as_player(visitor(DESKTOP), ada)
    page = context.new_page()
    page.clock.install()
    page.goto("/leaderboard/2026-11-30/one-pass")
    rows = page.locator("tbody tr")
    expect(rows).to_have_text([re.compile(r"1\s*Ada\s*you\s*1:40")])
    furnished.play(clock, deal, ben.player.pk, builders.SHORT_LINE, s=80, undos=0)
    page.clock.fast_forward(5_000)
    expect(rows).to_have_text([re.compile(r"1\s*Ben"), re.compile(r"2\s*Ada")])
    page.get_by_role("button", name="Near me").click()
    expect(page.get_by_role("button", name="Near me")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("tr.is-me")).to_contain_text("Ada")


@pytest.mark.parametrize(
    ("locale", "name"), [("en-GB", "All time"), ("de", "Gesamt"), ("pl", "Ogółem")]
)
def test_a_board_of_a_period_has_its_own_name(
    visitor: NeedsContext, clock: "SimulatedClock", locale: str, name: str
) -> None:
    page = visitor(DESKTOP, locale=locale).new_page()
    page.goto("/leaderboard/2026-11-30/one-pass")
    page.get_by_role("button", name=name).click()
    expect(page.locator(".state")).to_contain_text(f"{name}: 0")


def test_a_sealed_attempt_is_replayed_move_by_move(
    visitor: NeedsContext, made: dict[str, str]
) -> None:

    page = visitor(DESKTOP).new_page()
    page.goto("/leaderboard/2026-11-29/one-pass")
    expect(page.locator("[data-stats] h2")).to_have_text("Times")
    page.get_by_role("link", name="Replay Quiet Heron 4821").click()
    expect(page.locator(".at")).to_have_text("Move 0 of 48")
    assert made["attempt"] in page.url
    message = page.locator("[data-message]")
    forward = page.get_by_role("button", name="Forward")
    for said in ("Ace of Spades drawn.", "Move undone.", "King of Hearts removed."):
        forward.click()
        expect(message).to_have_text(said)
    page.get_by_role("slider").press("End")
    expect(page.locator(".at")).to_have_text("Move 48 of 48")
    expect(page.locator(".pyramid [data-place]")).to_have_count(0)


def test_the_archive_leads_to_each_sealed_deal_and_to_practice(
    visitor: NeedsContext, made: dict[str, str]
) -> None:
    from tests.web import furnished

    context = furnished.with_storage(visitor(DESKTOP), made["player"])
    page = context.new_page()
    page.goto("/archive")
    expect(page.locator("a.cell")).to_have_count(furnished.DAYS)
    expect(page.locator("a.is-own-cleared")).to_have_count(furnished.DAYS)
    page.get_by_role("link", name=SATURDAY).click()
    page.get_by_role("link", name="Practise this deal").click()
    table = Table(page)
    table.wait(0)
    for ply, move in enumerate(["b1b2", "a1"], start=1):
        table.click(move)
        table.wait(ply)
    dialog = page.get_by_role("dialog", name="Cleared!")
    expect(dialog).to_contain_text("Practice isn’t ranked.")
    expect(dialog.get_by_role("button", name="Share")).to_have_count(0)


def test_the_profile_shows_what_was_played(visitor: NeedsContext, made: dict[str, str]) -> None:
    from tests.web import furnished

    page = furnished.with_storage(visitor(DESKTOP), made["player"]).new_page()
    page.goto("/profile")
    expect(page.locator(".big")).to_have_text("9 days")
    expect(page.locator(".day.is-cleared")).to_have_count(furnished.DAYS)
    expect(page.locator(".is-stats tbody tr")).to_have_count(2)
    expect(page.get_by_role("img", name="Cleared 9 times")).to_be_visible()
    page.goto("/players/Ada%20Lovelace")
    expect(page.locator(".big")).to_have_text("9 days")
