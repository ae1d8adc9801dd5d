"""Every page and state, light and dark, on each size: for everybody's eyes, ears and hands."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.web.conftest import DESKTOP, PHONE, TABLET, NeedsContext
from tests.web.playing import Table

if TYPE_CHECKING:
    pass

AXE = (Path(__file__).parent / "vendor/axe-core/axe.min.js").read_text()
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

COLOURS = ["color-contrast", "link-in-text-block"]
"""What the dark changes."""

CUT = """() => [...document.querySelectorAll("body *")].filter(element => {
  const style = getComputedStyle(element);
  if (element.closest(".unseen, .watch-word, .symbols")) return false;
  if (!element.checkVisibility()) return false;
  const hides = style.overflowX !== "visible" && style.overflowX !== "auto";
  const tooWide = hides && element.scrollWidth > element.clientWidth + 1;
  const rect = element.getBoundingClientRect();
  const outside = rect.width > 0 && (rect.left < -1 || rect.right > innerWidth + 1);
  return (tooWide && style.textOverflow !== "ellipsis") || (outside && !element.closest("svg"));
}).map(element => element.outerHTML.slice(0, 120))"""
"""Elements whose text is cut, or that reach out of the window."""


def signed_in(context: BrowserContext, made: dict[str, str]) -> BrowserContext:
    """A context whose pages are the first player's."""
    from tests.web import furnished

    return furnished.with_storage(context, made["player"])


def at(path: str, shown: str) -> Callable[[Page, dict[str, str]], None]:
    """Opens a page, which is whole when something of it is shown."""

    def go(page: Page, made: dict[str, str]) -> None:
        page.goto(path.format(**made))
        page.locator(shown).first.wait_for()

    return go


PAGES = {
    "today": at("/", "[data-streak]:not(:empty)"),
    "start": at("/play/2026-11-30/three-pass", "[data-start]"),
    "double": at("/play/2026-11-30/double#start", "[data-ply]"),
    "leaderboard": at("/leaderboard/2026-11-30/one-pass", "tbody tr"),
    "final": at("/leaderboard/2026-11-28/one-pass", "tbody tr"),
    "archive": at("/archive", "a.is-own-cleared"),
    "replay": at("/replay/{attempt}", "input[type=range]"),
    "profile": at("/profile", ".recent li"),
    "account": at("/account", "form"),
    "missing": at("/play/2027-01-01/one-pass", "h1"),
}


def playing(page: Page, made: dict[str, str]) -> Table:
    page.goto("/play/2026-11-30/one-pass#start")
    table = Table(page)
    table.page.locator("[data-ply]").wait_for()
    return table


def moved(page: Page, made: dict[str, str]) -> None:
    table = playing(page, made)
    if table.page.locator("[data-ply='0']").count():
        for ply, move in enumerate(["g1", "D", "D"], start=1):
            table.click(move)
            table.wait(ply)
    table.card("g4").focus()
    page.keyboard.press("Enter")


def helped(page: Page, made: dict[str, str]) -> None:
    playing(page, made).button("Rules").click()


def asked(page: Page, made: dict[str, str]) -> None:
    playing(page, made).button("Give up").click()


def refused(page: Page, made: dict[str, str]) -> None:
    table = playing(page, made)
    table.click("g2g3")
    table.expect_message("3♣ and 8♦ don’t add up to 13.")


def cleared(page: Page, made: dict[str, str]) -> None:
    """The end of a game that has one move left, or the same end looked at again."""
    page.goto("/play/2026-11-30/full-clear")
    page.locator("[data-ply]").wait_for()
    if page.locator(".ended").count():
        page.get_by_role("button", name="Result").click()
    else:
        Table(page).click("a1S")
    expect(page.get_by_role("dialog")).to_contain_text("day")


def ended(page: Page, made: dict[str, str]) -> None:
    cleared(page, made)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Result")).to_be_focused()


def replayed(page: Page, made: dict[str, str]) -> None:
    PAGES["replay"](page, made)
    page.get_by_role("button", name="Forward").click()
    page.get_by_role("button", name="Forward").click()


def claim_refused(page: Page, made: dict[str, str]) -> None:
    PAGES["account"](page, made)
    page.get_by_role("button", name="Create account", exact=True).click()
    expect(page.locator("[aria-invalid]").first).to_be_focused()


STATES: dict[str, Callable[[Page, dict[str, str]], object]] = {
    **PAGES,
    "play": moved,
    "help": helped,
    "resign": asked,
    "refused": refused,
    "cleared": cleared,
    "ended": ended,
    "replayed": replayed,
    "claim-refused": claim_refused,
}


