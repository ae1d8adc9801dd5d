"""Where the game stands in the stock, and when a pair can be taken.

A time is the pass, counted from 0, times 128, plus the place of the next card to be drawn among
those dealt. What is left of the cards before it is the waste. A set of cards and a time say it all:
any later time is reached by drawing and redealing alone. So of two times for one set the earlier
is the better.
"""

from typing import Any

from games.solver.kernel import sets
from games.solver.kernel.compiling import part
from games.solver.kernel.sets import Cards
from games.solver.kernel.table import NEVER


@part
def is_left(numbered: Any, cards: Cards, place: int) -> bool:
    return sets.meets(cards, sets.entry(numbered.deal.card, numbered.deal.pyramid_size + place))


@part
def next_left(numbered: Any, cards: Cards, place: int) -> int:
    """The first place from this one on with a card left, or the end of the stock."""
    while place < numbered.deal.stock_size and not is_left(numbered, cards, place):
        place += 1
    return place


@part
def last_left(numbered: Any, cards: Cards, place: int) -> int:
    """The last place before this one with a card left, or -1."""
    place -= 1
    while place >= 0 and not is_left(numbered, cards, place):
        place -= 1
    return place


@part
def passes_before(time: int) -> int:
    return time >> 7


@part
def place_at(time: int) -> int:
    """The place of the next draw."""
    return time & 127


@part
def in_last_pass(numbered: Any, time: int) -> bool:
    return passes_before(time) == numbered.deal.passes - 1


@part
def time_after(numbered: Any, cards: Cards, time: int, pair: int) -> int:
    """The earliest time at which the pair can be gone, or NEVER.

    The pyramid's cards of it are exposed, and the one that comes later in the stock decides. A
    card still to be drawn is taken as it comes, the waste top at once, one beneath only in the
    next pass. Two cards of the stock pair off when nothing is left between them.
    """
    first, place = (
        (pair >> 7) - numbered.deal.pyramid_size,
        (pair & 127) - numbered.deal.pyramid_size,
    )
    if place < 0:
        return time
    if first >= 0 and next_left(numbered, cards, first + 1) != place:
        return NEVER
    now = place_at(time)
    passes = passes_before(time)
    if place < now:
        if first < 0 and last_left(numbered, cards, now) == place:
            return time
        passes += 1
        if passes == numbered.deal.passes:
            return NEVER
    return passes << 7 | next_left(numbered, cards, place + 1)


@part
def needs_no_draw(numbered: Any, time: int, pair: int, after: int) -> bool:
    """Whether the pair, gone by `after`, is available now, or once the next card is drawn."""
    place = (pair & 127) - numbered.deal.pyramid_size
    same_pass = passes_before(time) == passes_before(after)
    return place <= place_at(time) and same_pass
