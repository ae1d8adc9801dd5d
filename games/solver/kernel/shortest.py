"""The least number of steps: best-first search over labels, each a set of cards at a time."""

from typing import Any, NamedTuple

import numpy as np

from games.solver.kernel import moves, passing, sets, stock
from games.solver.kernel.compiling import kernel, part
from games.solver.kernel.estimate import least_steps
from games.solver.kernel.moves import MOST_PAIRS
from games.solver.kernel.sets import FIRST, Cards, Sets, number
from games.solver.kernel.table import NEVER

SPENT, PROVED = 0, 1
NOBODY = number(-1)
_FIRST_ROOM = 1 << 13


# What is known of a label, by column. Steps count from the deal, and NOBODY stands there when
# another label makes this one needless. The detour is how many of them a straight way through the
# stock, with these cards alone, would not take. Then how the label was reached, the next one with
# the same cards, and the next in the queue of those with the same estimate.
_TIME, _STEPS, _DETOUR, _REMOVAL, _PARENT, _OLDER, _BEHIND = range(7)


class Search(NamedTuple):
    """Labels, numbered as found; the newest for each set of cards, by hash; queues by estimate."""

    cards: Sets
    facts: Any
    newest: Any
    queues: Any
    size: int


@kernel
def shortest(
    numbered: Any, start: Cards, steps: int, bound: int, budget: int
) -> tuple[int, int, Any]:
    """Look for a line of fewer than `bound` steps; `steps` are inevitable: the pyramid's Kings.

    Gives SPENT or PROVED, the count of labels, and the removals of the shortest line,
    none where nothing beats the bound.
    """
    ways = np.zeros(MOST_PAIRS, np.int64)
    search = _with_room(_FIRST_ROOM, start, _nobody(bound + 1), 0)
    time = passing.next_stop(numbered, start, FIRST, FIRST)
    estimate = steps + least_steps(numbered, start, time)
    if estimate < bound:
        search = _add(numbered, search, estimate, start, time, steps, NOBODY, NOBODY)
    while estimate < bound:
        label = number(search.queues[estimate])
        if label == NOBODY:
            estimate += 1
            continue
        search.queues[estimate] = search.facts[label, _BEHIND]
        steps = number(search.facts[label, _STEPS])
        if steps == NOBODY:
            continue
        if search.size >= budget:
            return SPENT, search.size, ways[:0]
        cards, time = sets.entry(search.cards, label), number(search.facts[label, _TIME])
        if not sets.meets(cards, sets.entry(numbered.deal.required, 0)):
            return PROVED, search.size, _line(search.facts, label)
        for way in range(_ways_on(numbered, cards, time, ways)):
            left, after, more = passing.removed(numbered, cards, time, ways[way])
            left, hope = moves.without_buried(numbered, left, after)
            guess = max(estimate, steps + more + least_steps(numbered, left, after))
            if hope and guess < bound:
                search = _add(numbered, search, guess, left, after, steps + more, label, ways[way])
    return PROVED, search.size, ways[:0]


@part
def _ways_on(numbered: Any, cards: Cards, time: int, ways: Any) -> int:
    """Write down the removals to try; how many. One that must come and costs no draw comes now."""
    plain = sets.without(cards, sets.entry(numbered.deal.kings, 0))
    count = FIRST
    for index in range(moves.list_pairs(numbered, plain, ways)):
        pair, must = moves.split(ways[index])
        after = stock.time_after(numbered, plain, time, pair)
        if after == NEVER:
            continue
        if must and passing.is_free(numbered, cards, time, pair):
            ways[0] = pair
            return 1
        ways[count] = pair
        count += 1
    return passing.list_kings(numbered, cards, time, ways, count)


@part
def _add(
    numbered: Any,
    search: Search,
    estimate: int,
    cards: Cards,
    time: int,
    steps: int,
    parent: int,
    removal: int,
) -> Search:
    """The search with one more label, unless one with the same cards is as early and as short."""
    detour = steps - passing.straight_steps(numbered, cards, time)
    facts, slot = search.facts, _slot_of(search, cards)
    other = search.newest[slot]
    while other != NOBODY:
        if facts[other, _STEPS] != NOBODY:
            if facts[other, _TIME] <= time and facts[other, _DETOUR] <= detour:
                return search
            if facts[other, _TIME] >= time and facts[other, _DETOUR] >= detour:
                facts[other, _STEPS] = NOBODY
        other = facts[other, _OLDER]
    label = search.size
    sets.put(search.cards, label, cards)
    facts[label, _TIME] = time
    facts[label, _STEPS] = steps
    facts[label, _DETOUR] = detour
    facts[label, _REMOVAL] = removal
    facts[label, _PARENT] = parent
    facts[label, _OLDER] = search.newest[slot]
    facts[label, _BEHIND] = search.queues[estimate]
    search.newest[slot] = label
    search.queues[estimate] = label
    search = Search(search.cards, facts, search.newest, search.queues, label + 1)
    return _enlarged(search, cards) if search.size == len(facts) else search


@part
def _slot_of(search: Search, cards: Cards) -> int:
    """The slot of the newest label with these cards, or the empty one where it belongs."""
    last = len(search.newest) - 1
    slot = number(sets.scattered(cards)) & last
    while search.newest[slot] != NOBODY:
        if sets.same(sets.entry(search.cards, search.newest[slot]), cards):
            break
        slot = (slot + 1) & last
    return slot


@part
def _nobody(length: int) -> Any:
    numbers = np.empty(length, np.int32)
    for index in range(length):
        numbers[index] = NOBODY
    return numbers


@part
def _with_room(room: int, like: Cards, queues: Any, count: int) -> Search:
    facts = np.zeros((room, _BEHIND + 1), np.int32)
    return Search(sets.no_sets(room, like), facts, _nobody(2 * room), queues, count)


@part
def _enlarged(search: Search, like: Cards) -> Search:
    """The same with room for twice as many labels, all of its room having been used."""
    larger = _with_room(2 * search.size, like, search.queues, search.size)
    for label in range(search.size):
        sets.put(larger.cards, label, sets.entry(search.cards, label))
        for column in range(search.facts.shape[1]):
            larger.facts[label, column] = search.facts[label, column]
    for label in search.newest:
        if label != NOBODY:
            larger.newest[_slot_of(larger, sets.entry(larger.cards, label))] = label
    return larger


@part
def _line(facts: Any, label: int) -> Any:
    """The removals that lead to a label from the first one."""
    line = np.zeros(64, np.int64)
    place = len(line)
    while facts[label, _PARENT] != NOBODY:
        place -= 1
        line[place] = facts[label, _REMOVAL]
        label = facts[label, _PARENT]
    return line[place:]
