"""A rule set that was added, in a client that has never heard of it."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.web.conftest import PHONE, NeedsContext
from tests.web.playing import Table, server_log

if TYPE_CHECKING:
    from games.models import DailyDeal
    from tests.conftest import SimulatedClock


@pytest.fixture
def added(site: str, monkeypatch: pytest.MonkeyPatch) -> "DailyDeal":
    """The deal of the day under that rule set, the only one on offer."""
    from games import making
    from games.models import Challenge, DailyDeal
    from tests import rulesets as the_page
    from tests.builders import DAY

    row = the_page.add_the_row(monkeypatch)
    the_page.migrate()
    Challenge.objects.exclude(pk=row.id).update(paused_from=DAY)
    assert making.make(day=DAY, challenge=Challenge.objects.get(pk=row.id))
    return DailyDeal.objects.get()


def test_a_row_that_was_added_is_played_to_a_clear(
    visitor: NeedsContext, clock: "SimulatedClock", added: "DailyDeal"
) -> None:
    moves = added.winning_line.split(" ")
    page = visitor(PHONE).new_page()
    table = Table(page).enter("five-rows")
    for ply, move in enumerate(moves, start=1):
        if ply == len(moves):
            clock.advance(minutes=1)
        table.click(move)
        table.wait(ply)
    assert server_log() == moves
    expect(page.get_by_role("dialog", name="Cleared!")).to_contain_text("1:00")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "pl-PL"])
def test_a_row_without_a_translation_is_called_by_its_title(
    visitor: NeedsContext, added: "DailyDeal", locale: str
) -> None:
    page = visitor(PHONE, locale=locale).new_page()
    page.goto("/")
    expect(page.locator("[data-challenge=five-rows]")).to_contain_text("Five Rows")
    for address in ("play", "leaderboard"):
        page.goto(f"/{address}/2026-11-30/five-rows")
        expect(page.locator("h1").first).to_contain_text("Five Rows")
    page.goto("/archive")
    expect(page.get_by_role("button", name="Five Rows")).to_be_visible()
