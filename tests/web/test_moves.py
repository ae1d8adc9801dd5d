"""Single moves at the table: what they do, what is said of them, and how they are refused."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Route, expect

from tests.web.conftest import DESKTOP, NeedsContext
from tests.web.playing import Table, drawn_table, server_log

if TYPE_CHECKING:
    from tests.conftest import SimulatedClock


def test_each_move_is_said(table: Table) -> None:
    for ply, (move, said) in enumerate(
        [
            ("g1", "King of Hearts removed."),
            ("g2g5", "3 of Clubs and 10 of Spades removed. 4 of Clubs uncovered."),
            ("D", "Ace of Spades drawn."),
            ("U", "Move undone."),
        ],
        start=1,
    ):
        table.click(move)
        table.wait(ply)
        expect(table.page.locator("[data-said]")).to_have_text(said)


def test_an_uncovered_card_is_said_and_can_be_reached(table: Table) -> None:
    for ply, move in enumerate(["g1", "g2g5"], start=1):
        table.click(move)
        table.wait(ply)
    expect(table.card("f1")).not_to_have_attribute("aria-disabled", "true")
    expect(table.card("f2")).to_have_attribute("aria-disabled", "true")


def test_labels_start_with_what_is_seen(table: Table) -> None:
    expect(table.card("a1")).to_have_attribute(
        "aria-label", "K, King of Clubs, row 1 card 1, covered"
    )
    expect(table.card("g5")).to_have_attribute("aria-label", "10, 10 of Spades, row 7 card 5")
    expect(table.card("S")).to_have_attribute("aria-label", "Draw, stock, 24 cards")


def test_undo_goes_back_move_by_move_and_is_counted(table: Table) -> None:
    before = table.element.inner_html()
    for ply, move in enumerate(["g1", "D", "U", "U"], start=1):
        table.click(move)
        table.wait(ply)
    expect(table.page.locator("[data-undos]")).to_have_text("2 undos")
    expect(table.button("Undo")).to_have_attribute("aria-disabled", "true")
    expect(table.card("g1")).to_be_visible()
    expect(table.card("W")).to_have_count(0)
    assert server_log() == ["g1", "D", "U", "U"]
    # The card that was drawn stays known: it lies open on the stock.
    expect(table.card("S")).to_have_attribute(
        "aria-label", "Draw, stock, 24 cards, next is Ace of Spades"
    )
    assert before


def test_moves_made_faster_than_the_line_are_all_played(table: Table) -> None:
    """Nothing waits for an answer or for a movement to end."""

    def slow(route: Route) -> None:
        table.page.wait_for_timeout(60)
        route.continue_()

    table.page.route("**/moves", slow)
    for _ in range(4):
        table.page.mouse.click(*table.centre("S"))
    table.wait(4)
    assert server_log() == ["D", "D", "D", "D"]


def test_a_pair_that_is_not_13_is_refused_with_its_reason(table: Table) -> None:
    table.click("g2g3")
    table.expect_message("3♣ and 8♦ don’t add up to 13.")
    expect(table.page.locator("[data-said]")).to_have_text("3♣ and 8♦ don’t add up to 13.")
    expect(table.card("g2")).to_have_attribute("aria-pressed", "false")
    assert server_log() == []


def test_a_covered_card_is_refused_with_its_reason(table: Table) -> None:
    table.click("f2")
    table.expect_message("10 of Diamonds is covered.")
    table.click("g2f2")
    table.expect_message("10♦ is covered.")
    assert server_log() == []


def test_stuck_says_so_and_undo_is_still_open(visitor: NeedsContext) -> None:
    table = drawn_table(visitor, 48, "2d", "4h", "4s")
    banner = table.page.locator(".banner")
    expect(banner).to_have_count(0)
    table.click("D")
    table.wait(49)
    expect(banner).to_contain_text("No moves left. Undo, or give up.")
    banner.get_by_role("button", name="Undo").click()
    table.wait(50)
    expect(banner).to_have_count(0)
    assert server_log() == ["D"] * 49 + ["U"]


def test_redeal_turns_the_waste_over(visitor: NeedsContext) -> None:
    table = drawn_table(visitor, 49, "2d", "4h", "4s", passes=2)
    expect(table.card("S")).to_have_attribute("aria-label", "Redeal (turn the waste over)")
    table.click("R")
    table.wait(50)
    expect(table.page.locator("[data-said]")).to_have_text("Redealt. Pass 2.")
    expect(table.page.locator(".count")).to_contain_text("Pass 2 of 2")
    expect(table.card("S")).to_have_attribute(
        "aria-label", "Draw, stock, 49 cards, next is Ace of Clubs"
    )
    assert server_log() == ["D"] * 49 + ["R"]


def test_resigning_asks_first_and_ends_the_attempt(table: Table) -> None:
    from games.models import Attempt

    table.button("Give up").click()
    dialog = table.page.get_by_role("dialog", name="Give up this deal?")
    dialog.get_by_role("button", name="Cancel").click()
    assert Attempt.objects.get().status == "active"
    table.button("Give up").click()
    dialog.get_by_role("button", name="Give up").click()
    expect(table.page.locator(".ended")).to_have_text("Given up after 0:00.")
    assert Attempt.objects.get().status == "resigned"
    table.page.mouse.click(*table.centre("g1"))
    assert server_log() == []


def test_the_keys_say_moves_and_state(table: Table) -> None:
    said = table.page.locator("[data-said]")
    table.card("g4").focus()
    table.page.keyboard.press("m")
    expect(said).to_have_text(
        "4 moves: draw; King of Hearts; 3 of Clubs and 10 of Spades; 10 of Spades and 3 of Diamonds"
    )
    table.page.keyboard.press("s")
    expect(said).to_have_text(
        "28 cards left in the pyramid. 24 cards to draw. The waste is empty. 0 undos. 0 seconds"
    )
    table.page.keyboard.press("Enter")
    expect(table.card("g4")).to_have_attribute("aria-pressed", "true")
    table.page.keyboard.press("Escape")
    expect(table.card("g4")).to_have_attribute("aria-pressed", "false")
    table.page.keyboard.press("?")
    expect(table.page.get_by_role("dialog", name="How to play")).to_be_visible()


@pytest.mark.parametrize(
    ("challenge", "aim", "stock"),
    [
        ("one-pass", "Clear the pyramid.", "Tap the stock to draw a card."),
        (
            "full-clear",
            "Clear every card: pyramid, stock and waste.",
            "The top of the stock is free too. Use the Draw button to move it to the waste.",
        ),
    ],
)
def test_help_tells_the_rules_of_its_challenge(
    visitor: NeedsContext, challenge: str, aim: str, stock: str
) -> None:
    from games.models import Challenge
    from tests import builders

    builders.publish(challenge)
    Challenge.objects.filter(pk=challenge).update(undo_penalty_ms=7_500)
    table = Table(visitor(DESKTOP).new_page()).enter(challenge)
    table.button("Rules").click()
    lines = table.page.get_by_role("dialog", name="How to play").locator(".rules li")
    expect(lines).to_have_count(7)
    expect(lines.nth(0)).to_have_text(aim)
    expect(lines.nth(4)).to_have_text(stock)
    expect(lines.nth(6)).to_have_text(
        "The clock runs until you finish. Each undo adds 7.5 seconds."
    )


def test_letters_outside_of_the_table_play_nothing(table: Table) -> None:
    table.button("Rules").focus()
    table.page.keyboard.press("d")
    table.card("g4").focus()
    table.page.keyboard.press("d")
    table.wait(1)
    assert server_log() == ["D"]


def test_share_says_nothing_of_the_cards(visitor: NeedsContext, clock: "SimulatedClock") -> None:
    from tests import builders

    builders.publish_short()
    context = visitor(DESKTOP, permissions=["clipboard-read", "clipboard-write"])
    table = Table(context.new_page()).enter("one-pass")
    clock.advance(minutes=3, seconds=12)
    for ply, move in enumerate(["D", "U", "D", "U", *builders.SHORT_LINE], start=1):
        table.click(move)
        table.wait(ply)
    dialog = table.page.get_by_role("dialog", name="Cleared!")
    shared = "Pyramid 2026-11-30 One Pass | 3:12 | 2 undos | rank 1 of 1 | streak 1"
    expect(dialog.locator(".share p")).to_have_text(shared)
    expect(dialog.locator(".share figcaption")).to_have_text(
        "Pyramid 2026-11-30 One Pass, 3 minutes 12 seconds, 2 undos, rank 1 of 1, streak 1"
    )
    dialog.get_by_role("button", name="Share").click()
    expect(dialog.locator(".note")).to_have_text("Copied.")
    copied = table.page.evaluate("navigator.clipboard.readText()")
    address = table.page.url
    assert copied == f"{shared}\n{address}"
