"""What is left of a family, and what can still become of it: tables by subset."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from games.solver.board import FAMILIES
from games.solver.compiling import kernel, part
from games.solver.sets import Cards, word

HOPELESS = np.uint8(255)
"""In `pairs_needed`: the cards that must leave cannot all be paired off."""

ONE = np.uint64(1)
NONE = np.uint64(0)
SOLE_SHIFT = np.uint64(32)
KNOWN = np.uint64(1 << 63)


@kernel
def fill_pairs_needed(board: Any) -> None:
    """For each subset the fewest pairs with which all its cards that must leave can do so."""
    for family in range(FAMILIES):
        first = board.first_row[family]
        for subset in range(1, np.int64(board.whole[family]) + 1):
            needy = np.uint64(subset) & board.required_of[family]
            if needy == NONE:
                continue
            place = lowest(needy)
            rest = np.uint64(subset) ^ ONE << place
            mates = board.mates[board.member[family, place]] & rest
            fewest = HOPELESS
            while mates:
                mate = lowest(mates)
                mates &= mates - ONE
                pairs = board.pairs_needed[first + np.int64(rest ^ ONE << mate)]
                if pairs < fewest:
                    fewest = pairs
            board.pairs_needed[first + subset] = HOPELESS if fewest == HOPELESS else fewest + 1


@intrinsic
def lowest(context: Any, bits: Any) -> Any:
    """The place of the lowest bit set: one instruction."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))  # never of 0

    return types.uint64(types.uint64), generate


@part
def subset_of(board: Any, cards: Cards, family: int) -> np.uint64:
    """What is left of a family."""
    return (word(cards, board.word[family]) >> board.shift[family]) & board.whole[family]


@part
def pairs_needed(board: Any, family: int, subset: np.uint64) -> int:
    return board.pairs_needed[board.first_row[family] + np.int64(subset)]


@part
def hopeless(board: Any, family: int, subset: np.uint64) -> bool:
    return board.pairs_needed[board.first_row[family] + np.int64(subset)] == HOPELESS


@part
def worth(board: Any, family: int, subset: np.uint64) -> np.uint64:
    """Which cards of a subset can leave while the others still all pair off; computed once.

    Above SOLE_SHIFT those among them that have one partner only, and must leave with it.
    """
    row = board.first_row[family] + np.int64(subset)
    known = board.worth[row]
    if known:
        return known
    useful = NONE
    sole = NONE
    lows = subset
    while lows:
        place = lowest(lows)
        lows &= lows - ONE
        rest = subset ^ ONE << place
        mates = board.mates[board.member[family, place]] & rest
        partners = NONE
        while mates:
            mate = lowest(mates)
            mates &= mates - ONE
            if not hopeless(board, family, rest ^ ONE << mate):
                partners |= ONE << mate
        if partners:
            useful |= ONE << place
            if partners & (partners - ONE) == NONE and board.required_of[family] >> place & ONE:
                sole |= ONE << place | partners
    known = useful | sole << SOLE_SHIFT | KNOWN
    board.worth[row] = known
    return known
