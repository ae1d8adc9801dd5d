"""Blind play: how many random games clear a deal, as docs/solver.md lays down in full."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from games.engine import Deal, Rules, value
from games.engine.layout import covers
from games.solver.kernel.compiling import kernel, part
from games.solver.kernel.sets import FIRST, number

MOST_MOVES = 512

# Places behind the spots, and what a move that removes nothing has for its first place.
_WASTE, _STOCK, _TURN = number(100), number(101), number(102)

# What changes in a game and is no pile: the spots that are left as bits, where the stock begins
# and ends in its array, how many cards the waste holds, and the passes before this one.
_SPOTS, _NEXT, _END, _HEIGHT, _PASSES = range(5)


class Layout(NamedTuple):
    """A deal for playing: the values by number, the pyramid first, and each spot's covers."""

    values: npt.NDArray[np.int64]
    covers: npt.NDArray[np.int64]
    passes: int
    stock_top: bool
    outside_pairs: bool
    all_must_go: bool


class Playout(NamedTuple):
    """A game in progress: cards by number, and room for the exposed spots and the moves."""

    state: Any
    stock: Any
    waste: Any
    exposed: Any
    moves: Any


def count_wins(deal: Deal, rules: Rules, *, seed: int, playouts: int) -> int:
    """How many of the playouts clear the deal; the generator starts from a 64-bit seed."""
    layout = Layout(
        np.array([value(card) for card in deal.pyramid + deal.stock], np.int64),
        np.array([sum(1 << cover for cover in spot) for spot in covers(rules.rows)], np.int64),
        rules.passes,
        rules.stock_top,
        rules.outside_pairs,
        rules.goal == "all",
    )
    return _count_wins(layout, np.uint64(seed), playouts)


@kernel
def _count_wins(layout: Layout, seed: np.uint64, playouts: int) -> int:
    size = len(layout.values)
    game = Playout(
        np.zeros(_PASSES + 1, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(len(layout.covers), np.int64),
        np.zeros((MOST_MOVES, 2), np.int64),
    )
    stream = np.zeros(1, np.uint64)
    stream[0] = seed
    wins = 0
    for _ in range(playouts):
        _deal(layout, game)
        wins += _is_won(layout, game, stream)
    return wins


@part
def _deal(layout: Layout, game: Playout) -> None:
    spots = len(layout.covers)
    game.state[_SPOTS] = (1 << spots) - 1
    game.state[_NEXT] = game.state[_HEIGHT] = game.state[_PASSES] = 0
    game.state[_END] = len(layout.values) - spots
    for place in range(game.state[_END]):
        game.stock[place] = spots + place


@part
def _is_won(layout: Layout, game: Playout, stream: Any) -> bool:
    """Play on until the game is cleared or stuck."""
    while True:
        exposed = _without_kings(layout, game)
        state = game.state
        piles = state[_END] - state[_NEXT] + state[_HEIGHT]
        if state[_SPOTS] == 0 and (piles == 0 or not layout.all_must_go):
            return True
        count = _list_moves(layout, game, exposed)
        if count == 0:
            return False
        chosen = _below(stream, count) if count > 1 else 0
        if game.moves[chosen, 0] == _TURN:
            _turn(game)
        else:
            _remove(game, game.moves[chosen, 0])
            _remove(game, game.moves[chosen, 1])


@part
def _without_kings(layout: Layout, game: Playout) -> int:
    """Take the available Kings until none is left, and list the exposed spots; how many."""
    state = game.state
    while layout.stock_top and _value_at(layout, game, _STOCK) == 13:
        state[_NEXT] += 1
    while _value_at(layout, game, _WASTE) == 13:
        state[_HEIGHT] -= 1
    count, spot = 0, len(layout.covers)
    # From the base up: a King uncovers only spots that are still to come.
    while spot > 0:
        spot -= 1
        if state[_SPOTS] >> spot & 1 == 0 or state[_SPOTS] & layout.covers[spot]:
            continue
        if layout.values[spot] == 13:
            state[_SPOTS] ^= 1 << spot
        else:
            game.exposed[count] = spot
            count += 1
    return count


@part
def _value_at(layout: Layout, game: Playout, place: int) -> int:
    """The value of the card at a place, 0 where there is none."""
    state = game.state
    if place == _STOCK:
        return layout.values[game.stock[state[_NEXT]]] if state[_NEXT] < state[_END] else 0
    if place == _WASTE:
        return layout.values[game.waste[state[_HEIGHT] - 1]] if state[_HEIGHT] > 0 else 0
    return layout.values[place]


@part
def _list_moves(layout: Layout, game: Playout, exposed: int) -> int:
    """Write down the legal moves in the order of their texts; how many."""
    state, count = game.state, FIRST
    waste = _value_at(layout, game, _WASTE)
    stock = _value_at(layout, game, _STOCK) if layout.stock_top else 0
    if state[_NEXT] < state[_END] or (state[_HEIGHT] and state[_PASSES] < layout.passes - 1):
        count = _put(game, count, _TURN, _TURN)
    if layout.outside_pairs and waste + stock == 13 and waste and stock:
        count = _put(game, count, _WASTE, _STOCK)
    # The spots were listed from the last one up.
    for index in range(exposed - 1, -1, -1):
        spot = game.exposed[index]
        partner = 13 - layout.values[spot]
        if stock == partner:
            count = _put(game, count, spot, _STOCK)
        if waste == partner:
            count = _put(game, count, spot, _WASTE)
        for other in range(index - 1, -1, -1):
            if layout.values[game.exposed[other]] == partner:
                count = _put(game, count, spot, game.exposed[other])
    return count


@part
def _put(game: Playout, count: int, first: int, second: int) -> int:
    game.moves[count, 0] = first
    game.moves[count, 1] = second
    return count + 1


@part
def _remove(game: Playout, place: int) -> None:
    state = game.state
    if place == _STOCK:
        state[_NEXT] += 1
    elif place == _WASTE:
        state[_HEIGHT] -= 1
    else:
        state[_SPOTS] ^= 1 << place


@part
def _turn(game: Playout) -> None:
    """Draw, or redeal where the stock is empty."""
    state = game.state
    if state[_NEXT] < state[_END]:
        game.waste[state[_HEIGHT]] = game.stock[state[_NEXT]]
        state[_NEXT] += 1
        state[_HEIGHT] += 1
        return
    for place in range(state[_HEIGHT]):
        game.stock[place] = game.waste[place]
    state[_NEXT], state[_END], state[_HEIGHT] = 0, state[_HEIGHT], 0
    state[_PASSES] += 1


@part
def _below(stream: Any, bound: int) -> int:
    """A number below the bound, each equally likely (Lemire's method on 32 bits)."""
    unfair = (1 << 32) % bound
    while True:
        product = number(_next(stream) >> np.uint64(32)) * bound
        if product & 0xFFFFFFFF >= unfair:
            return product >> 32


@part
def _next(stream: Any) -> np.uint64:
    """The next number of SplitMix64."""
    stream[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = stream[0]
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return mixed ^ mixed >> np.uint64(31)
