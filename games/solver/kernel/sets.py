"""Sets of cards in a kernel: a tuple of one 64-bit word, or of two.

How many words is part of the type: a single deck is searched in one word and two decks in two, by
the same source. A list of sets is a tuple of one array, or of two. Each function below is compiled
from the one of its two forms that fits.
"""

from typing import Any, TypeAlias

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

Cards: TypeAlias = Any
"""A set of cards, typed by Numba."""

Sets: TypeAlias = Any
"""A list of sets of cards."""

number: Any = np.int64
"""A signed number from a word: Numba makes a fraction of the two together."""

FIRST = number(0)
"""As an argument instead of a plain 0, for which Numba would compile a function once more."""

NONE = np.uint64(0)
ONE = np.uint64(1)

WORD_CARDS = (52, 64)
"""How many cards each word holds. The table of a search keeps a time above those of the first."""


@intrinsic
def lowest(context: Any, bits: Any) -> Any:
    """The place of the lowest bit that is set in a word other than 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


# From here on each function that raises is only a name: in compiled code Numba puts the overload
# that follows it in its place, the one for one word or the one for two.


def no_sets(length: int, like: Cards) -> Sets:
    """A list of empty sets."""
    raise NotImplementedError


@overload(no_sets, strict=False)
def _no_sets(length: Any, like: Any) -> Any:
    if len(like) == 1:
        return lambda length, like: (np.zeros(length, np.uint64),)
    return lambda length, like: (np.zeros(length, np.uint64), np.zeros(length, np.uint64))


def entry(sets: Sets, index: int) -> Cards:
    """One set of a list."""
    raise NotImplementedError


@overload(entry, strict=False)
def _entry(sets: Any, index: Any) -> Any:
    if isinstance(sets, types.NestedArray):
        if sets.shape[1] == 1:
            return lambda sets, index: (sets[index, 0],)
        return lambda sets, index: (sets[index, 0], sets[index, 1])
    if len(sets) == 1:
        return lambda sets, index: (sets[0][index],)
    return lambda sets, index: (sets[0][index], sets[1][index])


def put(sets: Sets, index: int, cards: Cards) -> None:
    """Write one set of a list."""
    raise NotImplementedError


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
        return lambda cards, others: cards[0] & others[0] != NONE
    return lambda cards, others: (cards[0] & others[0]) | (cards[1] & others[1]) != NONE


def same(cards: Cards, others: Cards) -> bool:
    """Whether the sets hold the same cards."""
    raise NotImplementedError


@overload(same, strict=False)
def _same(cards: Any, others: Any) -> Any:
    if len(cards) == 1:
        return lambda cards, others: cards[0] == others[0]
    return lambda cards, others: cards[0] == others[0] and cards[1] == others[1]


def union(cards: Cards, others: Cards) -> Cards:
    """The cards of either set."""
    raise NotImplementedError


@overload(union, strict=False)
def _union(cards: Any, others: Any) -> Any:
    if len(cards) == 1:
        return lambda cards, others: (cards[0] | others[0],)
    return lambda cards, others: (cards[0] | others[0], cards[1] | others[1])


def without(cards: Cards, gone: Cards) -> Cards:
    """The cards of the first set that are not in the second."""
    raise NotImplementedError


@overload(without, strict=False)
def _without(cards: Any, gone: Any) -> Any:
    if len(cards) == 1:
        return lambda cards, gone: (cards[0] & ~gone[0],)
    return lambda cards, gone: (cards[0] & ~gone[0], cards[1] & ~gone[1])


def word(cards: Cards, number: int) -> Any:
    """One word of a set."""
    raise NotImplementedError


@overload(word, strict=False)
def _word(cards: Any, number: Any) -> Any:
    if len(cards) == 1:
        return lambda cards, number: cards[0]
    return lambda cards, number: cards[1] if number else cards[0]


def with_first_word(cards: Cards, first: Any) -> Cards:
    """The set with another first word."""
    raise NotImplementedError


@overload(with_first_word, strict=False)
def _with_first_word(cards: Any, first: Any) -> Any:
    if len(cards) == 1:
        return lambda cards, first: (first,)
    return lambda cards, first: (first, cards[1])


def scattered(cards: Cards) -> Any:
    """A hash of the set: of a product of odd numbers the high bits depend on every card."""
    raise NotImplementedError


@overload(scattered, strict=False)
def _scattered(cards: Any) -> Any:
    odd, other_odd = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
    half, high = np.uint64(32), np.uint64(24)
    if len(cards) == 1:
        return lambda cards: ((cards[0] ^ cards[0] >> half) * odd) >> high
    return lambda cards: (((cards[0] ^ cards[0] >> half) * odd ^ cards[1]) * other_odd) >> high
