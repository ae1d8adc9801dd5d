"""What a search remembers: for each set of cards the earliest time at which it was reached.

Open addressing in one array of words, or in two; the time stands above the cards in the first.
"""

from typing import Any

import numpy as np
from numba.extending import overload

from games.solver.compiling import part
from games.solver.sets import CARD_BITS, TIME_SHIFT, Cards, scattered

FIRST_SLOTS = 1 << 12
NEVER = 1 << 12
"""Later than every time."""


def empty_table(slots: int, like: Cards) -> Any:
    """As many words a slot as the set has."""
    raise NotImplementedError


@overload(empty_table, strict=False)
def _empty_table(slots: Any, like: Any) -> Any:
    if len(like) == 1:
        return lambda slots, like: (np.zeros(slots, np.uint64),)
    return lambda slots, like: (np.zeros(slots, np.uint64), np.zeros(slots, np.uint64))


def _holds(table: Any, slot: int, cards: Cards) -> bool:
    raise NotImplementedError


@overload(_holds, strict=False)
def _overload_holds(table: Any, slot: Any, cards: Any) -> Any:
    if len(cards) == 1:
        return lambda table, slot, cards: table[0][slot] & CARD_BITS == cards[0]
    return lambda table, slot, cards: (
        table[0][slot] & CARD_BITS == cards[0] and table[1][slot] == cards[1]
    )


def _cards_at(table: Any, slot: int) -> Cards:
    raise NotImplementedError


@overload(_cards_at, strict=False)
def _overload_cards_at(table: Any, slot: Any) -> Any:
    if len(table) == 1:
        return lambda table, slot: (table[0][slot] & CARD_BITS,)
    return lambda table, slot: (table[0][slot] & CARD_BITS, table[1][slot])


def store(table: Any, slot: int, cards: Cards, time: int) -> None:
    """Put a set of cards and its time into a slot."""
    raise NotImplementedError


@overload(store, strict=False)
def _store(table: Any, slot: Any, cards: Any, time: Any) -> Any:
    def store_one(table: Any, slot: Any, cards: Any, time: Any) -> None:
        table[0][slot] = cards[0] | np.uint64(time + 1) << TIME_SHIFT

    def store_two(table: Any, slot: Any, cards: Any, time: Any) -> None:
        table[0][slot] = cards[0] | np.uint64(time + 1) << TIME_SHIFT
        table[1][slot] = cards[1]

    return store_one if len(cards) == 1 else store_two


@part
def time_at(table: Any, slot: int) -> int:
    """The time in a slot, NEVER in an empty one."""
    time = np.int64(table[0][slot] >> TIME_SHIFT) - 1
    return NEVER if time < 0 else time


@part
def slot_of(table: Any, cards: Cards) -> int:
    """The slot that holds a set of cards, or the empty one where it belongs."""
    last = len(table[0]) - 1
    slot = np.int64(scattered(cards) >> np.uint64(24)) & last
    while table[0][slot] and not _holds(table, slot, cards):
        slot = (slot + 1) & last
    return slot


@part
def grown(table: Any, cards: Cards) -> Any:
    """The same in four times as many slots."""
    larger = empty_table(4 * len(table[0]), cards)
    for slot in range(len(table[0])):
        if table[0][slot]:
            held = _cards_at(table, slot)
            store(larger, slot_of(larger, held), held, time_at(table, slot))
    return larger
