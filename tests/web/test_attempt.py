"""Several moves or several tabs on a broken line: the log has each move once, in its order."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

from tests.web.conftest import DESKTOP, NeedsContext
from tests.web.playing import Table, play_on, server_log

MOVES = "**/moves"
ELSEWHERE = "You played on elsewhere: this is how it stands now."
BUSY = "The server is busy. It goes on by itself."


@pytest.fixture
def context(visitor: NeedsContext) -> BrowserContext:
    from tests import builders

    builders.publish()
    return visitor(DESKTOP)


@pytest.fixture
def table(context: BrowserContext) -> Table:
    return Table(context.new_page()).enter("one-pass")


def another_tab(page: Page) -> Table:
    page.goto("/play/2026-11-30/one-pass")
    page.locator("[data-play][data-ply]").wait_for()
    return Table(page)


def bodies(page: Page) -> list[tuple[str, int]]:
    """Each move that the page sends from now on, with its ply."""
    sent: list[tuple[str, int]] = []

    def note(request: Request) -> None:
        if request.method == "POST" and request.url.endswith("/moves"):
            body = request.post_data_json or {}
            sent.append((body["move"], body["ply"]))

    page.on("request", note)
    return sent


class Held:
    """The first request for moves that the page sends: it waits until it is told what it gets."""

    def __init__(self, page: Page, path: str = MOVES) -> None:
        self.page = page
        self.routes: list[Route] = []
        page.route(path, lambda route: self.routes.append(route), times=1)

    def after(self, act: Callable[[], object]) -> Route:
        """What `act` sends."""
        with self.page.expect_request(lambda request: request.method == "POST"):
            act()
        while not self.routes:
            self.page.evaluate("1")
        return self.routes[0]


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


def test_another_tab_that_plays_between_a_loss_and_its_retry_doubles_nothing(
    table: Table, context: BrowserContext
) -> None:
    """The lost move was played: the tab goes on from what both have done."""
    other = another_tab(context.new_page())
    first = Held(table.page).after(lambda: table.click("D"))
    table.click("g2g5")
    first.fetch()
    other.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    other.wait(1)
    other.click("g1")
    other.wait(2)
    table.wait(2)
    first.abort()
    table.expect_word(ELSEWHERE)
    table.page.wait_for_function("() => !document.querySelector('.is-going')")
    table.click("g2g5")
    table.wait(3)
    other.wait(3)
    assert server_log() == ["D", "g1", "g2g5"]


def test_a_move_that_another_tab_forestalls_is_not_played_after_it(
    table: Table, context: BrowserContext
) -> None:
    """The request was lost on its way there; those that wait for it were meant for its position."""
    other = another_tab(context.new_page())
    sent = bodies(table.page)
    first = Held(table.page).after(lambda: table.click("D"))
    table.click("g2g5")
    other.click("g1")
    other.wait(1)
    table.wait(1)
    with table.page.expect_response(lambda reply: reply.status == 409):
        first.abort()
    table.expect_word(ELSEWHERE)
    table.click("D")
    table.wait(2)
    assert sent == [("D", 0), ("D", 0), ("D", 1)]
    assert server_log() == ["g1", "D"]


def test_moves_that_wait_are_dropped_when_another_device_has_played(table: Table) -> None:
    """No tab tells of it: the server's refusal does."""
    sent = bodies(table.page)
    first = Held(table.page).after(lambda: table.click("D"))
    table.click("D")
    table.click("g2g5")
    play_on(["g1", "D"])
    first.continue_()
    table.wait(2)
    table.expect_word(ELSEWHERE)
    table.click("g2g5")
    table.wait(3)
    assert sent == [("D", 0), ("g2g5", 2)]
    assert server_log() == ["g1", "D", "g2g5"]


def test_a_reply_that_another_tab_has_overtaken_takes_nothing_back(
    table: Table, context: BrowserContext
) -> None:
    other = another_tab(context.new_page())
    sent = bodies(table.page)
    first = Held(table.page).after(lambda: table.click("D"))
    table.click("g2g5")  # waits, and was meant for another position
    late = first.fetch()
    other.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    other.wait(1)
    other.click("g1")
    table.wait(2)
    with table.page.expect_response(MOVES):
        first.fulfill(response=late)
    table.page.wait_for_function("() => !document.querySelector('.is-going')")
    table.click("g2g5")
    table.wait(3)
    assert sent == [("D", 0), ("g2g5", 2)]
    assert server_log() == ["D", "g1", "g2g5"]


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
    expect(table.page.locator(".ended")).to_have_text("Given up after 0:00.")
    assert server_log() == ["D"]


def test_a_tab_shows_that_the_game_was_given_up_in_another(
    table: Table, context: BrowserContext
) -> None:
    other = another_tab(context.new_page())
    other.button("Give up").click()
    other.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(table.page.locator(".ended")).to_have_text("Given up after 0:00.")


def test_a_refused_move_lets_those_behind_it_through(table: Table) -> None:
    first = Held(table.page).after(lambda: table.click("g2g3"))
    table.click("g1")
    first.continue_()
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
    table.expect_word(BUSY)
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
    table.expect_word("")
    assert page.evaluate("pauses") == [500, 1000, 2000, 4000, 8000, 8000, 8000]


def test_a_look_that_is_overtaken_by_a_move_shows_nothing_older(table: Table) -> None:
    look = Held(table.page, "**/api/v1/attempts/*")
    with table.page.expect_request("**/api/v1/attempts/*"):
        table.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    while not look.routes:
        table.page.evaluate("1")
    old = look.routes[0].fetch()
    table.click("g1")
    table.wait(1)
    with table.page.expect_response("**/api/v1/attempts/*"):
        look.routes[0].fulfill(response=old)
    table.click("D")
    table.wait(2)
    table.expect_word("")
    assert server_log() == ["g1", "D"]


def test_a_page_looks_once_at_a_time_and_not_while_a_move_waits(table: Table) -> None:
    looks: list[str] = []

    def note(route: Route) -> None:
        looks.append(route.request.url)
        route.continue_()

    table.page.route("**/api/v1/attempts/*", note)
    move = Held(table.page).after(lambda: table.click("g1"))
    table.page.evaluate("dispatchEvent(new Event('online'))")
    move.continue_()
    table.wait(1)
    assert looks == []
    with table.page.expect_response("**/api/v1/attempts/*"):
        table.page.evaluate("for (const _ of [1, 2, 3]) dispatchEvent(new Event('online'))")
    with table.page.expect_response("**/api/v1/attempts/*"):
        table.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    assert len(looks) == 2


def test_a_look_that_is_refused_says_nothing_and_play_goes_on(table: Table) -> None:
    table.page.route(
        "**/api/v1/attempts/*",
        lambda route: route.fulfill(status=404, body='{"code": "not_found"}'),
        times=1,
    )
    with table.page.expect_response("**/api/v1/attempts/*"):
        table.page.evaluate("dispatchEvent(new Event('online'))")
    table.expect_word("")
    table.click("g1")
    table.wait(1)
