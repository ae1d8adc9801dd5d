"""What an attempt is worth, and why there is no rank: void days, practice, what is not ranked."""

from typing import TYPE_CHECKING

import pytest
from django.test import Client
from playwright.sync_api import expect

from tests.web.conftest import DESKTOP, NeedsContext
from tests.web.playing import Table

if TYPE_CHECKING:
    from pytest_django import Settings

    from tests.conftest import SimulatedClock

VOID = "This day doesn’t count: A card was missing."


def void() -> None:
    """Takes the one deal there is out of the ranks."""
    from games import deals
    from games.models import DailyDeal

    deals.void(deal_id=DailyDeal.objects.get().pk, reason="A card was missing.")


def entered(visitor: NeedsContext) -> Table:
    """A short game that has begun."""
    from tests import builders

    builders.publish_short()
    return Table(visitor(DESKTOP).new_page()).enter("one-pass")


def clear(table: Table) -> None:
    for ply, move in enumerate(["b1b2", "a1"], start=1):
        table.click(move)
        table.wait(ply)


@pytest.mark.parametrize("address", ["/", "/play/2026-11-30/one-pass"])
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", VOID),
        ("de", "Dieser Tag zählt nicht: A card was missing."),
        ("pl", "Ten dzień się nie liczy: A card was missing."),
    ],
)
def test_the_first_paint_says_why_a_deal_is_void(
    client: Client,
    db: None,
    clock: "SimulatedClock",
    address: str,
    language: str,
    words: str,
) -> None:
    from tests import builders

    builders.publish()
    client.cookies["language"] = language
    assert words not in client.get(address).content.decode()
    void()
    assert words in client.get(address).content.decode()


def test_a_void_deal_is_not_begun_and_says_why(visitor: NeedsContext) -> None:
    from tests import builders

    builders.publish()
    page = visitor(DESKTOP).new_page()
    table = Table(page)
    page.goto("/play/2026-11-30/one-pass")
    start = table.button("Start")
    start.wait_for()
    void()
    start.click()
    table.expect_message(VOID)
    page.goto("/")
    page.click("[data-challenge=one-pass] [data-play]")
    table.expect_message(VOID)
    page.reload()
    expect(page.locator("[data-start]")).to_contain_text(VOID)
    expect(start).to_have_count(0)


def test_the_first_page_learns_that_a_deal_is_void(visitor: NeedsContext) -> None:
    from tests import builders

    builders.publish()
    page = visitor(DESKTOP).new_page()
    page.goto("/")
    text = page.locator("[data-challenge=one-pass] [data-void]")
    expect(text).to_be_hidden()
    void()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(text).to_have_text(VOID)


def test_what_was_begun_before_the_void_ends_without_a_rank(visitor: NeedsContext) -> None:
    table = entered(visitor)
    void()
    clear(table)
    lead = table.page.get_by_role("dialog", name="Cleared!").locator(".lead")
    expect(lead).to_have_text(f"Well done. This game isn’t ranked. {VOID}")
    for address, line in (("/", "[data-challenge=one-pass] .own"), ("/profile", ".recent .how")):
        table.page.goto(address)
        expect(table.page.locator(line)).to_have_text("Cleared in 0:00 (unranked)")


def test_an_unranked_attempt_of_the_day_is_no_practice(
    visitor: NeedsContext, settings: "Settings"
) -> None:
    settings.RANKED_ACCOUNT_AGE_DAYS = "30"
    table = entered(visitor)
    clear(table)
    lead = table.page.get_by_role("dialog", name="Cleared!").locator(".lead")
    expect(lead).to_have_text("Well done. This game isn’t ranked.")
    table.page.goto("/profile")
    expect(table.page.locator(".recent .how")).to_have_text("Cleared in 0:00 (unranked)")


def test_giving_up_takes_a_day_but_not_its_practice(
    visitor: NeedsContext, clock: "SimulatedClock"
) -> None:
    from games.models import DailyDeal
    from tests import builders

    table = entered(visitor)
    table.button("Give up").click()
    dialog = table.page.get_by_role("dialog")
    expect(dialog).to_contain_text("you can’t play this deal again today.")
    clock.set("2026-12-01T02:00:00.000Z")
    builders.seal(DailyDeal.objects.get())
    table.page.goto("/leaderboard/2026-11-30/one-pass")
    table.page.get_by_role("link", name="Practise this deal").click()
    table.wait(0)
    table.button("Give up").click()
    expect(dialog).to_contain_text("You can practise this deal again whenever you like.")
    dialog.get_by_role("button", name="Give up").click()
    expect(table.page.locator(".ended")).to_contain_text("Given up after")


@pytest.mark.parametrize(
    ("other_s", "lead"),
    [
        (30, "Rank 1 of 2. You beat 100% of the other players so far."),
        (0, "Rank 2 of 2 so far."),
    ],
)
def test_the_end_says_how_many_were_beaten(
    visitor: NeedsContext, clock: "SimulatedClock", other_s: int, lead: str
) -> None:
    from games.models import DailyDeal
    from players import accounts
    from tests import builders
    from tests.web import furnished

    table = entered(visitor)
    other = accounts.sign_up(name="Bartek").player.pk
    furnished.play(clock, DailyDeal.objects.get(), other, builders.SHORT_LINE, s=other_s, undos=0)
    clock.advance(seconds=10)
    clear(table)
    dialog = table.page.get_by_role("dialog", name="Cleared!")
    expect(dialog.locator(".lead")).to_have_text(lead)
