"""What moves is a picture: whatever can be pressed lies where it stays, from its first frame on."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.conftest import DESKTOP, PHONE, NeedsContext
from tests.web.playing import Table, drawn_table, server_log

MOVED = """
window.moved = new Set();
const PRESSED = "button, a, input, select, summary";
const look = (animation) => {
  const { target } = animation.effect;
  const names = animation.effect.getKeyframes().flatMap(Object.keys);
  const moving = /^(transform|translate|scale|rotate|left|top|margin|inset)/;
  const moves = names.some(name => moving.test(name));
  if (!moves || target.closest("[inert]")) return;
  if (target.closest(PRESSED) === target || target.querySelector(PRESSED)) {
    moved.add(target.outerHTML.slice(0, 80));
  }
};
const { animate } = Element.prototype;
Element.prototype.animate = function (...given) {
  const animation = animate.apply(this, given);
  look(animation);
  return animation;
};
for (const kind of ["animationstart", "transitionrun"]) {
  addEventListener(kind, () => document.getAnimations().forEach(look), true);
}
const frame = () => {
  const cards = document.querySelectorAll("button[data-place]:not([aria-disabled])");
  for (const card of document.querySelector("dialog") ? [] : cards) {
    const { left, top, width, height } = card.getBoundingClientRect();
    const still = card.parentElement.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const hit = document.elementFromPoint(x, y)?.closest("[data-place]");
    if (Math.abs(left - still.left) > 0.5 || Math.abs(top - still.top) > 0.5 || hit !== card) {
      moved.add(card.outerHTML.slice(0, 80));
    }
  }
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
"""
"""Notes what can be pressed and is not where it lies, and what animates its place."""

MOVING = {"reduced_motion": "no-preference"}


def watched(page: Page) -> Page:
    page.add_init_script(MOVED)
    return page


def expect_still(page: Page) -> None:
    """Nothing that can be pressed has moved, until everything that moves has arrived."""
    page.wait_for_function("() => document.getAnimations().every(it => it.playState !== 'running')")
    assert page.evaluate("[...moved]") == []


@pytest.fixture
def table(visitor: NeedsContext) -> Table:
    from tests import builders

    builders.publish()
    return Table(watched(visitor(DESKTOP, **MOVING).new_page())).enter("one-pass")


def test_cards_that_come_and_go_stand_still(table: Table) -> None:
    for ply, move in enumerate(["D", "U", "g1", "U", "g2g5", "U"], start=1):
        table.click(move)
        table.wait(ply)
        expect_still(table.page)


def test_cards_that_are_refused_stand_still(table: Table) -> None:
    table.click("g2g3")
    table.expect_message("3♣ and 8♦ don’t add up to 13.")
    expect_still(table.page)
    table.click("f2")
    table.expect_message("10 of Diamonds is covered.")
    expect_still(table.page)


def test_a_card_that_goes_back_lies_there_at_once(table: Table) -> None:
    x, y = table.centre("g2")
    table.page.mouse.move(x, y)
    table.page.mouse.down()
    table.page.mouse.move(x - 200, y + 150, steps=4)
    table.page.mouse.up()
    expect_still(table.page)
    assert table.centre("g2") == (x, y)


def test_the_waste_that_is_turned_over_stands_still(visitor: NeedsContext) -> None:
    table = drawn_table(visitor, 49, "2d", "4h", "4s", context=MOVING, passes=2)
    table.page.evaluate(f"() => {{ {MOVED} }}")
    table.click("R")
    table.wait(50)
    expect_still(table.page)
    table.click("U")
    table.wait(51)
    expect_still(table.page)


def test_a_dialog_lies_where_it_stays(table: Table) -> None:
    table.button("Rules").click()
    expect(table.page.get_by_role("dialog", name="How to play")).to_be_visible()
    expect_still(table.page)


def test_the_card_that_flies_can_be_pressed_at_once(table: Table) -> None:
    """The second of two presses comes in the very task that shows the first one's answer."""
    table.page.evaluate(
        """new MutationObserver((_, observer) => {
          const card = document.querySelector("button[data-place=W]");
          if (!card) return;
          observer.disconnect();
          const { left, top, width, height } = card.parentElement.getBoundingClientRect();
          const hit = document.elementFromPoint(left + width / 2, top + height / 2);
          window.pressed = hit.closest("[data-place]")?.dataset.place;
          requestAnimationFrame(() => {
            const hit = document.elementFromPoint(left + width / 2, top + height / 2);
            window.then = hit.closest("[data-place]")?.dataset.place;
          });
        }).observe(document.querySelector("[data-table]"), {childList: true, subtree: true})"""
    )
    table.click("D")
    table.page.wait_for_function("() => window.then")
    assert table.page.evaluate("[pressed, then]") == ["W", "W"]


def test_a_question_takes_no_press_that_was_meant_for_the_table(table: Table) -> None:
    """Who taps twice to give up is asked, and has not answered."""
    from games.models import Attempt

    table.page.evaluate(
        """new MutationObserver(() => {
          const yes = document.querySelector("dialog .is-grave");
          if (!yes || "hit" in window) return;
          const { left, top, width, height } = yes.getBoundingClientRect();
          window.hit = yes.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }).observe(document.querySelector("main"), {childList: true, subtree: true})"""
    )
    table.button("Give up").click()
    dialog = table.page.get_by_role("dialog", name="Give up this deal?")
    expect(dialog).to_be_visible()
    table.page.wait_for_function("() => 'hit' in window")
    assert table.page.evaluate("hit") is False
    dialog.get_by_role("button", name="Give up").click()  # when it has been seen
    expect(table.page.locator(".ended")).to_be_visible()
    assert Attempt.objects.get().status == "resigned"


def test_the_stuck_banner_takes_no_press_that_was_meant_for_the_table(
    visitor: NeedsContext,
) -> None:
    table = drawn_table(visitor, 48, "2d", "4h", "4s")
    table.page.evaluate(
        """new MutationObserver(() => {
          const undo = document.querySelector(".banner .button");
          if (!undo || "hit" in window) return;
          const { left, top, width, height } = undo.getBoundingClientRect();
          window.hit = undo.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }).observe(document.querySelector("[data-banner]"), {childList: true, subtree: true})"""
    )
    table.click("D")
    table.page.wait_for_function("() => 'hit' in window")
    assert table.page.evaluate("hit") is False
    table.page.locator(".banner").get_by_role("button", name="Undo").click()
    table.wait(50)
    assert server_log() == ["D"] * 49 + ["U"]


@pytest.mark.parametrize("language", ["en", "de", "pl"])
@pytest.mark.parametrize("size", [PHONE, PHONE[::-1]])
def test_no_words_below_the_table_move_it_on_a_phone(
    visitor: NeedsContext, language: str, size: tuple[int, int]
) -> None:
    """Nor anything else, upright or on its side: the longest words have their room."""
    from tests import builders

    builders.publish()
    context = visitor(size, has_touch=True, is_mobile=True, locale=language)
    table = Table(context.new_page()).enter("one-pass")
    higher = table.page.evaluate(
        """async () => {
          const texts = await (await fetch(document.documentElement.dataset.texts)).json();
          const message = document.querySelector("[data-message]");
          const top = () => document.querySelector("[data-tools]").getBoundingClientRect().top;
          const still = top();
          const { void: reason, start_text, sign_in_again, new_day, ...said } = texts.play;
          return [...Object.values(said), ...Object.values(texts.refused)]
            .filter(text => typeof text === "string")
            .filter(text => {
              message.textContent = text.replaceAll(/\\{[^}]+\\}/g, "10 of Diamonds");
              return top() !== still || message.scrollHeight > message.clientHeight;
            });
        }"""
    )
    assert higher == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_a_streak_that_comes_late_moves_nothing_of_the_end(
    visitor: NeedsContext, made: dict[str, str], size: tuple[int, int]
) -> None:
    from tests.web import furnished

    page = furnished.with_storage(visitor(size), made["player"]).new_page()
    page.goto("/play/2026-11-30/full-clear")
    page.locator("[data-ply]").wait_for()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/v1/me", hold)
    Table(page).click("a1S")
    dialog = page.get_by_role("dialog", name="Cleared!")
    expect(dialog).to_contain_text("…")
    before = dialog.bounding_box()
    for route in held:
        route.continue_()
    expect(dialog.locator(".facts")).to_contain_text("days")
    assert dialog.bounding_box() == before
