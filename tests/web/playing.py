"""A player at a table in the browser: every way to make a move."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from playwright.sync_api import CDPSession, Locator, Page, Request, Route, expect

if TYPE_CHECKING:
    from tests.web.conftest import NeedsContext

Point = tuple[float, float]


def places(move: str) -> list[str]:
    """The cards that a move takes; none for `D`, `R` and `U`."""
    return [] if move in ("D", "R", "U") else re.findall(r"[a-z]\d|W|S", move)


class Table:
    """The page of one attempt."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.element = page.locator("[data-table]")

    def card(self, place: str) -> Locator:
        return self.element.locator(f'[data-place="{place}"]')

    def enter(self, challenge: str) -> "Table":
        """From the first page, by its one tap."""
        self.page.goto("/")
        self.page.click(f"[data-challenge={challenge}] [data-play]")
        self.wait(0)
        return self

    def wait(self, ply: int) -> None:
        """Until the table shows the answer to that many moves."""
        self.page.wait_for_function(
            "ply => document.querySelector('[data-play]')?.dataset.ply === String(ply)", arg=ply
        )

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    @property
    def said(self) -> str:
        return self.page.locator("[data-said]").text_content() or ""

    def expect_message(self, text: str) -> None:
        expect(self.page.locator("[data-message]")).to_have_text(text)

    def focused(self) -> str | None:
        """The place that has the focus; None where it is not on the table."""
        place: str | None = self.page.evaluate("document.activeElement.dataset.place ?? null")
        return place

    def centre(self, place: str) -> Point:
        """A point of the card that no other covers."""
        box = self.card(place).bounding_box()
        assert box, place
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click(self, move: str) -> None:
        """By clicks or taps of the mouse."""
        if move == "R":
            self.rest()
        if move == "U":
            self.button("Undo").click()
        elif move == "D":
            self.draw()
        for place in ["S"] if move == "R" else places(move):
            self.page.mouse.click(*self.centre(place))

    def draw(self) -> None:
        """By the button where there is one; the stock itself draws where it lies face down."""
        button = self.button("Draw")
        if button.count():
            button.click()
        else:
            self.page.mouse.click(*self.centre("S"))

    def rest(self) -> None:
        """Until the waste may be turned over."""
        self.element.locator("[data-place=S]:not(.is-paused)").wait_for()

    def tap(self, move: str) -> None:
        """With a finger."""
        if move == "R":
            self.rest()
        for place in places(move) or ["S"]:
            self.page.touchscreen.tap(*self.centre(place))

    def drag(self, move: str) -> None:
        """One card of a pair onto the other, a King off its place, the stock to the waste."""
        start, end = self.way(move)
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=3)
        self.page.mouse.up()

    def drag_by_touch(self, move: str, finger: CDPSession) -> None:
        start, end = self.way(move)
        between = [(start[i] + end[i]) / 2 for i in (0, 1)]
        for kind, at in (("touchStart", start), ("touchMove", between), ("touchMove", end)):
            finger.send(
                "Input.dispatchTouchEvent",
                {"type": kind, "touchPoints": [{"x": at[0], "y": at[1]}]},
            )
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def way(self, move: str) -> tuple[Point, Point]:
        cards = places(move)
        start = self.centre(cards[0] if cards else "S")
        if len(cards) == 2:
            return start, self.centre(cards[1])
        return start, (start[0] - (60 if not cards else 0), start[1] + (0 if not cards else 40))

    def press(self, move: str) -> None:
        """With the keyboard alone."""
        if move == "R":
            self.rest()
        if not places(move):
            self.page.keyboard.press({"D": "d", "R": "d", "U": "z"}[move])
        for place in places(move):
            self.go_to(place)
            self.page.keyboard.press("Enter")

    def go_to(self, place: str) -> None:
        """By arrows, from wherever the focus is on the table."""
        for _ in range(60):
            here = self.focused()
            assert here, "the focus has left the table"
            if here == place:
                return
            self.page.keyboard.press(arrow(here, place))
        raise AssertionError(f"no arrows lead to {place}")


def arrow(here: str, there: str) -> str:
    """The next step on the way: to the row first, and then along it."""
    row = {"W": "y", "S": "y"}
    here_row, there_row = row.get(here, here[0]), row.get(there, there[0])
    if here_row != there_row:
        return "ArrowDown" if here_row < there_row else "ArrowUp"
    if here_row == "y":
        return "ArrowLeft" if there == "W" else "ArrowRight"
    return "ArrowLeft" if int(there[1:]) < int(here[1:]) else "ArrowRight"


def bodies(page: Page) -> list[tuple[str, int]]:
    """Each move that the page sends from now on, with its ply."""
    sent: list[tuple[str, int]] = []

    def note(request: Request) -> None:
        if request.method == "POST" and request.url.endswith("/moves"):
            body = request.post_data_json or {}
            sent.append((body["move"], body["ply"]))

    page.on("request", note)
    return sent


def settle(page: Page) -> None:
    """Wait until what the page has sent is noted, and the replies it has got are dealt with."""
    page.evaluate("fetch('/').then((reply) => reply.text())")


class Held:
    """The first request to a path that the page sends: it waits until it is told what it gets."""

    def __init__(self, page: Page, path: str = "**/moves") -> None:
        self.page = page
        self.routes: list[Route] = []
        page.route(path, self.hold)

    def hold(self, route: Route) -> None:
        """Keep the first; a route that ends after it would let go whatever else is held."""
        if self.routes:
            route.fallback()
        else:
            self.routes.append(route)

    def after(self, act: Callable[[], object]) -> Route:
        """What `act` sends."""
        with self.page.expect_request(lambda request: request.method == "POST"):
            act()
        while not self.routes:
            self.page.evaluate("1")
        return self.routes[0]


def server_log(**attempt: Any) -> list[str]:
    """What the server has logged of the one attempt there is."""
    from games.models import Attempt, LoggedMove

    log = LoggedMove.objects.filter(attempt=Attempt.objects.get(**attempt)).order_by("number")
    return list(log.values_list("move", flat=True))


def play_on(moves: list[str]) -> None:
    """What the player does elsewhere, so that a test need not do it by hand."""
    from games import attempts
    from games.models import Attempt

    attempt = Attempt.objects.get()
    for ply, move in enumerate(moves, start=attempt.ply):
        attempts.play(attempt_id=attempt.pk, player_id=attempt.player_id, move=move, ply=ply)


def drawn_table(
    visitor: "NeedsContext",
    draws: int,
    *pyramid: str,
    context: dict[str, Any] | None = None,
    **rules: Any,
) -> Table:
    """A pyramid of three cards, and so many of the 49 in the stock drawn; "3c" is the last one."""
    from dataclasses import replace

    from games import engine
    from tests import builders
    from tests.web.conftest import PHONE

    short = replace(engine.RULE_SETS["one-pass"], rows=2, **rules)
    rest = [card for card in engine.DECK if card not in (*pyramid, "3c")]
    builders.store(engine.Deal.from_deck([*pyramid, *rest, "3c"], short), short)
    table = Table(visitor(PHONE, **(context or {})).new_page()).enter("one-pass")
    play_on(["D"] * draws)
    table.page.reload()
    table.wait(draws)
    return table
