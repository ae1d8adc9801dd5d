"""A page that the browser translates: what changes is shown as it stands."""

from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

from tests.web.conftest import DESKTOP, NeedsContext
from tests.web.playing import Table

if TYPE_CHECKING:
    from tests.conftest import SimulatedClock

TRANSLATE = """() => {
  const wrap = () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) found.push(texts.currentNode);
    for (const text of found) {
      const parent = text.parentElement;
      if (!text.data.trim() || parent.closest("font, script, style, [translate=no]")) continue;
      const outer = document.createElement("font");
      const inner = outer.appendChild(document.createElement("font"));
      text.replaceWith(outer);
      inner.append(text.data);
    }
  };
  wrap();
  const changes = {childList: true, characterData: true, subtree: true};
  new MutationObserver(wrap).observe(document.body, changes);
}"""
"""As a translator does: each text, now and later, gives way to another in two elements."""


def translated(page: Page) -> None:
    page.evaluate(TRANSLATE)
    expect(page.locator("font font").first).to_be_attached()


def test_rows_of_a_live_board_are_each_player_once(
    visitor: NeedsContext, made: dict[str, str], clock: "SimulatedClock"
) -> None:
    from games.models import DailyDeal
    from players import accounts
    from tests.web import furnished

    page = visitor(DESKTOP).new_page()
    page.goto("/leaderboard/2026-11-30/one-pass")
    expect(page.locator("tbody tr")).to_have_count(3)
    translated(page)
    clock.advance(seconds=1)
    furnished.play(
        clock,
        DailyDeal.objects.get(date="2026-11-30", challenge="one-pass"),
        accounts.sign_up(name="Zoe").player.pk,
        furnished.certified("one-pass"),
        s=30,
        undos=1,
    )
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("tbody tr")).to_have_count(4)
    assert names(page) == ["Zoe", "Quiet Heron 4821", "Bartek", "Misty Otter 77"]
    plain = visitor(DESKTOP).new_page()
    plain.goto("/leaderboard/2026-11-30/one-pass")
    expect(plain.locator("tbody tr")).to_have_count(4)
    assert page.locator("[data-board]").inner_text() == plain.locator("[data-board]").inner_text()


def names(page: Page) -> list[str]:
    return page.locator("tbody .name a").all_inner_texts()


def test_the_table_shows_what_the_stock_holds(table: Table) -> None:
    translated(table.page)
    for ply, (move, count) in enumerate(
        [("D", "23 cards to draw"), ("D", "22 cards to draw"), ("U", "23 cards to draw")], start=1
    ):
        table.click(move)
        table.wait(ply)
        expect(table.page.locator(".count")).to_have_text(count)
    expect(table.card("W").locator("text")).to_have_text("A")
    table.click("g2g5")
    table.wait(4)
    expect(table.page.locator(".pyramid [data-place]")).to_have_count(26)
    expect(table.page.locator("[data-undos]")).to_have_text("1 undo")


def test_a_replay_says_where_it_is(visitor: NeedsContext, made: dict[str, str]) -> None:
    page = visitor(DESKTOP).new_page()
    page.goto(f"/replay/{made['attempt']}")
    at = page.locator(".at")
    before = at.inner_text()
    translated(page)
    page.get_by_role("button", name="Forward").click()
    expect(at).not_to_have_text(before)
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def test_the_archive_shows_the_month_that_is_chosen(
    visitor: NeedsContext, made: dict[str, str], clock: "SimulatedClock"
) -> None:
    clock.set("2026-12-02T12:00:00.000Z")
    page = visitor(DESKTOP).new_page()
    page.goto("/archive")
    expect(page.locator("h2")).to_have_text("December 2026")
    translated(page)
    page.get_by_role("button", name="Previous month").click()
    expect(page.locator("h2")).to_have_text("November 2026")
    days = page.locator(".calendar .day").all_inner_texts()
    assert days == [str(day) for day in range(1, 31)]


def test_a_form_says_what_is_wrong(visitor: NeedsContext, made: dict[str, str]) -> None:
    from tests.web import furnished

    page = furnished.with_storage(visitor(DESKTOP), made["player"]).new_page()
    page.goto("/account")
    page.locator("form").first.wait_for()
    translated(page)
    form = page.locator("form[aria-labelledby=form-rename]")
    name = form.locator("input")
    button = form.get_by_role("button")
    for value in ("", "Bartek"):
        name.fill(value)
        button.click()
        expect(form.locator(".problem:not(:empty)")).to_be_visible()
    name.fill("Ada the First")
    button.click()
    expect(page.locator("[data-who]")).to_have_text("Ada the First")
    expect(page.locator(".person .who")).to_have_text("Ada the First")
    expect(form.locator(".note")).not_to_be_empty()
    expect(form.locator(".problem:not(:empty)")).to_have_count(0)


def test_a_profile_is_the_chosen_player_s(visitor: NeedsContext, made: dict[str, str]) -> None:
    """Another signs in in another tab: nothing of the first one's page is left."""
    from players import accounts
    from tests.web import furnished

    context = visitor(DESKTOP)
    page = context.new_page()
    page.goto("/account")
    page.evaluate("kept => localStorage.setItem('pyramid-player', kept)", made["player"])
    page.goto("/profile")
    page.locator(".recent li").first.wait_for()
    translated(page)
    kept = furnished.browser_storage(accounts.sign_up(name="Zoe"))
    other = context.new_page()
    other.goto("/account")
    other.evaluate("kept => localStorage.setItem('pyramid-player', kept)", kept)
    expect(page.locator(".person .who")).to_have_text("Zoe")
    expect(page.locator(".big")).to_have_text("0 days")
    expect(page.locator("main")).not_to_contain_text("Ada Lovelace")
    expect(page.locator(".recent li")).to_have_count(0)
