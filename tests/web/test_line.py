"""Faults of the line, other devices, and the day that ends: play goes on from where it stands."""

import json
import re
from datetime import date
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.web.conftest import DESKTOP, PHONE, NeedsContext
from tests.web.playing import Table, server_log

if TYPE_CHECKING:
    from tests.conftest import SimulatedClock


@pytest.fixture
def context(visitor: NeedsContext) -> BrowserContext:
    from tests import builders

    builders.publish()
    return visitor(DESKTOP)


def resumed(page: Page) -> Table:
    """A page of the attempt that runs already."""
    page.goto("/play/2026-11-30/one-pass")
    page.locator("[data-play][data-ply]").wait_for()
    return Table(page)


def test_a_lost_reply_is_asked_for_again_and_plays_nothing_twice(context: BrowserContext) -> None:
    table = Table(context.new_page()).enter("one-pass")
    replayed: list[str | None] = []

    def lose_the_first(route: Route) -> None:
        reply = route.fetch()  # so the server has played it
        if not replayed:
            replayed.append(reply.headers.get("idempotent-replayed"))
            route.abort()
        else:
            replayed.append(reply.headers.get("idempotent-replayed"))
            route.fulfill(response=reply)

    table.page.route("**/moves", lose_the_first)
    table.click("D")
    table.wait(1)
    table.click("g1")
    table.wait(2)
    assert replayed == [None, "true", None]
    assert server_log() == ["D", "g1"]


def test_a_stale_device_goes_on_from_what_the_other_played(
    context: BrowserContext, visitor: NeedsContext
) -> None:
    """Two devices of one player: nothing but the server joins them."""
    table = Table(context.new_page()).enter("one-pass")
    phone = visitor(DESKTOP, storage_state=context.storage_state())
    other = resumed(phone.new_page())
    table.click("D")
    table.wait(1)
    other.click("g2g5")
    other.wait(1)
    other.expect_message(
        "You made moves in another tab or on another device. Here is the current position."
    )
    expect(other.card("W")).to_have_attribute(
        "aria-label", "A, Ace of Spades, top of the waste, 1 card"
    )
    other.click("g2g5")
    other.wait(2)
    assert server_log() == ["D", "g2g5"]


def test_two_tabs_keep_in_step(context: BrowserContext) -> None:
    table = Table(context.new_page()).enter("one-pass")
    other = resumed(context.new_page())
    table.click("D")
    table.wait(1)
    other.wait(1)
    other.click("g1")
    other.wait(2)
    table.wait(2)
    assert server_log() == ["D", "g1"]


def test_offline_keeps_the_move_until_there_is_a_line(context: BrowserContext) -> None:
    table = Table(context.new_page()).enter("one-pass")
    context.set_offline(True)
    table.click("g1")
    table.expect_message("No connection. Your move is saved and will be sent when you reconnect.")
    expect(table.card("g1")).to_be_visible()
    assert server_log() == []
    context.set_offline(False)
    table.wait(1)
    table.expect_message("")
    assert server_log() == ["g1"]


