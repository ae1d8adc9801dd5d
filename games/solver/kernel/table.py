"""What a search remembers: for each set of cards the earliest time at which it was reached.

Open addressing in one array of words, or in two: the time, counted from 1, stands above the cards
in the first, so that an empty slot is 0.
"""

from typing import Any

import numpy as np

from games.solver.kernel import sets
from games.solver.kernel.compiling import part
from games.solver.kernel.sets import NONE, WORD_CARDS, Cards, Sets, number

FIRST_SLOTS = 1 << 12

NEVER = 1 << 12
"""Later than every time."""

_TIME_SHIFT = np.uint64(WORD_CARDS[0])
_CARD_BITS = np.uint64(2 ** WORD_CARDS[0] - 1)


@part
def slot_of(table: Sets, cards: Cards) -> int:
    """The slot that holds a set of cards, or the empty one where it belongs."""
    last = len(table[0]) - 1
    slot = number(sets.scattered(cards)) & last
    while table[0][slot] != NONE and not sets.same(_cards_at(table, slot), cards):
        slot = (slot + 1) & last
    return slot


@part
def time_at(table: Sets, slot: int) -> int:
    """The time in a slot, NEVER in an empty one."""
    stored = number(table[0][slot] >> _TIME_SHIFT)
    return stored - 1 if stored else NEVER


@part
def store(table: Sets, slot: int, cards: Cards, time: int) -> None:
    first = cards[0] | np.uint64(time + 1) << _TIME_SHIFT
    sets.put(table, slot, sets.with_first_word(cards, first))


@part
def enlarged(table: Sets, like: Cards) -> Any:
    """The same in four times as many slots."""
    larger = sets.no_sets(4 * len(table[0]), like)
    for slot in range(len(table[0])):
        if table[0][slot] != NONE:
            cards = _cards_at(table, slot)
            store(larger, slot_of(larger, cards), cards, time_at(table, slot))
    return larger


@part
def _cards_at(table: Sets, slot: int) -> Cards:
    return sets.with_first_word(sets.entry(table, slot), table[0][slot] & _CARD_BITS)
