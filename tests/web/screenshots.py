"""`make screenshots` draws docs/screenshots anew: each page on each size, on a furnished site."""

from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect

from tests.web.conftest import DESKTOP, PHONE, TABLET, NeedsContext
from tests.web.playing import Table
from tests.web.test_accessible import PAGES, cleared

FOLDER = Path(__file__).parent.parent.parent / "docs/screenshots"
MOVES = ["g1", "g2g5", "f1g4", "D", "D", "f4W", "D", "D", "D", "D", "W", "D", "g3W", "D", "D"]


def play(page: Page, made: dict[str, str]) -> None:
    """A game under way, with a card chosen."""
    page.goto("/play/2026-11-30/one-pass#start")
    table = Table(page)
    page.locator("[data-ply]").wait_for()
    if table.page.locator("[data-ply='0']").count():
        for ply, move in enumerate(MOVES, start=1):
            table.click(move)
            table.wait(ply)
    table.click("g7")
    expect(table.card("g7")).to_have_attribute("aria-pressed", "true")


SHOTS = {**PAGES, "play": play, "cleared": cleared}
DARK = ("today", "play")


def test_every_page_on_every_size(visitor: NeedsContext, made: dict[str, str]) -> None:
    from tests.web import furnished

    FOLDER.mkdir(exist_ok=True)
    for width, height in (PHONE, TABLET, DESKTOP):
        context = furnished.with_storage(visitor((width, height)), made["player"])
        for name, go in SHOTS.items():
            page = context.new_page()
            go(page, made)
            keep(page, f"{name}-{width}x{height}")
            if name in DARK:
                page.emulate_media(color_scheme="dark")
                keep(page, f"{name}-dark-{width}x{height}")
            page.close()


def keep(page: Page, name: str) -> None:
    """As a PNG of few colours, which is a third of its size."""
    picture = Image.open(BytesIO(page.screenshot(animations="disabled")))
    picture.convert("RGB").quantize(128).save(FOLDER / f"{name}.png", optimize=True)
