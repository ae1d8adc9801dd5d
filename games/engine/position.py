"""A position: where every card lies now."""

from typing import NamedTuple

from games.engine.cards import HIDDEN, Card, format_pile, parse_cards, split_cards
from games.engine.deal import Deal
from games.engine.errors import NotationError
from games.engine.layout import rows_of, spot_count
from games.engine.rulesets import Rules

EMPTY = "--"


class Position(NamedTuple):
    """The cards that are left, under their rules.

    `pyramid` is in reading order with None for an empty spot, `stock` has the next draw first,
    `waste` its top last, and `pass_number` counts from 1. In a shown position the cards of the
    stock that the player has not seen are `HIDDEN`.

    >>> from games.engine.rulesets import RULE_SETS
    >>> position = Position(RULE_SETS["one-pass"], (None,) * 27 + ("Kd",), ("8s",), ("4h", "9c"), 1)
    >>> position.stock[0], position.waste[-1]
    ('8s', '9c')
    """

    rules: Rules
    pyramid: tuple[Card | None, ...]
    stock: tuple[Card, ...]
    waste: tuple[Card, ...]
    pass_number: int

    @classmethod
    def start(cls, deal: Deal, rules: Rules) -> "Position":
        """The position of a deal before the first move.

        >>> from games.engine.rulesets import RULE_SETS
        >>> Position.start(Deal(("Kd",) * 28, ("8s",)), RULE_SETS["one-pass"]).waste
        ()
        """
        return cls(rules, deal.pyramid, deal.stock, (), 1)


def format_position(position: Position) -> str:
    """Pyramid, stock, waste and pass; equal positions have equal text.

    >>> from games.engine.rulesets import RULE_SETS
    >>> format_position(Position(RULE_SETS["one-pass"], ("Kd", None, "4s"), (), ("8s", "8h"), 1))
    'Kd/--4s - 8s8h 1'
    """
    pyramid = "/".join("".join(card or EMPTY for card in row) for row in rows_of(position.pyramid))
    stock, waste = format_pile(position.stock), format_pile(position.waste)
    return f"{pyramid} {stock} {waste} {position.pass_number}"


def parse_position(text: str, rules: Rules) -> Position:
    """The position of a text; raises NotationError.

    It may hold any cards and empty spots: it need not arise in play.

    >>> from dataclasses import replace
    >>> from games.engine.rulesets import RULE_SETS
    >>> rules = replace(RULE_SETS["one-pass"], rows=2)
    >>> parse_position("Kd/--4s 8s?? - 1", rules).stock
    ('8s', '??')
    """
    try:
        pyramid, stock, waste, pass_number = text.split(" ")
        position = Position(
            rules,
            tuple(_parse_spot(spot) for spot in split_cards(pyramid.replace("/", ""))),
            tuple(_parse_stock_card(card) for card in split_cards(stock) if stock != "-"),
            parse_cards(waste) if waste != "-" else (),
            int(pass_number),
        )
    except ValueError as error:
        raise NotationError(f"{text!r} is not a position: {error}") from error
    if (
        len(position.pyramid) != spot_count(rules.rows)
        or not 1 <= position.pass_number <= rules.passes
        or (rules.stock_top and position.stock[:1] == (HIDDEN,))
        or format_position(position) != text
    ):
        raise NotationError(f"{text!r} is not a position of {rules.rows} rows")
    return position


def _parse_spot(text: str) -> Card | None:
    return None if text == EMPTY else parse_cards(text)[0]


def _parse_stock_card(text: str) -> Card:
    return HIDDEN if text == HIDDEN else parse_cards(text)[0]
