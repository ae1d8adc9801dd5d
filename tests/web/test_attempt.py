"""Several moves on a broken line: the log has each move once, in its order."""

import json

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from tests.web.conftest import DESKTOP, NeedsContext
from tests.web.playing import Held, Table, bodies, play_on, server_log, settle

MOVES = "**/moves"
ELSEWHERE = "You made moves in another tab or on another device. Here is the current position."
BUSY = "The server is busy. Retrying…"


def test_three_taps_whose_first_reply_is_lost_are_each_played_once(table: Table) -> None:
    sent = bodies(table.page)
    first = Held(table.page).after(lambda: table.click("D"))
    table.click("g1")
    table.click("g2g5")
    first.fetch()  # so the server has played it
    first.abort()
    table.wait(3)
    assert sent == [("D", 0), ("D", 0), ("g1", 1), ("g2g5", 2)]
    assert server_log() == ["D", "g1", "g2g5"]


def test_three_taps_whose_first_request_is_lost_are_each_played_once(table: Table) -> None:
    first = Held(table.page).after(lambda: table.click("D"))
    table.click("g1")
    table.click("D")
    first.abort()
    table.wait(3)
    assert server_log() == ["D", "g1", "D"]


def test_waiting_moves_are_undone_in_their_order(table: Table) -> None:
    first = Held(table.page).after(lambda: table.click("D"))
    table.click("U")
    table.click("g1")
    first.continue_()
    table.wait(3)
    assert server_log() == ["D", "U", "g1"]


def test_moves_that_wait_are_dropped_when_another_device_has_played(table: Table) -> None:
    """No tab tells of it: the server's refusal does."""
    sent = bodies(table.page)
    first = Held(table.page).after(lambda: table.click("D"))
    table.click("D")
    table.click("g2g5")
    play_on(["g1", "D"])
    first.continue_()
    table.wait(2)
    table.expect_message(ELSEWHERE)
    table.click("g2g5")
    table.wait(3)
    assert sent == [("D", 0), ("g2g5", 2)]
    assert server_log() == ["g1", "D", "g2g5"]


def test_moves_that_wait_are_not_sent_after_the_end(table: Table) -> None:
    """Given up elsewhere: the end is shown, and nothing more is sent."""
    from games import attempts
    from games.models import Attempt

    sent = bodies(table.page)
    first = Held(table.page).after(lambda: table.click("D"))
    table.click("g1")
    attempt = Attempt.objects.get()
    attempts.resign(attempt_id=attempt.pk, player_id=attempt.player_id)
    first.continue_()
    expect(table.page.locator(".ended")).to_have_text("Given up after 0:00.")
    assert sent == [("D", 0)]
    assert server_log() == []


def test_giving_up_drops_the_moves_that_wait(table: Table) -> None:
    first = Held(table.page).after(lambda: table.click("D"))
    late = first.fetch()
    table.click("g1")
    table.button("Give up").click()
    table.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(table.page.locator(".ended")).to_have_text("Given up after 0:00.")
    with table.page.expect_response(MOVES):
        first.fulfill(response=late)
    settle(table.page)
    expect(table.page.locator(".ended")).to_have_text("Given up after 0:00.")
    assert server_log() == ["D"]


def test_a_reply_during_giving_up_sends_no_move_that_waited_for_it(table: Table) -> None:
    sent = bodies(table.page)
    first = Held(table.page).after(lambda: table.click("D"))
    table.click("g1")
    table.button("Give up").click()
    sure = table.page.get_by_role("dialog").get_by_role("button", name="Give up")
    giving_up = Held(table.page, "**/resign").after(sure.click)
    first.continue_()
    table.wait(1)
    giving_up.continue_()
    expect(table.page.locator(".ended")).to_have_text("Given up after 0:00.")
    assert sent == [("D", 0)]
    assert server_log() == ["D"]


