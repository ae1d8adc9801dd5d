"""What can still become of a family of cards: tables with a row for each of its subsets."""

from typing import Any

import numpy as np

from games.solver.kernel import sets
from games.solver.kernel.compiling import kernel, part
from games.solver.kernel.sets import NONE, ONE, Cards, lowest, number

HOPELESS = np.uint8(255)
"""In `pairs_needed`: the cards that must leave cannot all be paired off."""

_SOLE_SHIFT = np.uint64(32)
_KNOWN = np.uint64(1 << 63)


@kernel
def fill_pairs_needed(numbered: Any) -> None:
    """For each subset the fewest pairs with which all its cards that must leave can do so."""
    for family in range(len(numbered.deal.whole)):
        for subset in range(1, number(numbered.deal.whole[family]) + 1):
            row = numbered.deal.first_row[family] + subset
            numbered.pairs_needed[row] = _fewest_pairs(numbered, family, np.uint64(subset))


@part
def _fewest_pairs(numbered: Any, family: int, subset: np.uint64) -> np.uint8:
    """By way of the smaller subsets, whose rows are filled."""
    needy = subset & numbered.deal.needy[family]
    if needy == NONE:
        return np.uint8(0)
    place = lowest(needy)
    rest = subset ^ ONE << place
    mates = numbered.deal.mates[numbered.deal.member[family, place]] & rest
    fewest = HOPELESS
    while mates != NONE:
        fewest = min(fewest, pairs_needed(numbered, family, rest ^ ONE << lowest(mates)))
        mates &= mates - ONE
    return fewest if fewest == HOPELESS else np.uint8(fewest + 1)


@part
def subset_of(numbered: Any, cards: Cards, family: int) -> np.uint64:
    """Those of the cards that belong to a family."""
    word = sets.word(cards, numbered.deal.word[family])
    return (word >> numbered.deal.shift[family]) & numbered.deal.whole[family]


@part
def pairs_needed(numbered: Any, family: int, subset: np.uint64) -> np.uint8:
    return numbered.pairs_needed[numbered.deal.first_row[family] + number(subset)]


@part
def is_hopeless(numbered: Any, family: int, subset: np.uint64) -> bool:
    return pairs_needed(numbered, family, subset) == HOPELESS


@part
def any_hopeless(numbered: Any, cards: Cards) -> bool:
    for family in range(len(numbered.deal.whole)):
        if is_hopeless(numbered, family, subset_of(numbered, cards, family)):
            return True
    return False


@part
def useful(numbered: Any, family: int, subset: np.uint64) -> np.uint64:
    """Those that may leave in a pair and let all that must leave do so."""
    return _worth(numbered, family, subset) & numbered.deal.whole[family]


@part
def bound(numbered: Any, family: int, subset: np.uint64) -> np.uint64:
    """Those that must leave and have one useful partner only, and that partner."""
    return (_worth(numbered, family, subset) >> _SOLE_SHIFT) & numbered.deal.whole[family]


@part
def _worth(numbered: Any, family: int, subset: np.uint64) -> np.uint64:
    """Both of the above, in one word; found when first asked for, and remembered."""
    row = numbered.deal.first_row[family] + number(subset)
    if numbered.worth[row] == NONE:
        numbered.worth[row] = _found_worth(numbered, family, subset) | _KNOWN
    return numbered.worth[row]


@part
def _found_worth(numbered: Any, family: int, subset: np.uint64) -> np.uint64:
    useful_cards, bound_cards = NONE, NONE
    unseen = subset
    while unseen != NONE:
        place = lowest(unseen)
        unseen &= unseen - ONE
        partners = _useful_partners(numbered, family, subset, place)
        if partners == NONE:
            continue
        useful_cards |= ONE << place
        is_sole = partners & (partners - ONE) == NONE
        if is_sole and numbered.deal.needy[family] >> place & ONE != NONE:
            bound_cards |= ONE << place | partners
    return useful_cards | bound_cards << _SOLE_SHIFT


@part
def _useful_partners(numbered: Any, family: int, subset: np.uint64, place: np.uint64) -> np.uint64:
    rest = subset ^ ONE << place
    mates = numbered.deal.mates[numbered.deal.member[family, place]] & rest
    partners = NONE
    while mates != NONE:
        mate = ONE << lowest(mates)
        mates ^= mate
        if not is_hopeless(numbered, family, rest ^ mate):
            partners |= mate
    return partners
