"""Sets of cards in a kernel: a tuple of one 64-bit word or of two.

The number of words is part of the type, so that a single deck is searched with one word and two
decks with two by the same source. A list of sets is a tuple of one array, or of two.
"""

from typing import Any, TypeAlias

import numpy as np
from numba.extending import overload

Cards: TypeAlias = Any
"""One or two words, typed by Numba."""

TIME_SHIFT = np.uint64(52)
CARD_BITS = np.uint64(2**52 - 1)
"""The first word of a set holds at most 52 cards: above them is room for a time."""


def entry(sets: Any, index: int) -> Cards:
    """One set of a list."""


@overload(entry, strict=False)
def _entry(sets: Any, index: Any) -> Any:
    if len(sets) == 1:
        return lambda sets, index: (sets[0][index],)
    return lambda sets, index: (sets[0][index], sets[1][index])


def put(sets: Any, index: int, cards: Cards) -> None:
    """Write one set of a list."""


@overload(put, strict=False)
def _put(sets: Any, index: Any, cards: Any) -> Any:
    def put_one(sets: Any, index: Any, cards: Any) -> None:
        sets[0][index] = cards[0]

    def put_two(sets: Any, index: Any, cards: Any) -> None:
        sets[0][index] = cards[0]
        sets[1][index] = cards[1]

    return put_one if len(sets) == 1 else put_two


def meets(cards: Cards, others: Cards) -> bool:
    """Whether the sets have a card in common."""
    raise NotImplementedError


@overload(meets, strict=False)
def _meets(cards: Any, others: Any) -> Any:
    if len(cards) == 1:
        return lambda cards, others: cards[0] & others[0] != np.uint64(0)
    return lambda cards, others: (
        (cards[0] & others[0]) | (cards[1] & others[1]) != np.uint64(0)
    )


def union(cards: Cards, others: Cards) -> Cards:
    """The cards of either set."""


@overload(union, strict=False)
def _union(cards: Any, others: Any) -> Any:
    if len(cards) == 1:
        return lambda cards, others: (cards[0] | others[0],)
    return lambda cards, others: (cards[0] | others[0], cards[1] | others[1])


def common(cards: Cards, others: Cards) -> Cards:
    """The cards of both sets."""


@overload(common, strict=False)
def _common(cards: Any, others: Any) -> Any:
    if len(cards) == 1:
        return lambda cards, others: (cards[0] & others[0],)
    return lambda cards, others: (cards[0] & others[0], cards[1] & others[1])


def without(cards: Cards, gone: Cards) -> Cards:
    """The cards of the first set that are not in the second."""


@overload(without, strict=False)
def _without(cards: Any, gone: Any) -> Any:
    if len(cards) == 1:
        return lambda cards, gone: (cards[0] & ~gone[0],)
    return lambda cards, gone: (cards[0] & ~gone[0], cards[1] & ~gone[1])


def word(cards: Cards, number: int) -> Any:
    """One word of a set."""


@overload(word, strict=False)
def _word(cards: Any, number: Any) -> Any:
    if len(cards) == 1:
        return lambda cards, number: cards[0]
    return lambda cards, number: cards[1] if number else cards[0]


def scattered(cards: Cards) -> Any:
    """A 64-bit hash of a set: multiplied, so that the high bits depend on every card."""


@overload(scattered, strict=False)
def _scattered(cards: Any) -> Any:
    odd, other_odd = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
    half = np.uint64(32)
    if len(cards) == 1:
        return lambda cards: (cards[0] ^ (cards[0] >> half)) * odd
    return lambda cards: ((cards[0] ^ (cards[0] >> half)) * odd ^ cards[1]) * other_odd
