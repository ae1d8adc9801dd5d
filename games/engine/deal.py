"""A deal: where every card lies before the first move."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from games.engine.cards import DECK, Card, format_pile, parse_cards
from games.engine.errors import NotationError
from games.engine.layout import rows_of, spot_count
from games.engine.rulesets import Rules


class Deal(NamedTuple):
    """The pyramid in reading order, apex first, and the stock, next draw first.

    >>> Deal(pyramid=("Kd", "Tc", "4s"), stock=("8s", "8h")).stock[0]
    '8s'
    """

    pyramid: tuple[Card, ...]
    stock: tuple[Card, ...]

    @classmethod
    def from_deck(cls, cards: Sequence[Card], rules: Rules) -> "Deal":
        """Lay out a deck (R1), of any size that fills the pyramid; raises ValueError.

        >>> from games.engine.rulesets import RULE_SETS
        >>> deal = Deal.from_deck(DECK, RULE_SETS["one-pass"])
        >>> len(deal.pyramid), len(deal.stock)
        (28, 24)
        """
        size = spot_count(rules.rows)
        if len(cards) < size:
            raise ValueError(f"{len(cards)} cards do not fill a pyramid of {rules.rows} rows")
        return cls(tuple(cards[:size]), tuple(cards[size:]))


def parse_deck(text: str, rules: Rules) -> Deal:
    """The deal of a full deck run together, apex first and then the stock.

    Raises NotationError, also where a card of the rule set's decks is missing or one too many.

    >>> from games.engine.rulesets import RULE_SETS
    >>> parse_deck("".join(DECK), RULE_SETS["one-pass"]).pyramid[:3]
    ('Ac', '2c', '3c')
    """
    cards = parse_cards(text)
    held, wanted = Counter(cards), Counter(DECK * rules.decks)
    if held != wanted:
        wrong = [f"no {card}" for card in (wanted - held).elements()]
        wrong += [f"{card} too often" for card in held - wanted]
        raise NotationError(f"{text!r} is not {rules.decks} full deck(s): {', '.join(wrong)}")
    return Deal.from_deck(cards, rules)


def parse_deal(text: str, rules: Rules) -> Deal:
    """The deal of a deal line, of exactly the rule set's decks; raises NotationError.

    >>> from games.engine.rulesets import RULE_SETS
    >>> deal = Deal.from_deck(DECK, RULE_SETS["one-pass"])
    >>> parse_deal(format_deal(deal), RULE_SETS["one-pass"]) == deal
    True
    """
    deal = parse_deck(text.replace("/", "").replace(" ", ""), rules)
    if format_deal(deal) != text:
        raise NotationError(f"{text!r} is not a deal of {rules.rows} rows")
    return deal


def format_deal(deal: Deal) -> str:
    """The rows joined by "/", a space, and the stock.

    >>> format_deal(Deal(("Kd", "Tc", "4s"), ("8s", "8h")))
    'Kd/Tc4s 8s8h'
    """
    pyramid = "/".join("".join(row) for row in rows_of(deal.pyramid))
    return f"{pyramid} {format_pile(deal.stock)}"
