"""Whether a deal can be won: a depth-first search over sets of cards."""

from typing import Any

import numpy as np

from games.solver import sets, table as tables
from games.solver.board import FAMILIES
from games.solver.compiling import kernel, part
from games.solver.families import NONE, ONE, SOLE_SHIFT, hopeless, lowest, subset_of, worth

UNWINNABLE, WINNABLE, UNDECIDED = 0, 1, 2
ROOM = 1 << 14


@part
def exposed(board: Any, cards: Any) -> Any:
    found = sets.without(cards, cards)
    for spot in range(board.pyramid_size):
        card = sets.entry(board.card, spot)
        if sets.meets(cards, card) and not sets.meets(cards, sets.entry(board.blockers, spot)):
            found = sets.union(found, card)
    return found


@part
def is_left(board: Any, cards: Any, index: int) -> bool:
    return sets.meets(cards, sets.entry(board.card, board.pyramid_size + index))


@part
def next_left(board: Any, cards: Any, index: int) -> int:
    while index < board.stock_size and not is_left(board, cards, index):
        index += 1
    return index


@part
def waste_top(board: Any, cards: Any, index: int) -> int:
    index -= 1
    while index >= 0 and not is_left(board, cards, index):
        index -= 1
    return index


@part
def any_hopeless(board: Any, cards: Any) -> bool:
    for family in range(FAMILIES):
        if hopeless(board, family, subset_of(board, cards, family)):
            return True
    return False


@part
def without_buried(board: Any, cards: Any, index: int) -> Any:
    """In the last pass."""
    below = waste_top(board, cards, index)
    while below >= 0:
        number = board.pyramid_size + below
        family = board.family[number]
        useful = worth(board, family, subset_of(board, cards, family))
        if useful >> board.place[number] & ONE == NONE:
            while below >= 0:
                cards = sets.without(cards, sets.entry(board.card, board.pyramid_size + below))
                below -= 1
            return cards, True
        below = waste_top(board, cards, below)
    return cards, False


@kernel
def search(board: Any, start: Any, start_time: int, table: Any, filled: int, budget: int) -> Any:
    """Verdict, nodes, length of path, path (pairs a * 128 + b), and the table."""
    path = np.zeros(64, np.int64)
    stack_cards = tables.empty_table(ROOM, start)
    stack_time = np.zeros(ROOM, np.int64)
    stack_step = np.zeros(ROOM, np.int64)
    stack_depth = np.zeros(ROOM, np.int64)
    nodes = 0
    again = 0
    turns = board.stock_size + 1
    if not sets.meets(start, board.required):
        return WINNABLE, nodes, again, path[:0], table, filled
    if any_hopeless(board, start):
        return UNWINNABLE, nodes, again, path[:0], table, filled
    sets.put(stack_cards, 0, start)
    stack_time[0] = start_time
    height = 1
    while height:
        height -= 1
        cards = sets.entry(stack_cards, height)
        time = stack_time[height]
        slot = tables.slot_of(table, cards)
        known = tables.time_at(table, slot)
        if known <= time:
            continue
        if nodes >= budget:
            return UNDECIDED, nodes, again, path[:0], table, filled
        nodes += 1
        if known == tables.NEVER:
            filled += 1
        else:
            again += 1
        tables.store(table, slot, cards, time)
        if 2 * filled > len(table[0]):
            table = tables.grown(table, cards)
        depth = stack_depth[height]
        path[depth] = stack_step[height]
        base = height

        pass_number = time // turns
        index = time - pass_number * turns
        last = pass_number == board.passes - 1
        top = waste_top(board, cards, index)
        bare = exposed(board, cards)
        open_cards = sets.union(bare, sets.without(cards, board.pyramid))
        forced = False
        for family in range(FAMILIES):
            subset = subset_of(board, cards, family)
            opened = subset_of(board, open_cards, family)
            lows = opened & board.low[family]
            if lows == NONE or opened & board.high[family] == NONE:
                continue
            sole = worth(board, family, subset) >> SOLE_SHIFT
            while lows:
                low = lowest(lows)
                lows &= lows - ONE
                number = board.member[family, low]
                mates = board.mates[number] & opened
                while mates:
                    mate = lowest(mates)
                    mates &= mates - ONE
                    if hopeless(board, family, subset ^ (ONE << low | ONE << mate)):
                        continue
                    other = board.member[family, mate]
                    first, second = min(number, other), max(number, other)
                    after = sets.without(cards, sets.union(sets.entry(board.card, first), sets.entry(board.card, second)))
                    at = pass_number
                    to = index
                    if second >= board.pyramid_size:
                        place = second - board.pyramid_size
                        if first >= board.pyramid_size:
                            below = first - board.pyramid_size
                            if next_left(board, cards, below + 1) != place:
                                continue
                            if place < index:
                                at += 1
                            to = next_left(board, cards, place + 1)
                        elif place >= index:
                            to = next_left(board, cards, place + 1)
                        elif place != top:
                            at += 1
                            to = next_left(board, cards, place + 1)
                        else:
                            to = index
                        if at == board.passes:
                            continue
                    now = at == pass_number and (second < board.pyramid_size or second - board.pyramid_size <= index)
                    if at == board.passes - 1:
                        changed = True
                        lost = False
                        while changed and not lost:
                            after, changed = without_buried(board, after, to)
                            if changed:
                                lost = any_hopeless(board, after)
                        if lost:
                            continue
                    if not sets.meets(after, board.required):
                        path[depth + 1] = first * 128 + second
                        return WINNABLE, nodes, again, path[1 : depth + 2], table, filled
                    if now and sole >> low & ONE:
                        height = base
                        forced = True
                    sets.put(stack_cards, height, after)
                    stack_time[height] = at * turns + to
                    stack_step[height] = first * 128 + second
                    stack_depth[height] = depth + 1
                    height += 1
                    if forced:
                        break
                if forced:
                    break
            if forced:
                break
    return UNWINNABLE, nodes, again, path[:0], table, filled
