"""What the ways through the stock cost in steps, the Kings of the stock included.

Where a King of the stock need not leave and cannot be taken from the stock top, it is a card like
others: part of the set, turned with the rest and taken off the waste where that helps. Elsewhere
it goes as soon as it is reached, in the first pass, and only its steps count: `king_steps`.
"""

from typing import Any

from games.solver.kernel import moves, sets, stock
from games.solver.kernel.compiling import part
from games.solver.kernel.sets import FIRST, Cards


@part
def next_stop(numbered: Any, cards: Cards, passes: int, place: int) -> int:
    """The time at the next card of the stock that is there, from this place on."""
    while place < numbered.deal.stock_size and _steps_past(numbered, cards, passes, place) == 0:
        place += 1
    return passes << 7 | place


@part
def steps_between(numbered: Any, cards: Cards, passes: int, place: int, end: int) -> int:
    """How many steps it takes to have the cards from a place to another on the waste."""
    steps = 0
    while place < end:
        steps += _steps_past(numbered, cards, passes, place)
        place += 1
    return steps


@part
def _steps_past(numbered: Any, cards: Cards, passes: int, place: int) -> int:
    if stock.is_left(numbered, cards, place):
        return 1
    return numbered.deal.king_steps[place] if passes == 0 else 0


@part
def straight_steps(numbered: Any, cards: Cards, time: int) -> int:
    """The steps from the deal to a time if no card but these had ever been there."""
    steps = 0
    for passes in range(stock.passes_before(time)):
        steps += 1 + steps_between(numbered, cards, passes, FIRST, numbered.deal.stock_size)
    place = stock.place_at(time)
    return steps + steps_between(numbered, cards, stock.passes_before(time), FIRST, place)


@part
def removed(numbered: Any, cards: Cards, time: int, removal: int) -> tuple[Cards, int, int]:
    """What a removal leaves, when, and in how many steps: a pair, or twice the number of a King."""
    left = moves.without_pair(numbered, cards, removal)
    place = (removal & 127) - numbered.deal.pyramid_size
    if place < 0:
        return left, time, 1
    passes, now = stock.passes_before(time), stock.place_at(time)
    in_the_way = kings_above(numbered, cards, place, now) if place < now else 0
    if in_the_way >= 0 and place < now and _is_single(numbered, removal):
        left = _without_places(numbered, left, place, now)
        return left, next_stop(numbered, left, passes, now), 1 + in_the_way
    steps = 0 if numbered.deal.stock_top else 1
    if place < now:
        steps += 1 + steps_between(numbered, cards, passes, now, numbered.deal.stock_size)
        passes, now = passes + 1, FIRST
    steps += steps_between(numbered, cards, passes, now, place)
    return left, next_stop(numbered, left, passes, place + 1), steps + 1


@part
def _is_single(numbered: Any, removal: int) -> bool:
    """Whether only one card of a removal lies in the stock: two of it leave as they are turned."""
    first = removal >> 7
    return first < numbered.deal.pyramid_size or first == removal & 127


@part
def kings_above(numbered: Any, cards: Cards, place: int, end: int) -> int:
    """How many Kings lie on a card of the waste, or -1 where any other card does."""
    kings = sets.entry(numbered.deal.kings, 0)
    count = 0
    for above in range(place + 1, end):
        if stock.is_left(numbered, cards, above):
            card = sets.entry(numbered.deal.card, numbered.deal.pyramid_size + above)
            if not sets.meets(kings, card):
                return -1
            count += 1
    return count


@part
def _without_places(numbered: Any, cards: Cards, place: int, end: int) -> Cards:
    for gone in range(place, end):
        cards = sets.without(
            cards, sets.entry(numbered.deal.card, numbered.deal.pyramid_size + gone)
        )
    return cards


@part
def is_free(numbered: Any, cards: Cards, time: int, pair: int) -> bool:
    """Whether a pair is available now, or as soon as the next card is drawn."""
    place, now = (pair & 127) - numbered.deal.pyramid_size, stock.place_at(time)
    if place < 0 or place == now:
        return True
    return (
        place < now and _is_single(numbered, pair) and kings_above(numbered, cards, place, now) == 0
    )


@part
def list_kings(numbered: Any, cards: Cards, time: int, ways: Any, count: int) -> int:
    """Write down, behind other removals, the Kings to take for later passes' sake; how many all.

    Never in the last pass: there a King is only in the way, and goes with what lies beneath it.
    """
    kings = sets.entry(numbered.deal.kings, 0)
    if not sets.meets(cards, kings):
        return count
    passes, now = stock.passes_before(time), stock.place_at(time)
    for place in range(numbered.deal.stock_size):
        number = numbered.deal.pyramid_size + place
        if not sets.meets(kings, sets.entry(numbered.deal.card, number)):
            continue
        if not stock.is_left(numbered, cards, place):
            continue
        above = kings_above(numbered, cards, place, now) if place < now else 0
        another_pass = 1 if above < 0 else 0
        # A King that lies on it goes first.
        if above <= 0 and passes + another_pass < numbered.deal.passes - 1:
            ways[count] = number << 7 | number
            count += 1
    return count
