"""A position as a picture, and a move in words."""

from collections.abc import Iterable, Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games import engine
from games.engine import layout

WIDE, HIGH = 46, 60  # of a card of the pyramid
STEP, ROW = 52, 34  # between neighbours, and between rows
SMALL_WIDE, SMALL_HIGH = 30, 38
A_LINE = 13  # small cards
MARGIN = 12
SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def picture(position: engine.Position, taken: Iterable[engine.Place] = ()) -> SafeString:
    """The pyramid, the stock in the order of its draws, and the waste with its top last, as SVG.

    `taken`: the spots from which the last move took a card.
    """
    rows = engine.rows_of(position.pyramid)
    width = max(len(rows) * STEP, A_LINE * (SMALL_WIDE + 4)) + 2 * MARGIN
    parts = [_pyramid(rows, width, set(taken))]
    top = MARGIN + (len(rows) - 1) * ROW + HIGH + 28
    passes = f"pass {position.pass_number} of {position.rules.passes}"
    for label, cards in (
        (f"Stock, next draw first: {len(position.stock)}, {passes}", position.stock),
        (f"Waste, top last: {len(position.waste)}", position.waste),
    ):
        parts.append(format_html('<text class="label" x="{}" y="{}">{}</text>', MARGIN, top, label))
        pile, height = _pile(cards, top + 8)
        parts.append(pile)
        top += height + 34
    return format_html(
        '<svg class="cards" viewBox="0 0 {} {}" width="{}" role="img" aria-label="{}">{}</svg>',
        width,
        top - 14,
        width,
        engine.format_position(position),
        format_html_join("", "{}", zip(parts, strict=True)),
    )


def words(move: engine.Move, before: engine.Position) -> str:
    """What a move does to the cards of a position."""
    match move:
        case engine.Draw():
            return f"draws {name(before.stock[0])}"
        case engine.Redeal():
            return "turns the waste over"
        case engine.Undo():
            return "takes the last move back"
        case engine.King(place):
            return f"removes {name(_card_at(before, place))}"
        case engine.Pair(first, second):
            return f"removes {name(_card_at(before, first))} and {name(_card_at(before, second))}"


def places(move: engine.Move) -> list[engine.Place]:
    """From where a move takes cards."""
    match move:
        case engine.King(place):
            return [place]
        case engine.Pair(first, second):
            return [first, second]
    return []


def name(card: engine.Card) -> str:
    """A card as one reads it: `10♥`."""
    if card == engine.HIDDEN:
        return "a card"
    return card[0].replace("T", "10") + SUITS[card[1]]


def _card_at(position: engine.Position, place: engine.Place) -> engine.Card:
    if place == engine.WASTE:
        return position.waste[-1]
    if place == engine.STOCK:
        return position.stock[0]
    return position.pyramid[layout.SPOT_NUMBER[place]] or engine.HIDDEN


def _pyramid(
    rows: list[Sequence[engine.Card | None]], width: int, taken: set[engine.Place]
) -> SafeString:
    drawn = []
    spots = iter(layout.SPOTS)
    for row, cards in enumerate(rows):
        for number, card in enumerate(cards):
            spot = next(spots)
            x = width / 2 + (number - (row + 1) / 2) * STEP + (STEP - WIDE) / 2
            y = MARGIN + row * ROW
            if card is not None:
                drawn.append(_card(card, x, y, WIDE, HIGH, spot))
            else:
                gone = "gone taken" if spot in taken else "gone"
                drawn.append(_outline(gone, x, y, WIDE, HIGH))
    return format_html_join("", "{}", zip(drawn, strict=True))


def _pile(cards: Sequence[engine.Card], top: int) -> tuple[SafeString, int]:
    """The cards in lines, and how high the lines are together."""
    if not cards:
        return _outline("gone", MARGIN, top, SMALL_WIDE, SMALL_HIGH), SMALL_HIGH
    drawn = [
        _card(
            card,
            MARGIN + number % A_LINE * (SMALL_WIDE + 4),
            top + number // A_LINE * (SMALL_HIGH + 4),
            SMALL_WIDE,
            SMALL_HIGH,
        )
        for number, card in enumerate(cards)
    ]
    lines = (len(cards) - 1) // A_LINE + 1
    return format_html_join("", "{}", zip(drawn, strict=True)), lines * (SMALL_HIGH + 4)


def _card(
    card: engine.Card, x: float, y: float, wide: int, high: int, spot: str = ""
) -> SafeString:
    if card == engine.HIDDEN:
        return _outline("back", x, y, wide, high)
    return format_html(
        '<g class="card {}"><rect x="{}" y="{}" width="{}" height="{}" rx="4"/>'
        '<text x="{}" y="{}">{}</text><title>{}</title></g>',
        ("red" if card[1] in "dh" else "black") + ("" if spot else " small"),
        x, y, wide, high, x + wide / 2, y + 19, name(card), f"{spot} {card}".strip(),
    )  # fmt: skip


def _outline(kind: str, x: float, y: float, wide: int, high: int) -> SafeString:
    return format_html(
        '<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="4"/>', kind, x, y, wide, high
    )
