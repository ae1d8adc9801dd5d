"""Hands that slip, hold a key or tap twice: what they meant is played, and the focus stays."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Request, Route, expect

from tests.web.conftest import DESKTOP, PHONE, NeedsContext
from tests.web.playing import Table, drawn_table, play_on, server_log


def sent_from(table: Table) -> list[str]:
    """The moves that the page will have sent, with those that are refused."""
    sent: list[str] = []

    def note(request: Request) -> None:
        body = request.post_data_json
        if body and "move" in body:
            sent.append(body["move"])

    table.page.on("request", note)
    return sent


@contextmanager
def unanswered(table: Table) -> Iterator[None]:
    """What is done here is done before the answer to the first move of it."""
    held: list[Route] = []
    table.page.route("**/moves", lambda route: held.append(route), times=1)
    with table.page.expect_request("**/moves"):
        yield
    held[0].continue_()


def hold(table: Table, key: str) -> None:
    for _ in range(3):
        table.page.keyboard.down(key)
    table.page.keyboard.up(key)


def test_a_drag_that_hits_nothing_goes_back(table: Table) -> None:
    before = table.centre("g2")
    table.page.mouse.move(*before)
    table.page.mouse.down()
    table.page.mouse.move(before[0] - 200, before[1] + 150, steps=4)
    table.page.mouse.up()
    assert table.centre("g2") == before
    assert server_log() == []


def test_a_tremble_is_a_tap(table: Table) -> None:
    x, y = table.centre("g1")
    table.page.mouse.move(x, y)
    table.page.mouse.down()
    table.page.mouse.move(x + 4, y + 3)
    table.page.mouse.up()
    table.wait(1)
    assert server_log() == ["g1"]


def test_a_press_that_slips_a_little_is_a_tap(table: Table) -> None:
    sent = sent_from(table)
    x, y = table.centre("g2")
    table.page.mouse.move(x, y)
    table.page.mouse.down()
    table.page.mouse.move(x + 2, y - 12)
    table.page.mouse.up()
    expect(table.card("g2")).to_have_attribute("aria-pressed", "true")
    table.click("D")
    table.wait(1)
    assert sent == ["D"]


def test_a_finger_that_slips_a_little_taps_once(visitor: NeedsContext) -> None:
    from tests import builders

    builders.publish()
    context = visitor(PHONE, has_touch=True, is_mobile=True)
    table = Table(context.new_page()).enter("one-pass")
    finger = context.new_cdp_session(table.page)
    x, y = table.centre("g2")
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": x + 2, "y": y - 10}]),
        ("touchEnd", []),
    ):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    table.page.touchscreen.tap(*table.centre("g5"))
    table.wait(1)
    assert server_log() == ["g2g5"]


def test_a_card_that_is_gone_while_it_is_dragged_is_let_go_of(table: Table) -> None:
    table.page.mouse.move(*table.centre("g1"))
    table.page.mouse.down()
    table.page.mouse.move(3, 300)
    play_on(["g1"])
    table.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    table.wait(1)
    table.page.mouse.up()
    table.drag("g2g5")
    table.wait(2)
    assert server_log() == ["g1", "g2g5"]


def test_a_card_let_go_upon_covered_ones_goes_back(table: Table) -> None:
    sent = sent_from(table)
    before = table.centre("g2")
    table.page.mouse.move(*before)
    table.page.mouse.down()
    table.page.mouse.move(before[0], before[1] - 60, steps=3)
    table.page.mouse.up()
    assert table.centre("g2") == before
    table.click("D")
    table.wait(1)
    assert sent == ["D"]


def test_a_card_flung_off_the_table_is_let_go_of(table: Table) -> None:
    before = table.centre("g2")
    table.page.mouse.move(*before)
    table.page.mouse.down()
    table.page.mouse.move(3, before[1])
    table.page.mouse.up()
    table.page.mouse.move(*table.centre("g4"))
    table.page.mouse.move(*table.centre("g5"))
    assert table.centre("g2") == before


def test_a_key_that_is_held_down_plays_once(table: Table) -> None:
    sent = sent_from(table)
    table.card("S").focus()
    for ply, key in enumerate(["d", "Enter", "z"], start=1):
        hold(table, key)
        table.wait(ply)
    table.button("Undo").focus()
    hold(table, "Enter")
    table.wait(4)
    table.click("g1")
    table.wait(5)
    assert sent == ["D", "D", "U", "U", "g1"]


def test_a_second_tap_on_a_card_that_is_going_does_nothing(table: Table) -> None:
    sent = sent_from(table)
    with unanswered(table):
        table.click("g1")
        table.click("g1")
    table.wait(1)
    table.click("D")
    table.wait(2)
    assert sent == ["g1", "D"]


def test_the_waste_is_turned_over_once(visitor: NeedsContext) -> None:
    table = drawn_table(visitor, 49, "2d", "4h", "4s", passes=3)
    sent = sent_from(table)
    with unanswered(table):
        table.click("R")
        table.click("R")
    table.wait(50)
    table.click("D")
    table.wait(51)
    assert sent == ["R", "D"]


def test_a_pair_with_a_card_that_has_gone_meanwhile_is_refused_with_that_reason(
    table: Table,
) -> None:
    table.click("D")
    table.wait(1)
    with unanswered(table):
        table.click("U")
        table.click("g4W")
    table.expect_message("That card is already gone.")
    assert server_log() == ["D", "U"]


def test_focus_stays_on_the_table_when_the_stuck_banner_goes(visitor: NeedsContext) -> None:
    table = drawn_table(visitor, 49, "2d", "4h", "4s")
    table.page.locator(".banner").get_by_role("button", name="Undo").press("Enter")
    assert table.focused() == "S"
    table.wait(50)
    assert table.focused() == "S"


def test_the_draw_button_keeps_the_focus_when_the_stock_is_used_up(visitor: NeedsContext) -> None:
    from tests import builders

    builders.publish_short("three-pass", stock_top=True)
    table = Table(visitor(DESKTOP).new_page()).enter("three-pass")
    play_on(["D"] * 48)
    table.page.reload()
    table.wait(48)
    table.button("Draw").press("Enter")
    table.wait(49)
    expect(table.button("Draw")).to_be_focused()
    expect(table.button("Draw")).to_have_attribute("aria-disabled", "true")


HASTE = """press => {
  const page = document.querySelector("[data-play]");
  const stock = () => document.querySelector("[data-place=S]");
  const presses = {
    tap: () => stock().click(),
    key: () => stock().dispatchEvent(new KeyboardEvent("keydown", {key: "d", bubbles: true})),
  };
  let shown = page.dataset.ply;
  new MutationObserver((_, observer) => {
    if (page.dataset.ply === shown) return;
    shown = page.dataset.ply;
    if (shown === "49") observer.disconnect();
    for (const _ of shown === "49" ? [1, 2, 3] : [1]) presses[press]();
  }).observe(page, {attributeFilter: ["data-ply"]});
  presses[press]();
}"""
"""A press as soon as the answer to the last one is shown, and three past the end of the stock."""


@pytest.mark.parametrize("press", ["tap", "key"])
def test_presses_past_the_end_of_the_stock_do_not_turn_the_waste_over(
    visitor: NeedsContext, press: str
) -> None:
    table = drawn_table(visitor, 46, "2d", "4h", "4s", passes=2)
    sent = sent_from(table)
    table.page.evaluate(HASTE, press)
    table.wait(49)
    table.expect_message("The stock is empty. Wait a moment, then press it to turn the waste over.")
    assert sent == ["D", "D", "D"]
    table.click("R")  # after the pause
    table.wait(50)
    assert server_log() == ["D"] * 49 + ["R"]


def test_presses_faster_than_the_line_stop_at_the_end_of_the_stock(visitor: NeedsContext) -> None:
    table = drawn_table(visitor, 47, "2d", "4h", "4s", passes=2)
    sent = sent_from(table)
    with unanswered(table):
        for _ in range(6):
            table.page.mouse.click(*table.centre("S"))
    table.wait(49)
    table.rest()
    assert sent == ["D", "D"]
    assert server_log() == ["D"] * 49


def test_two_quick_taps_zoom_nothing(table: Table) -> None:
    table.button("Rules").click()
    expect(table.page.get_by_role("dialog")).to_be_visible()
    zooming = table.page.evaluate(
        """[...document.querySelectorAll("a, button, select, label")]
          .filter(it => !/^(manipulation|none)$/.test(getComputedStyle(it).touchAction))
          .map(it => it.outerHTML)"""
    )
    assert zooming == []


def test_a_dialog_closes_by_a_press_beside_it_alone(table: Table) -> None:
    """Not by one on its own edge, nor by a selection of text that begins or ends outside."""
    table.button("Rules").click()
    dialog = table.page.get_by_role("dialog")
    heading = dialog.get_by_role("heading", name="How to play").bounding_box()
    box = dialog.bounding_box()
    assert heading
    assert box
    inside = (heading["x"] + 5, heading["y"] + heading["height"] / 2)
    edge = (box["x"] + box["width"] / 2, box["y"] + 6)
    beside = (box["x"] - 20, box["y"] + 30)
    hit = "([x, y]) => document.elementFromPoint(x, y)?.closest('dialog') !== null"
    table.page.wait_for_function(hit, arg=inside)  # it has been seen, and may be pressed
    for start, end in ((edge, edge), (inside, beside), (beside, inside), (beside, edge)):
        table.page.mouse.move(*start)
        table.page.mouse.down()
        table.page.mouse.move(*end, steps=3)
        table.page.mouse.up()
        expect(dialog).to_be_visible()
    table.page.mouse.click(*beside)
    expect(dialog).to_have_count(0)
