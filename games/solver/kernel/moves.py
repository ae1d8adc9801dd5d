"""The pairs worth taking from a set of cards, and what taking one leaves."""

from typing import Any

from games.solver.kernel import families, sets, stock
from games.solver.kernel.compiling import part
from games.solver.kernel.sets import NONE, ONE, Cards, lowest

MOST_PAIRS = 400
"""More than any set of cards has: in two decks 6 families of 8 and 8 cards make 384."""

_MUST = 1 << 14


@part
def exposed(numbered: Any, cards: Cards) -> Cards:
    """The pyramid's cards that nothing covers, Kings aside: they leave by themselves."""
    found = sets.without(cards, cards)
    for spot in range(numbered.deal.pyramid_size):
        card = sets.entry(numbered.deal.card, spot)
        if sets.meets(cards, card) and not sets.meets(
            cards, sets.entry(numbered.deal.blockers, spot)
        ):
            found = sets.union(found, card)
    return found


@part
def list_pairs(numbered: Any, cards: Cards, pairs: Any) -> int:
    """Write down the pairs of exposed and stock cards that leave no family hopeless; how many.

    A pair is 128 times the card that comes first in the deal, plus the other; `split` reads it.
    """
    count = 0
    within_reach = sets.union(
        exposed(numbered, cards), sets.without(cards, sets.entry(numbered.deal.pyramid, 0))
    )
    for family in range(len(numbered.deal.whole)):
        reachable = families.subset_of(numbered, within_reach, family)
        lows = reachable & numbered.deal.low[family]
        if lows == NONE or reachable & numbered.deal.high[family] == NONE:
            continue
        subset = families.subset_of(numbered, cards, family)
        bound = families.bound(numbered, family, subset)
        while lows != NONE:
            low = lowest(lows)
            lows &= lows - ONE
            number = numbered.deal.member[family, low]
            mates = numbered.deal.mates[number] & reachable
            while mates != NONE:
                mate = lowest(mates)
                mates &= mates - ONE
                if not families.is_hopeless(numbered, family, subset ^ (ONE << low | ONE << mate)):
                    pair = _pair_of(number, numbered.deal.member[family, mate])
                    pairs[count] = pair | _MUST if bound >> low & ONE != NONE else pair
                    count += 1
    return count


@part
def split(listed: int) -> tuple[int, bool]:
    """A pair, and whether it must be taken some time."""
    return listed & _MUST - 1, listed >= _MUST


@part
def _pair_of(number: int, other: int) -> int:
    return min(number, other) << 7 | max(number, other)


@part
def without_pair(numbered: Any, cards: Cards, pair: int) -> Cards:
    first, second = (
        sets.entry(numbered.deal.card, pair >> 7),
        sets.entry(numbered.deal.card, pair & 127),
    )
    return sets.without(cards, sets.union(first, second))


@part
def without_buried(numbered: Any, cards: Cards, time: int) -> tuple[Cards, bool]:
    """The cards that can still leave, and whether all that must leave still can.

    In the last pass a card of the waste that has no useful partner stays, and all beneath it do.
    No family may be hopeless before: then none of the cards that stay had to leave.
    """
    if not stock.in_last_pass(numbered, time):
        return cards, True
    place = stock.last_left(numbered, cards, stock.place_at(time))
    while place >= 0:
        if can_leave(numbered, cards, numbered.deal.pyramid_size + place):
            place = stock.last_left(numbered, cards, place)
            continue
        while place >= 0:
            cards = sets.without(
                cards, sets.entry(numbered.deal.card, numbered.deal.pyramid_size + place)
            )
            place -= 1
        if families.any_hopeless(numbered, cards):
            return cards, False
        place = stock.last_left(numbered, cards, stock.place_at(time))
    return cards, True


@part
def can_leave(numbered: Any, cards: Cards, number: int) -> bool:
    """Whether a card is a King, or has a partner with which it may leave."""
    family = numbered.deal.family[number]
    if family == len(numbered.deal.whole):
        return True
    useful = families.useful(numbered, family, families.subset_of(numbered, cards, family))
    return useful >> numbered.deal.place[number] & ONE != NONE