def test_a_start_without_a_line_speaks_of_no_move(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/play/2026-11-30/one-pass")
    start = page.get_by_role("button", name="Start")
    expect(start).to_be_visible()
    context.set_offline(True)
    start.click()
    Table(page).expect_message("Can’t reach the server. Retrying…")
    context.set_offline(False)
    Table(page).wait(0)
    Table(page).expect_message("")


def test_coming_back_without_a_line_says_so_until_there_is_one(context: BrowserContext) -> None:
    table = Table(context.new_page()).enter("one-pass")
    for _ in range(2):
        context.set_offline(True)
        table.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        table.expect_message("Can’t reach the server. Retrying…")
        context.set_offline(False)
        table.expect_message("")


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_said_to_be_so_and_asked_again(
    context: BrowserContext, status: int
) -> None:
    table = Table(context.new_page()).enter("one-pass")
    problem = '{"code": "unavailable", "detail": "The server cannot reach its database."}'
    table.page.route(
        "**/moves",
        lambda route: route.fulfill(status=status, body=problem, content_type="application/json"),
    )
    table.click("g1")
    table.expect_message("The server is busy. Retrying…")
    table.page.unroute("**/moves")
    table.wait(1)
    table.expect_message("")
    assert server_log() == ["g1"]


def test_after_a_sleep_the_clock_is_the_server_s(
    context: BrowserContext, clock: "SimulatedClock"
) -> None:
    """The browser counts half of the time that passes."""
    page = context.new_page()
    page.clock.install()
    Table(page).enter("one-pass")
    for minutes in (20, 40):
        clock.advance(minutes=20)
        page.clock.fast_forward("10:00")
        expect(page.locator("[data-timer]").last).to_have_text(re.compile(rf"^{minutes}:"))


def test_coming_back_to_a_page_shows_what_was_played_elsewhere(
    context: BrowserContext, visitor: NeedsContext
) -> None:
    table = Table(context.new_page()).enter("one-pass")
    phone = visitor(DESKTOP, storage_state=context.storage_state())
    other = resumed(phone.new_page())
    table.click("D")
    table.wait(1)
    other.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    other.wait(1)


def test_looking_at_a_deal_starts_no_clock(context: BrowserContext) -> None:
    from games.models import Attempt

    page = context.new_page()
    page.goto("/play/2026-11-30/one-pass")
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    assert not Attempt.objects.exists()
    page.get_by_role("button", name="Start").click()
    Table(page).wait(0)
    assert Attempt.objects.count() == 1
    page.reload()
    Table(page).wait(0)
    assert Attempt.objects.count() == 1


def test_the_day_rolls_over_on_the_first_page(
    context: BrowserContext, clock: "SimulatedClock"
) -> None:
    from tests import builders

    page = context.new_page()
    page.clock.install()
    page.goto("/")
    expect(page.locator("[data-countdown]")).to_have_text("11:59:59")
    builders.publish(day=date(2026, 12, 1))
    clock.set("2026-12-01T00:00:01.000Z")
    page.clock.fast_forward("12:00:01")
    expect(page.locator("[data-today='2026-12-01']")).to_be_visible()
    link = page.locator("[data-challenge=one-pass] .actions a").first
    expect(link).to_have_attribute("href", "/play/2026-12-01/one-pass#start")


def test_the_day_rolls_over_during_play_and_the_deal_can_be_finished(
    context: BrowserContext, clock: "SimulatedClock"
) -> None:
    page = context.new_page()
    page.clock.install()
    table = Table(page).enter("one-pass")
    clock.set("2026-12-01T00:00:01.000Z")
    page.clock.fast_forward("12:00:01")
    before = table.centre("g1")
    closing = page.locator(".closing")
    expect(closing).to_contain_text("You can finish this deal until 02:00 UTC.")
    assert table.centre("g1") == before
    table.click("g1")
    table.wait(1)
    clock.set("2026-12-01T02:00:00.000Z")
    table.click("D")
    expect(page.locator(".ended")).to_have_text("Time ran out on this deal.")
    assert server_log() == ["g1"]


def test_after_midnight_every_card_can_be_tapped_on_a_phone(
    visitor: NeedsContext, clock: "SimulatedClock"
) -> None:
    from tests import builders

    builders.publish_short()
    table = Table(visitor(PHONE, has_touch=True, is_mobile=True).new_page()).enter("one-pass")
    clock.set("2026-12-01T00:30:00.000Z")
    table.page.reload()
    expect(table.page.locator(".closing")).to_be_in_viewport()
    for ply, move in enumerate(builders.SHORT_LINE, start=1):
        table.tap(move)
        table.wait(ply)
    expect(table.page.get_by_role("dialog", name="Cleared!")).to_be_visible()


def test_a_sealed_deal_is_not_called_over_where_it_can_be_practised(
    visitor: NeedsContext, made: dict[str, str]
) -> None:
    page = visitor(PHONE).new_page()
    page.goto("/play/2026-11-28/one-pass")
    expect(page.get_by_text("Practice: this day is over")).to_be_visible()
    expect(page.get_by_text("This deal has closed.")).to_have_count(0)


def test_a_deal_of_yesterday_cannot_be_begun(
    context: BrowserContext, clock: "SimulatedClock"
) -> None:
    clock.set("2026-12-01T00:30:00.000Z")
    page = context.new_page()
    page.goto("/play/2026-11-30/one-pass")
    page.get_by_role("button", name="Start").click()
    Table(page).expect_message("This deal has closed.")


def test_a_deal_that_is_being_made_starts_by_itself(
    visitor: NeedsContext, clock: "SimulatedClock"
) -> None:
    from tests import builders

    page = visitor(DESKTOP).new_page()
    page.goto("/")
    expect(page.locator("[data-challenge=one-pass] .making")).to_be_visible()
    page.click("[data-challenge=one-pass] [data-play]")
    table = Table(page)
    table.expect_message("Dealing the cards… your game starts automatically.")
    builders.publish()
    page.evaluate("dispatchEvent(new Event('online'))")
    table.wait(0)
    table.expect_message("")


def test_a_dead_token_says_so(context: BrowserContext) -> None:
    from players.models import Token

    table = Table(context.new_page()).enter("one-pass")
    Token.objects.all().delete()
    table.click("g1")
    table.expect_message("You’re signed out.")
    expect(table.page.locator("[data-who]")).to_have_text("Sign in")
    link = table.page.locator(".banner").get_by_role("link", name="Sign in")
    expect(link).to_have_attribute("href", "/account")


def test_who_is_signed_out_may_start_as_a_new_guest(context: BrowserContext) -> None:
    from players.models import Player, Token

    table = Table(context.new_page()).enter("one-pass")
    Token.objects.all().delete()
    table.page.reload()
    banner = table.page.locator(".banner")
    expect(banner).to_contain_text("Sign in to continue, or reload the page")
    table.button("Start").click()
    table.wait(0)
    expect(banner).to_have_count(0)
    assert Player.objects.count() == 2


def test_a_table_goes_on_when_its_player_is_back(context: BrowserContext) -> None:
    table = Table(context.new_page()).enter("one-pass")
    other = context.new_page()
    other.goto("/account")
    kept = other.evaluate("localStorage['pyramid-player']")
    other.evaluate("localStorage.removeItem('pyramid-player')")
    banner = table.page.locator(".banner")
    expect(banner).to_contain_text("Sign in to continue, or reload the page")
    other.evaluate("kept => localStorage.setItem('pyramid-player', kept)", kept)
    expect(banner).to_have_count(0)
    table.click("g1")
    table.wait(1)


@pytest.mark.parametrize("heard", [True, False])
def test_nobody_sees_the_table_of_another_player(context: BrowserContext, heard: bool) -> None:
    """Another has signed in in another tab, or on a later page before one came back to this."""
    from players import accounts
    from tests.web import furnished

    table = Table(context.new_page()).enter("one-pass")
    kept = furnished.browser_storage(accounts.sign_up(name="Ben"))
    tab = table.page
    if heard:
        tab = context.new_page()
        tab.goto("/account")
    tab.evaluate("kept => localStorage.setItem('pyramid-player', kept)", kept)
    if not heard:
        tab.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    expect(table.button("Start")).to_be_visible()
    expect(table.page.locator("[data-who]")).to_have_text("Ben")


@pytest.mark.parametrize(
    ("status", "code", "said"),
    [
        (404, "not_found", "Something went wrong. Please reload the page."),
        (403, "forbidden", "This account is locked. Please contact support."),
        (422, "illegal_move", "The stock is empty."),
    ],
)
def test_only_a_move_is_called_impossible(
    context: BrowserContext, status: int, code: str, said: str
) -> None:
    table = Table(context.new_page()).enter("one-pass")
    problem = json.dumps({"code": code, "detail": "", "rule": "R8"})
    table.page.route("**/moves", lambda route: route.fulfill(status=status, body=problem))
    table.click("D")
    table.expect_message(said)
