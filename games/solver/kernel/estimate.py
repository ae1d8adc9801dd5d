"""A lower bound on the steps that are still to come."""

from typing import Any

import numpy as np

from games.solver.kernel import families, moves, sets, stock
from games.solver.kernel.compiling import part
from games.solver.kernel.sets import NONE, ONE, Cards, number


@part
def least_steps(numbered: Any, cards: Cards, time: int) -> int:
    """The pairs that each family needs, and the cards that must be turned to come by them."""
    passes, now = stock.passes_before(time), stock.place_at(time)
    end = _first_sufficient_end(numbered, cards, time)
    steps = 0
    if end > numbered.deal.stock_size:
        steps, end = 1, numbered.deal.stock_size
    for family in range(len(numbered.deal.whole)):
        steps += _family_steps(numbered, cards, family, now, end)
    for place in range(now, end):
        steps += _king_steps(numbered, cards, passes, place)
    return steps


@part
def _king_steps(numbered: Any, cards: Cards, passes: int, place: int) -> int:
    if passes == 0 and numbered.deal.king_steps[place]:
        return numbered.deal.king_steps[place]
    card = sets.entry(numbered.deal.card, numbered.deal.pyramid_size + place)
    is_king = sets.meets(card, sets.entry(numbered.deal.kings, 0))
    return 1 if is_king and sets.meets(card, cards) else 0


@part
def _first_sufficient_end(numbered: Any, cards: Cards, time: int) -> int:
    """How far the stock must be passed, at the least, so that no family lacks a partner.

    One more than its size where only another pass brings enough.
    """
    now, size = stock.place_at(time), numbered.deal.stock_size
    if numbered.deal.all_must_go:
        return size
    open_waste = _open_waste(numbered, cards, now)
    end = now
    for family in range(len(numbered.deal.whole)):
        subset = families.subset_of(numbered, cards, family)
        within = subset & numbered.deal.needy[family]
        for place in range(open_waste, now):
            within |= _bit_if_in(numbered, family, subset, place)
        place = now
        while families.is_hopeless(numbered, family, within):
            if place == size:
                return size + 1
            within |= _bit_if_in(numbered, family, subset, place)
            place += 1
        end = max(end, place)
    return end


@part
def _bit_if_in(numbered: Any, family: int, subset: np.uint64, place: int) -> np.uint64:
    number = numbered.deal.pyramid_size + place
    if numbered.deal.family[number] != family:
        return NONE
    return subset & ONE << numbered.deal.place[number]


@part
def _open_waste(numbered: Any, cards: Cards, now: int) -> int:
    """The place above the highest card of the waste that can never leave: what is open in it."""
    place = stock.last_left(numbered, cards, now)
    while place >= 0:
        if not moves.can_leave(numbered, cards, numbered.deal.pyramid_size + place):
            return place + 1
        place = stock.last_left(numbered, cards, place)
    return 0


@part
def _family_steps(numbered: Any, cards: Cards, family: int, now: int, end: int) -> int:
    """The least steps for a family's pairs, and for passing its cards between two places.

    A card that is passed costs a draw, unless it leaves from the stock top in a pair.
    """
    subset = families.subset_of(numbered, cards, family)
    pairs = number(families.pairs_needed(numbered, family, subset))
    low_passed, high_passed = 0, 0
    for place in range(now, end):
        bit = _bit_if_in(numbered, family, subset, place)
        low_passed += bit & numbered.deal.low[family] != NONE
        high_passed += bit & numbered.deal.high[family] != NONE
    if not numbered.deal.stock_top:
        return pairs + low_passed + high_passed
    if numbered.deal.all_must_go:
        return max(pairs, low_passed + high_passed)
    needy = subset & numbered.deal.needy[family]
    lows = _size(needy & numbered.deal.low[family])
    highs = _size(needy & numbered.deal.high[family])
    if lows >= highs:
        return _steps_by_counts(lows, highs, high_passed, low_passed, pairs)
    return _steps_by_counts(highs, lows, low_passed, high_passed, pairs)


@part
def _steps_by_counts(many: int, few: int, for_many: int, for_few: int, pairs: int) -> int:
    """Of the pyramid's cards of two values `many` and `few` are left; that many partners pass.

    `apart` counts the pairs of the pyramid that are given up for partners in the stock: each
    costs one removal more, and may save a draw on either side.
    """
    apart = pairs - many
    surplus = max(0, for_many - (many - few + apart))
    rest = max(0, for_few - apart)
    return pairs + surplus + rest - min(surplus, rest, few - apart)


@part
def _size(subset: np.uint64) -> int:
    count = 0
    while subset != NONE:
        subset &= subset - ONE
        count += 1
    return count
