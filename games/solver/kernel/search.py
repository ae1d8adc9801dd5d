"""Whether a deal can be won: a depth-first search over sets of cards and times."""

from typing import Any, NamedTuple

import numpy as np

from games.solver.kernel import families, moves, sets, stock
from games.solver.kernel import table as tables
from games.solver.kernel.compiling import kernel, part
from games.solver.kernel.moves import MOST_PAIRS
from games.solver.kernel.sets import FIRST, Cards, Sets, number

UNWINNABLE, WINNABLE, UNDECIDED = 0, 1, 2

MOST_REMOVALS = 52


class Stack(NamedTuple):
    """The states still to be looked at, each with the pair that led there and how deep it is."""

    cards: Sets
    time: Any
    pair: Any
    depth: Any


def nothing_known(like: Cards) -> tuple[Sets, int]:
    """An empty table, and how many of its slots are filled."""
    return tuple(np.zeros(tables.FIRST_SLOTS, np.uint64) for _ in like), 0


@kernel
def search(
    numbered: Any, start: Cards, start_time: int, table: Sets, filled: int, budget: int
) -> tuple[int, int, Any, Sets, int]:
    """Search from a set of cards, Kings apart, at a time, for a state without those that must go.

    Gives the answer, the count of states looked at, the pairs of a winning line, and the table
    with how many of its slots are filled. After UNWINNABLE all that it holds is lost, and the next
    search of the same numbered may start with it.
    """
    line = np.zeros(MOST_REMOVALS + 1, np.int64)
    ways = np.zeros(MOST_PAIRS, np.int64)
    stack = _new_stack(start)
    required = sets.entry(numbered.deal.required, 0)
    nodes = 0
    hope = not families.any_hopeless(numbered, start)
    if hope:
        start, hope = moves.without_buried(numbered, start, start_time)
    if not hope:
        return UNWINNABLE, nodes, line[:0], table, filled
    height = _push(stack, FIRST, start, start_time, FIRST, FIRST)
    while height > 0:
        height -= 1
        cards, time = sets.entry(stack.cards, height), number(stack.time[height])
        depth = number(stack.depth[height])
        slot = tables.slot_of(table, cards)
        if tables.time_at(table, slot) <= time:
            continue
        if nodes == budget:
            return UNDECIDED, nodes, line[:0], table, filled
        nodes += 1
        line[depth] = stack.pair[height]
        if not sets.meets(cards, required):
            return WINNABLE, nodes, line[1 : depth + 1], table, filled
        filled += tables.time_at(table, slot) == tables.NEVER
        tables.store(table, slot, cards, time)
        if 2 * filled > len(table[0]):
            table = tables.enlarged(table, cards)
        for way in range(_ways_on(numbered, cards, time, ways)):
            pair, after = _pair_of(ways[way]), _time_of(ways[way])
            left = moves.without_pair(numbered, cards, pair)
            left, hope = moves.without_buried(numbered, left, after)
            if hope:
                height = _push(stack, height, left, after, pair, depth + 1)
    return UNWINNABLE, nodes, line[:0], table, filled


@part
def _new_stack(like: Cards) -> Stack:
    room = MOST_REMOVALS * MOST_PAIRS
    pairs, times, depths = np.zeros((3, room), np.int16)
    return Stack(sets.no_sets(room, like), times, pairs, depths)


@part
def _push(stack: Stack, height: int, cards: Cards, time: int, pair: int, depth: int) -> int:
    sets.put(stack.cards, height, cards)
    stack.time[height] = time
    stack.pair[height] = pair
    stack.depth[height] = depth
    return height + 1


@part
def _ways_on(numbered: Any, cards: Cards, time: int, ways: Any) -> int:
    """Write down the pairs to try with their times, those to look at first last; how many.

    First those that can be gone earliest, and of them the ones lowest in the pyramid. A pair that
    must be taken some time and needs no draw is taken at once: nothing is gained by waiting.
    """
    count = FIRST
    for index in range(moves.list_pairs(numbered, cards, ways)):
        pair, must = moves.split(ways[index])
        after = stock.time_after(numbered, cards, time, pair)
        if after == tables.NEVER:
            continue
        if must and stock.needs_no_draw(numbered, time, pair, after):
            ways[0] = _way(after, pair)
            return 1
        _insert(ways, count, _way(after, pair))
        count += 1
    return count


@part
def _insert(ways: Any, count: int, way: int) -> None:
    """Into a list that falls."""
    while count > 0 and ways[count - 1] < way:
        ways[count] = ways[count - 1]
        count -= 1
    ways[count] = way


@part
def _way(time: int, pair: int) -> int:
    return time << 14 | (16383 - pair)


@part
def _time_of(way: int) -> int:
    return way >> 14


@part
def _pair_of(way: int) -> int:
    return 16383 - (way & 16383)
