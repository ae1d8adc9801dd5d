"""Cards: two characters each, a rank letter and a suit letter."""

from collections.abc import Sequence
from typing import TypeAlias

from games.engine.errors import NotationError

Card: TypeAlias = str

HIDDEN: Card = "??"
"""A card of the stock that the player has not seen."""

DECK: tuple[Card, ...] = tuple(rank + suit for suit in "cdhs" for rank in "A23456789TJQK")
"""The 52 cards by number: clubs from the ace up, then diamonds, hearts and spades."""

_VALUES = {card: number % 13 + 1 for number, card in enumerate(DECK)}


def card_of(number: int) -> Card:
    """The card of a number; a second deck counts on from 52.

    >>> card_of(0), card_of(12), card_of(51), card_of(52)
    ('Ac', 'Kc', 'Ks', 'Ac')
    """
    return DECK[number % 52]


def value(card: Card) -> int:
    """The value that counts towards 13 (R3): ace 1, jack 11, queen 12, king 13.

    Raises KeyError for `HIDDEN`, whose value nobody may ask for.

    >>> value("Ah"), value("Td"), value("Ks")
    (1, 10, 13)
    """
    return _VALUES[card]


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards run together; raises NotationError.

    >>> parse_cards("KdTc4s")
    ('Kd', 'Tc', '4s')
    """
    cards = split_cards(text)
    for card in cards:
        if card not in _VALUES:
            raise NotationError(f"{card!r} is not a card, in {text!r}")
    return cards


def split_cards(text: str) -> tuple[str, ...]:
    """Two characters at a time, cards or not.

    >>> split_cards("Kd--??")
    ('Kd', '--', '??')
    """
    return tuple(text[start : start + 2] for start in range(0, len(text), 2))


def format_pile(cards: Sequence[Card]) -> str:
    """A pile as cards run together, and "-" when it is empty.

    >>> format_pile(["8s", "8h"]), format_pile([])
    ('8s8h', '-')
    """
    return "".join(cards) or "-"