def test_a_move_that_waits_for_the_one_that_clears_is_not_sent(visitor: NeedsContext) -> None:
    from tests import builders

    builders.publish_short()
    table = Table(visitor(DESKTOP).new_page()).enter("one-pass")
    first, last = builders.SHORT_LINE
    table.click(first)
    table.wait(1)
    sent = bodies(table.page)
    clearing = Held(table.page).after(lambda: table.click(last))
    table.click("D")
    clearing.continue_()
    expect(table.page.get_by_role("dialog", name="Cleared!")).to_be_visible()
    settle(table.page)
    table.expect_message("")
    assert sent == [(last, 1)]


def test_a_refused_move_lets_those_behind_it_through(table: Table) -> None:
    first = Held(table.page).after(lambda: table.click("g2g3"))
    table.click("g1")
    first.continue_()
    table.wait(1)
    assert server_log() == ["g1"]


def test_after_a_refused_move_the_next_is_sent(table: Table) -> None:
    table.click("g2g3")
    expect(table.page.locator("[data-message]")).not_to_be_empty()
    table.click("g1")
    table.wait(1)
    assert server_log() == ["g1"]


@pytest.mark.parametrize("online", [False, True])
def test_a_retry_after_is_kept(table: Table, online: bool) -> None:
    """Though the line came back meanwhile: it was never broken."""
    at: list[float] = []
    problem = json.dumps({"code": "unavailable", "detail": ""})

    def refuse_once(route: Route) -> None:
        at.append(table.page.evaluate("performance.now()"))
        if len(at) == 1:
            route.fulfill(status=503, body=problem, headers={"Retry-After": "3"})
        else:
            route.continue_()

    table.page.route(MOVES, refuse_once)
    table.click("g1")
    table.expect_message(BUSY)
    if online:
        table.page.evaluate("dispatchEvent(new Event('online'))")
    table.wait(1)
    assert len(at) == 2
    assert at[1] - at[0] >= 2900
    assert server_log() == ["g1"]


@pytest.mark.parametrize("after", ["Mon, 30 Nov 2026 12:00:05 GMT", "", "-1"])
def test_a_retry_after_that_is_no_number_stops_nothing(table: Table, after: str) -> None:
    table.page.route(
        MOVES,
        lambda route: route.fulfill(status=503, body="Busy.", headers={"Retry-After": after}),
        times=1,
    )
    table.click("g1")
    table.wait(1)
    assert server_log() == ["g1"]


def test_the_page_of_a_portal_is_no_answer(table: Table) -> None:
    """A network that wants its users to sign in answers 200, with a page of its own."""
    table.page.route(MOVES, lambda route: route.fulfill(status=200, body="<p>Welcome</p>"), times=1)
    table.click("g1")
    table.wait(1)
    assert server_log() == ["g1"]


def test_the_pauses_between_tries_grow_to_eight_seconds(context: BrowserContext) -> None:
    page = context.new_page()
    page.add_init_script(
        """window.pauses = [];
        AbortSignal.timeout = ms => {
          const control = new AbortController();
          if (ms === 15_000) return control.signal;
          pauses.push(ms);
          setTimeout(() => control.abort());
          return control.signal;
        };"""
    )
    table = Table(page).enter("one-pass")
    tries: list[str] = []

    def lose_seven(route: Route) -> None:
        tries.append(route.request.url)
        if len(tries) > 7:
            route.continue_()
        else:
            route.abort()

    page.route(MOVES, lose_seven)
    table.click("g1")
    table.wait(1)
    table.expect_message("")
    assert page.evaluate("pauses") == [500, 1000, 2000, 4000, 8000, 8000, 8000]


def test_a_line_that_comes_back_ends_the_pause(context: BrowserContext) -> None:
    """Here no pause ends by itself."""
    page = context.new_page()
    page.add_init_script("AbortSignal.timeout = () => new AbortController().signal")
    table = Table(page).enter("one-pass")
    context.set_offline(True)
    table.click("g1")
    table.expect_message("No connection. Your move is saved and will be sent when you reconnect.")
    context.set_offline(False)
    table.wait(1)
    assert server_log() == ["g1"]
