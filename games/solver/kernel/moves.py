"""The pairs worth taking from a set of cards, and what taking one leaves."""

from typing import Any

from games.solver.kernel import families, sets, stock
from games.solver.kernel.compiling import part
from games.solver.kernel.sets import NONE, ONE, Cards, lowest

MOST_PAIRS = 400
"""More than any set of cards has: in two decks 6 families of 8 and 8 cards make 384."""

_MUST = 1 << 14


@part
def exposed(board: Any, cards: Cards) -> Cards:
    """The pyramid's cards that nothing covers, Kings aside: they leave by themselves."""
    found = sets.without(cards, cards)
    for spot in range(board.deal.pyramid_size):
        card = sets.entry(board.deal.card, spot)
        if sets.meets(cards, card) and not sets.meets(cards, sets.entry(board.deal.blockers, spot)):
            found = sets.union(found, card)
    return found


@part
def list_pairs(board: Any, cards: Cards, pairs: Any) -> int:
    """Write down the pairs of exposed and stock cards that leave no family hopeless; how many.

    A pair is 128 times the card that comes first in the deal, plus the other; `split` reads it.
    """
    count = 0
    within_reach = sets.union(
        exposed(board, cards), sets.without(cards, sets.entry(board.deal.pyramid, 0))
    )
    for family in range(len(board.deal.whole)):
        reachable = families.subset_of(board, within_reach, family)
        lows = reachable & board.deal.low[family]
        if lows == NONE or reachable & board.deal.high[family] == NONE:
            continue
        subset = families.subset_of(board, cards, family)
        bound = families.bound(board, family, subset)
        while lows != NONE:
            low = lowest(lows)
            lows &= lows - ONE
            number = board.deal.member[family, low]
            mates = board.deal.mates[number] & reachable
            while mates != NONE:
                mate = lowest(mates)
                mates &= mates - ONE
                if not families.is_hopeless(board, family, subset ^ (ONE << low | ONE << mate)):
                    pair = _pair_of(number, board.deal.member[family, mate])
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
def without_pair(board: Any, cards: Cards, pair: int) -> Cards:
    first, second = sets.entry(board.deal.card, pair >> 7), sets.entry(board.deal.card, pair & 127)
    return sets.without(cards, sets.union(first, second))


@part
def without_buried(board: Any, cards: Cards, time: int) -> tuple[Cards, bool]:
    """The cards that can still leave, and whether all that must leave still can.

    In the last pass a card of the waste that has no useful partner stays, and all beneath it do.
    No family may be hopeless before: then none of the cards that stay had to leave.
    """
    if not stock.in_last_pass(board, time):
        return cards, True
    place = stock.last_left(board, cards, stock.place_at(time))
    while place >= 0:
        if can_leave(board, cards, board.deal.pyramid_size + place):
            place = stock.last_left(board, cards, place)
            continue
        while place >= 0:
            cards = sets.without(
                cards, sets.entry(board.deal.card, board.deal.pyramid_size + place)
            )
            place -= 1
        if families.any_hopeless(board, cards):
            return cards, False
        place = stock.last_left(board, cards, stock.place_at(time))
    return cards, True


@part
def can_leave(board: Any, cards: Cards, number: int) -> bool:
    """Whether a card is a King, or has a partner with which it may leave."""
    family = board.deal.family[number]
    if family == len(board.deal.whole):
        return True
    useful = families.useful(board, family, families.subset_of(board, cards, family))
    return useful >> board.deal.place[number] & ONE != NONE
