"""Whole games, won by every kind of hand; the server's log is what was played."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

from tests.web.conftest import DESKTOP, PHONE, NeedsContext
from tests.web.playing import Table, server_log

if TYPE_CHECKING:
    from tests.conftest import SimulatedClock

SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) {
    const sources = entry.sources.map(({node}) => node?.outerHTML?.slice(0, 80));
    window.shifts.push({value: entry.value, sources});
  }
}).observe({type: "layout-shift", buffered: true});
"""
"""Counts those right after an input too, which the measure of the web leaves out."""


def win(table: Table, challenge: str, play: Callable[[str], None], clock: "SimulatedClock") -> None:
    """Plays the certified line move by move; the focus is never lost, and nothing jumps."""
    from tests import builders

    moves = builders.CERTIFIED[challenge].moves
    focused = False
    for ply, move in enumerate(moves, start=1):
        if ply == len(moves):
            clock.advance(minutes=3, seconds=12)
        play(move)
        table.wait(ply)
        has_focus = table.page.evaluate("document.activeElement !== document.body")
        assert has_focus or not focused
        focused = has_focus
    assert server_log() == moves
    dialog = table.page.get_by_role("dialog", name="Cleared!")
    expect(dialog.locator(".lead")).to_have_text("You’re the first to clear it.")
    facts = dialog.locator(".facts div")
    expect(facts.filter(has_text="Ranked time")).to_contain_text("3:12")
    expect(facts.filter(has_text="Streak")).to_contain_text("1 day")
    shifts = table.page.evaluate("window.shifts")
    assert sum(shift["value"] for shift in shifts) < 0.02, shifts


def opened(page: Page, challenge: str = "one-pass") -> Table:
    from tests import builders

    builders.publish(challenge)
    page.add_init_script(SHIFTS)
    return Table(page).enter(challenge)


def test_by_taps_of_a_finger(visitor: NeedsContext, clock: "SimulatedClock") -> None:
    table = opened(visitor(PHONE, has_touch=True, is_mobile=True).new_page())
    win(table, "one-pass", table.tap, clock)


def test_by_clicks_under_rules_that_open_the_stock(
    visitor: NeedsContext, clock: "SimulatedClock"
) -> None:
    table = opened(visitor(DESKTOP).new_page(), "three-pass")
    win(table, "three-pass", table.click, clock)


def test_by_mouse_drag(visitor: NeedsContext, clock: "SimulatedClock") -> None:
    table = opened(visitor(DESKTOP, reduced_motion="no-preference").new_page())
    win(table, "one-pass", table.drag, clock)


def test_by_touch_drag(visitor: NeedsContext, clock: "SimulatedClock") -> None:
    context = visitor(PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    finger = context.new_cdp_session(page)
    table = opened(page)
    win(table, "one-pass", lambda move: table.drag_by_touch(move, finger), clock)


def test_by_keyboard_alone(visitor: NeedsContext, clock: "SimulatedClock") -> None:
    """From the first page on: nothing is touched but keys."""
    from tests import builders

    builders.publish("double")
    page = visitor(DESKTOP).new_page()
    page.add_init_script(SHIFTS)
    table = Table(page)
    page.goto("/")
    page.get_by_role("link", name="Play Double Pyramid").focus()
    page.keyboard.press("Enter")
    table.wait(0)
    while table.focused() is None:
        page.keyboard.press("Tab")
    win(table, "double", table.press, clock)