def violations(page: Page, only: list[str] = TAGS) -> list[str]:
    run = f"axe.run(document, {{runOnly: {only}, resultTypes: ['violations']}})"
    found = page.evaluate(f"async () => {{ {AXE}; return (await {run}).violations }}")
    return [f"{it['id']}: {[node['target'] for node in it['nodes']]}" for it in found]


def test_every_state_is_whole_and_axe_finds_nothing(
    visitor: NeedsContext, made: dict[str, str]
) -> None:
    """Light and dark; on each size no text is cut, and nothing scrolls sideways."""
    context = signed_in(visitor(DESKTOP), made)
    found = {}
    for name, go in STATES.items():
        page = context.new_page()
        go(page, made)
        found[name, "light"] = violations(page)
        page.emulate_media(color_scheme="dark")
        found[name, "dark"] = violations(page, COLOURS)
        found.update({(name, size): it for size, it in cut(page).items()})
        page.close()
    assert {name: it for name, it in found.items() if it} == {}


@pytest.mark.parametrize("locale", ["de-DE", "pl-PL"])
def test_longer_words_are_whole_too(
    visitor: NeedsContext, made: dict[str, str], locale: str
) -> None:
    context = signed_in(visitor(DESKTOP, locale=locale), made)
    found = {}
    for name in [name for name in STATES if name not in WORDED]:  # a game that runs comes early
        page = context.new_page()
        STATES[name](page, made)
        found.update({(name, width): it for width, it in cut(page).items()})
        page.close()
    assert {name: it for name, it in found.items() if it} == {}


def cut(page: Page) -> dict[str, list[str]]:
    """What is cut or too wide, by the width of the window."""
    found = {}
    for width, height in (PHONE, TABLET, DESKTOP):
        page.set_viewport_size({"width": width, "height": height})
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        found[f"{width} px"] = [*page.evaluate(CUT), *([f"{wide} px too wide"] if wide else [])]
    return found


WORDED = {"ended", "cleared", "play", "help", "resign", "refused", "replayed", "claim-refused"}
"""States that are reached by the English names of buttons."""


def test_every_control_can_be_reached_by_tab_and_has_a_name(
    visitor: NeedsContext, made: dict[str, str]
) -> None:
    context = signed_in(visitor(DESKTOP), made)
    for path, go in PAGES.items():
        page = context.new_page()
        go(page, made)
        wanted = page.evaluate(CONTROLS)
        assert wanted, path
        reached = []
        for _ in range(200):
            page.keyboard.press("Tab")
            here = page.evaluate("document.activeElement.dataset.seen ?? null")
            if here is None or here in reached:
                break
            reached.append(here)
        snapshot = page.locator("body").aria_snapshot()
        assert sorted(reached, key=int) == wanted, path
        assert not [line for line in snapshot.splitlines() if line.strip() in NAMELESS_ROLES], path
        page.close()


CONTROLS = """() => {
  const all = [...document.querySelectorAll("a, button, select, input, summary")]
    .filter(element => element.tabIndex >= 0)
    .filter(element => element.matches(".skip") || element.checkVisibility())
    .filter(element => element.matches("summary") || !element.closest("details:not([open])"));
  all.forEach((element, i) => { element.dataset.seen = i; });
  return all.map(element => element.dataset.seen);
}"""
NAMELESS_ROLES = {"- link", "- button", "- combobox", "- textbox", "- slider"}


def test_what_moves_stands_still_for_those_who_ask(visitor: NeedsContext) -> None:
    from tests import builders

    builders.publish()
    table = Table(visitor(DESKTOP, reduced_motion="reduce").new_page()).enter("one-pass")
    table.page.evaluate(
        "() => { Element.prototype.animate = () => { throw new Error('it moves') } }"
    )
    for ply, move in enumerate(["g1", "D", "U"], start=1):
        table.click(move)
        table.wait(ply)
    table.click("g2g3")
    table.expect_message("3♣ and 8♦ don’t add up to 13.")


def test_the_clock_can_be_hidden(visitor: NeedsContext) -> None:
    from tests import builders

    builders.publish()
    table = Table(visitor(DESKTOP).new_page()).enter("one-pass")
    expect(table.page.locator("[data-timer]").last).to_be_visible()
    table.page.get_by_label("Clock").select_option("Hidden")
    expect(table.page.locator("[data-play] .timer")).to_be_hidden()
    table.page.reload()
    table.wait(0)
    expect(table.page.locator("[data-play] .timer")).to_be_hidden()
