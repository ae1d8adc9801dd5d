"""Blind play: how many random games clear a deal, as docs/solver.md lays down in full."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from games.engine import Deal, Rules, value
from games.engine.layout import covers
from games.solver.kernel.compiling import kernel, part
from games.solver.kernel.sets import lowest, number

KING = 13
_TURN, _OUTSIDE, _WITH_STOCK, _WITH_WASTE = -1, -2, -3, -4
"""In the place of a second spot: what else a move is."""


class Layout(NamedTuple):
    """A deal for playing: sets of spots as bits, and of a card outside the pyramid its value.

    `partners`: for each value the spots whose card makes 13 with it. `above`: for each spot the
    two that it covers, or -1. Kings are in `kings`, and have no partners.
    """

    values: npt.NDArray[np.int64]
    partners: npt.NDArray[np.int64]
    kings: int
    covers: npt.NDArray[np.int64]
    above: npt.NDArray[np.int64]
    base: int
    stock: npt.NDArray[np.int64]
    passes: int
    stock_top: bool
    outside_pairs: bool
    all_must_go: bool


def count_wins(deal: Deal, rules: Rules, *, seed: int, playouts: int) -> int:
    """Return how many of the playouts clear the deal; the generator starts from a 64-bit seed."""
    return _count_wins(_layout(deal, rules), np.uint64(seed), playouts)


def _layout(deal: Deal, rules: Rules) -> Layout:
    values = [value(card) for card in deal.pyramid]
    covered = covers(rules.rows)
    above = [
        [spot for spot, by in enumerate(covered) if place in by] for place in range(len(values))
    ]
    return Layout(
        np.array(values, np.int64),
        np.array([_spots_of(values, KING - it if it % KING else 0) for it in range(14)], np.int64),
        _spots_of(values, KING),
        np.array([sum(1 << spot for spot in by) for by in covered], np.int64),
        np.array([[*spots, -1, -1][:2] for spots in above], np.int64),
        sum(1 << spot for spot, by in enumerate(covered) if not by),
        np.array([value(card) for card in deal.stock], np.int64),
        rules.passes,
        rules.stock_top,
        rules.outside_pairs,
        rules.goal == "all",
    )


def _spots_of(values: list[int], wanted: int) -> int:
    return sum(1 << spot for spot, it in enumerate(values) if it == wanted)


@kernel
def _count_wins(layout: Layout, seed: np.uint64, playouts: int) -> int:
    stock, waste = np.zeros_like(layout.stock), np.zeros_like(layout.stock)
    stream = np.zeros(1, np.uint64)
    stream[0] = seed
    wins = 0
    for _ in range(playouts):
        wins += _is_won(layout, stock, waste, stream)
    return wins


@part
def _is_won(layout: Layout, stock: Any, waste: Any, stream: Any) -> bool:
    """Play from the start until the game is cleared or stuck.

    The stock lies from `drawn` to `end`, the waste up to `height`. Pairs within the pyramid are
    counted anew only where other spots are exposed than before.
    """
    stock[:] = layout.stock
    drawn, end, height, redeals = 0, len(stock), 0, 0
    spots, exposed = (1 << len(layout.values)) - 1, layout.base
    counted, pairs = 0, 0
    while True:
        drawn, height = _past_kings(layout, stock, waste, drawn, end, height)
        while exposed & layout.kings:
            spots, exposed = _without(layout, spots, exposed, _first(exposed & layout.kings))
        if spots == 0 and (not layout.all_must_go or end - drawn + height == 0):
            return True

        if exposed != counted:
            counted, pairs = exposed, _count_pairs(layout, exposed)
        top = waste[height - 1] if height > 0 else 0
        next_card = stock[drawn] if layout.stock_top and drawn < end else 0
        with_waste = exposed & layout.partners[top]
        with_stock = exposed & layout.partners[next_card]
        turns = drawn < end or (height > 0 and redeals < layout.passes - 1)
        outside = layout.outside_pairs and top > 0 and next_card == KING - top
        count = turns + outside + _size(with_stock) + _size(with_waste) + pairs
        if count == 0:
            return False

        chosen = _below(stream, count) if count > 1 else 0
        first, second = _find(layout, exposed, with_stock, with_waste, turns, outside, chosen)
        if first >= 0:
            spots, exposed = _without(layout, spots, exposed, first)
        if second >= 0:
            spots, exposed = _without(layout, spots, exposed, second)
        elif second != _TURN:
            drawn += second != _WITH_WASTE
            height -= second != _WITH_STOCK
        elif drawn < end:
            waste[height] = stock[drawn]
            drawn, height = drawn + 1, height + 1
        else:
            stock[:height] = waste[:height]
            drawn, end, height, redeals = 0, height, 0, redeals + 1


@part
def _past_kings(
    layout: Layout, stock: Any, waste: Any, drawn: int, end: int, height: int
) -> tuple[int, int]:
    """Return where the stock and the waste stand once their available Kings have gone."""
    while layout.stock_top and drawn < end and stock[drawn] == KING:
        drawn += 1
    while height > 0 and waste[height - 1] == KING:
        height -= 1
    return drawn, height


@part
def _find(
    layout: Layout,
    exposed: int,
    with_stock: int,
    with_waste: int,
    turns: bool,
    outside: bool,
    chosen: int,
) -> tuple[int, int]:
    """Return the move of a number in the order of the moves' texts, as its two places."""
    if turns and chosen == 0:
        return -1, _TURN
    chosen -= turns
    if outside and chosen == 0:
        return -1, _OUTSIDE
    chosen -= outside
    left = exposed
    while True:
        spot = _first(left)
        left &= left - 1
        if with_stock >> spot & 1:
            if chosen == 0:
                return spot, _WITH_STOCK
            chosen -= 1
        if with_waste >> spot & 1:
            if chosen == 0:
                return spot, _WITH_WASTE
            chosen -= 1
        others = left & layout.partners[layout.values[spot]]
        while others:
            if chosen == 0:
                return spot, _first(others)
            chosen -= 1
            others &= others - 1


@part
def _count_pairs(layout: Layout, exposed: int) -> int:
    """Return how many pairs of exposed spots make 13."""
    count, left = 0, exposed
    while left:
        spot = _first(left)
        left &= left - 1
        count += _size(left & layout.partners[layout.values[spot]])
    return count


@part
def _without(layout: Layout, spots: int, exposed: int, spot: int) -> tuple[int, int]:
    """Return the spots that are left and the exposed ones once a card has gone."""
    spots ^= 1 << spot
    exposed ^= 1 << spot
    for above in layout.above[spot]:
        if above >= 0 and spots & layout.covers[above] == 0:
            exposed |= 1 << above
    return spots, exposed


@part
def _first(spots: int) -> int:
    return number(lowest(np.uint64(spots)))


@part
def _size(spots: int) -> int:
    count = 0
    while spots:
        spots &= spots - 1
        count += 1
    return count


@part
def _below(stream: Any, bound: int) -> int:
    """A number below the bound, each equally likely (Lemire's method on 32 bits)."""
    unfair = (1 << 32) % bound
    while True:
        product = number(_next(stream) >> np.uint64(32)) * bound
        if product & 0xFFFFFFFF >= unfair:
            return product >> 32


@part
def _next(stream: Any) -> np.uint64:
    """The next number of SplitMix64."""
    stream[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = stream[0]
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return mixed ^ mixed >> np.uint64(31)
