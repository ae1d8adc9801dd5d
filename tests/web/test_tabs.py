"""Several tabs, and looks at what was played elsewhere: each shows the latest and nothing older."""

from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.web.playing import Held, Table, bodies, play_on, server_log, settle

MOVES = "**/moves"
ELSEWHERE = "You made moves in another tab or on another device. Here is the current position."
LOOKS = "**/api/v1/attempts/*"


def another_tab(page: Page) -> Table:
    page.goto("/play/2026-11-30/one-pass")
    page.locator("[data-play][data-ply]").wait_for()
    return Table(page)


def listen(page: Page) -> None:
    """Let `hear` find what another tab tells from now on."""
    page.evaluate(
        """() => {
          window.told = new Promise((tell) => {
            new BroadcastChannel("pyramid-attempts").onmessage = () => tell();
          });
        }"""
    )


def hear(page: Page) -> None:
    """Wait until the page, whose own channel is the older one, has dealt with what it was told."""
    page.evaluate("told")


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
    table.expect_message(ELSEWHERE)
    table.page.wait_for_function("() => !document.querySelector('.is-leaving')")
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
    table.expect_message(ELSEWHERE)
    table.click("D")
    table.wait(2)
    assert sent == [("D", 0), ("D", 0), ("D", 1)]
    assert server_log() == ["g1", "D"]


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
    table.page.wait_for_function("() => !document.querySelector('.is-leaving')")
    table.click("D")
    table.wait(3)
    assert sent == [("D", 0), ("D", 2)]
    assert server_log() == ["D", "g1", "D"]


def test_a_tab_shows_that_the_game_was_given_up_in_another(
    table: Table, context: BrowserContext
) -> None:
    other = another_tab(context.new_page())
    other.button("Give up").click()
    other.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(table.page.locator(".ended")).to_have_text("Given up after 0:00.")


def test_a_tab_that_learns_late_takes_nothing_back_in_another(
    table: Table, context: BrowserContext
) -> None:
    """What it tells is older than what the other has seen of a third device."""
    other = another_tab(context.new_page())
    first = Held(other.page).after(lambda: other.click("D"))
    late = first.fetch()
    play_on(["g1"])
    table.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    table.wait(2)
    listen(table.page)
    first.fulfill(response=late)
    hear(table.page)
    expect(table.page.locator("[data-play]")).to_have_attribute("data-ply", "2")
    table.click("g2g5")
    table.wait(3)
    assert server_log() == ["D", "g1", "g2g5"]


def test_tabs_with_two_deals_leave_each_other_alone(table: Table, context: BrowserContext) -> None:
    from tests import builders

    builders.publish("full-clear")
    other = Table(context.new_page()).enter("full-clear")
    listen(table.page)
    other.click("D")
    other.wait(1)
    hear(table.page)
    table.wait(0)
    table.click("g1")
    table.wait(1)
    assert server_log(deal__challenge="one-pass") == ["g1"]
    assert server_log(deal__challenge="full-clear") == ["D"]


def test_a_look_that_is_overtaken_by_a_move_shows_nothing_older(table: Table) -> None:
    look = Held(table.page, LOOKS)
    with table.page.expect_request(LOOKS):
        table.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    while not look.routes:
        table.page.evaluate("1")
    old = look.routes[0].fetch()
    table.click("g1")
    table.wait(1)
    with table.page.expect_response(LOOKS):
        look.routes[0].fulfill(response=old)
    table.click("D")
    table.wait(2)
    table.expect_message("")
    assert server_log() == ["g1", "D"]


def test_a_page_looks_once_at_a_time_and_not_while_a_move_waits(table: Table) -> None:
    looks: list[str] = []

    def note(route: Route) -> None:
        looks.append(route.request.url)
        route.continue_()

    table.page.route(LOOKS, note)
    move = Held(table.page).after(lambda: table.click("g1"))
    table.page.evaluate("dispatchEvent(new Event('online'))")
    move.continue_()
    table.wait(1)
    assert looks == []
    with table.page.expect_response(LOOKS):
        table.page.evaluate("for (const _ of [1, 2, 3]) dispatchEvent(new Event('online'))")
    settle(table.page)
    with table.page.expect_response(LOOKS):
        table.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    assert len(looks) == 2


def test_a_look_that_is_refused_says_nothing_and_play_goes_on(table: Table) -> None:
    table.page.route(
        LOOKS,
        lambda route: route.fulfill(status=404, body='{"code": "not_found"}'),
        times=1,
    )
    with table.page.expect_response(LOOKS):
        table.page.evaluate("dispatchEvent(new Event('online'))")
    table.expect_message("")
    table.click("g1")
    table.wait(1)
