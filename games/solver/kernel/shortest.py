"""The least number of steps: best-first search over labels, each a set of cards at a time."""

from typing import Any, NamedTuple

import numpy as np

from games.solver.kernel import moves, passing, sets, stock
from games.solver.kernel.estimate import least_steps
from games.solver.kernel.compiling import kernel, part
from games.solver.kernel.moves import MOST_PAIRS
from games.solver.kernel.sets import Cards, Sets

SPENT, PROVED = 0, 1
NOBODY = -1
_FIRST_ROOM = 1 << 13


class Labels(NamedTuple):
    """Ways to reach sets of cards, numbered as found.

    `steps` counts from the deal, NOBODY marks one that another makes needless. `detour` is how
    many of the steps a straight way through the stock, with these cards alone, would not take.
    `parent` and `removal` tell how it was reached; `older` is the next label with the same cards,
    `behind` the next in the queue of those with the same estimate.
    """

    cards: Sets
    time: Any
    steps: Any
    detour: Any
    removal: Any
    parent: Any
    older: Any
    behind: Any


class Search(NamedTuple):
    """Labels, the newest for each set of cards by its hash, and the queues by estimate."""

    labels: Labels
    newest: Any
    queues: Any
    count: int


@kernel
def shortest(board: Any, start: Cards, steps: int, bound: int, budget: int) -> tuple[int, int, Any]:
    """Look for a line of fewer than `bound` steps; `steps` are inevitable: the pyramid's Kings.

    Gives SPENT or PROVED, the count of labels, and the removals of the shortest line,
    none where nothing beats the bound.
    """
    ways = np.zeros(MOST_PAIRS, np.int64)
    search = Search(
        _labels(_FIRST_ROOM, start),
        np.full(2 * _FIRST_ROOM, NOBODY, np.int32),
        np.full(bound + 1, NOBODY, np.int32),
        0,
    )
    last, last_removal = NOBODY, 0
    time = passing.next_stop(board, start, 0, 0)
    estimate = steps + least_steps(board, start, time)
    if estimate < bound:
        search = _add(board, search, estimate, start, time, steps, NOBODY, 0)
    while estimate < bound:
        label = search.queues[estimate]
        if label == NOBODY:
            estimate += 1
            continue
        search.queues[estimate] = search.labels.behind[label]
        steps = search.labels.steps[label]
        if steps == NOBODY:
            continue
        if search.count >= budget:
            return SPENT, search.count, ways[:0]
        cards, time = sets.entry(search.labels.cards, label), search.labels.time[label]
        for way in range(_ways_on(board, cards, time, ways)):
            left, after, more = passing.removed(board, cards, time, ways[way])
            left, hope = moves.without_buried(board, left, after)
            if not hope:
                continue
            if not sets.meets(left, sets.entry(board.deal.required, 0)):
                total = steps + more + passing.steps_to_finish(board, left, after)
                if total < bound:
                    bound, last, last_removal = total, label, ways[way]
                continue
            guess = max(estimate, steps + more + least_steps(board, left, after))
            if guess < bound:
                search = _add(board, search, guess, left, after, steps + more, label, ways[way])
    return PROVED, search.count, _line(search.labels, last, last_removal)


@part
def _ways_on(board: Any, cards: Cards, time: int, ways: Any) -> int:
    """Write down the removals to try; how many. One that must come and costs no draw comes now."""
    plain = sets.without(cards, sets.entry(board.deal.kings, 0))
    count = 0
    for index in range(moves.list_pairs(board, plain, ways)):
        pair, must = moves.split(ways[index])
        after = stock.time_after(board, plain, time, pair)
        if after == stock.NEVER:
            continue
        if must and passing.is_free(board, cards, time, pair):
            ways[0] = pair
            return 1
        ways[count] = pair
        count += 1
    return passing.list_kings(board, cards, time, ways, count)


@part
def _add(
    board: Any,
    search: Search,
    estimate: int,
    cards: Cards,
    time: int,
    steps: int,
    parent: int,
    removal: int,
) -> Search:
    """The search with one more label, unless one with the same cards is as early and as short."""
    detour = steps - passing.straight_steps(board, cards, time)
    labels, newest = search.labels, search.newest
    slot = _slot_of(search, cards)
    other = newest[slot]
    while other != NOBODY:
        if labels.steps[other] != NOBODY:
            if labels.time[other] <= time and labels.detour[other] <= detour:
                return search
            if labels.time[other] >= time and labels.detour[other] >= detour:
                labels.steps[other] = NOBODY
        other = labels.older[other]
    label = search.count
    sets.put(labels.cards, label, cards)
    labels.time[label], labels.steps[label], labels.detour[label] = time, steps, detour
    labels.parent[label], labels.removal[label] = parent, removal
    labels.older[label], labels.behind[label] = newest[slot], search.queues[estimate]
    newest[slot] = search.queues[estimate] = label
    if label + 1 == len(labels.time):
        return _enlarged(search, cards)
    return Search(labels, newest, search.queues, label + 1)


@part
def _slot_of(search: Search, cards: Cards) -> int:
    """The slot of the newest label with these cards, or the empty one where it belongs."""
    last = len(search.newest) - 1
    slot = np.int64(sets.scattered(cards)) & last
    while search.newest[slot] != NOBODY:
        if sets.same(sets.entry(search.labels.cards, search.newest[slot]), cards):
            break
        slot = (slot + 1) & last
    return slot


@part
def _labels(room: int, like: Cards) -> Labels:
    times, steps, detours, removals = np.zeros((4, room), np.int16)
    parents, older, behind = np.zeros((3, room), np.int32)
    return Labels(sets.no_sets(room, like), times, steps, detours, removals, parents, older, behind)


@part
def _enlarged(search: Search, like: Cards) -> Search:
    """The same with room for twice as many labels, all of its room having been used."""
    count = len(search.labels.time)
    labels = _labels(2 * count, like)
    for label in range(count):
        sets.put(labels.cards, label, sets.entry(search.labels.cards, label))
    labels.time[:count] = search.labels.time
    labels.steps[:count] = search.labels.steps
    labels.detour[:count] = search.labels.detour
    labels.removal[:count] = search.labels.removal
    labels.parent[:count] = search.labels.parent
    labels.older[:count] = search.labels.older
    labels.behind[:count] = search.labels.behind
    newest = np.full(2 * len(search.newest), NOBODY, np.int32)
    larger = Search(labels, newest, search.queues, count)
    for slot in range(len(search.newest)):
        label = search.newest[slot]
        if label != NOBODY:
            newest[_slot_of(larger, sets.entry(labels.cards, label))] = label
    return larger


@part
def _line(labels: Labels, last: int, last_removal: int) -> Any:
    """The removals that lead to the one that clears, and that one; none if there is no such."""
    line = np.zeros(64, np.int64)
    place = len(line)
    while last != NOBODY:
        place -= 1
        line[place] = last_removal
        last, last_removal = labels.parent[last], labels.removal[last]
    return line[place:]
