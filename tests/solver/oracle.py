"""A second solver, which shares no code with the kernels: a complete depth-first search.

It needs the standard library only, and is slow. The solver of the server is held to its answers.
"""

from typing import TypeAlias

from games.engine import STOCK, WASTE, Deal, Draw, King, Move, Pair, Redeal, Rules
from games.engine.layout import SPOTS
from games.solver import Answer, Solution
from tests.solver.bitboard import Bitboard, numbers

BUDGET = 100_000
"""How many positions are looked at before a deal is left undecided."""

State: TypeAlias = tuple[int, int, int, int]
"""Cards that are left, where the waste ends, the pass, and the exposed cards.

The waste is what is left of the stock's cards below the second number, the stock the rest.
"""

Step: TypeAlias = int
"""The cards that a removal takes, or one of the two below."""

DRAW: Step = 0
REDEAL: Step = -1


def solve(deal: Deal, rules: Rules, *, budget: int = BUDGET) -> Solution:
    """Search a deal for a winning line; the same deal and budget give the same solution.

    >>> from dataclasses import replace
    >>> from games.engine import RULE_SETS, format_log
    >>> rules = replace(RULE_SETS["one-pass"], rows=2)
    >>> solution = solve(Deal(("6d", "Kc", "4s"), ("7h", "6s", "9h")), rules)
    >>> solution.answer, solution.line
    (<Answer.UNWINNABLE: 'unwinnable'>, None)
    >>> solution = solve(Deal(("6d", "Kc", "4s"), ("9h", "7h", "6s")), rules)
    >>> solution.answer, format_log(solution.line)
    (<Answer.WINNABLE: 'winnable'>, 'b1 D b2W D a1W')
    """
    search = _Search(Bitboard(deal, rules), rules)
    if not all(map(search.board.pairable, search.board.families)):
        return Solution(Answer.UNWINNABLE, None, 0)
    path: list[Step] = []
    unexplored = [(0, DRAW, search.start())]
    seen: set[State] = set()
    while unexplored:
        depth, step, state = unexplored.pop()
        if state in seen:
            continue
        if len(seen) >= budget:
            return Solution(Answer.UNDECIDED, None, len(seen))
        seen.add(state)
        path[depth:] = [step]
        if not state[0] & search.board.required:
            return Solution(Answer.WINNABLE, _line(search.board, path[1:]), len(seen))
        unexplored += [(depth + 1, *way) for way in search.ways_on(state)]
    return Solution(Answer.UNWINNABLE, None, len(seen))


class _Search:
    """The ways on from a state, without those that can be seen to lead nowhere.

    Three facts keep the search small and lose no win: to remove an available King at once never
    harms; a state is lost when the cards that must leave can no longer all be paired off; in the
    last pass a waste card without a partner stays, and buries all beneath it.
    """

    def __init__(self, board: Bitboard, rules: Rules) -> None:
        self.board = board
        self.passes = rules.passes
        self.stock_top = rules.stock_top

    def start(self) -> State:
        board = self.board
        exposed = sum(1 << spot for spot, covers in enumerate(board.covers) if not covers)
        return board.everything, board.pyramid_size, 1, exposed

    def ways_on(self, state: State) -> list[tuple[Step, State]]:
        """The steps worth trying and the states they lead to, the most promising last."""
        left, waste_end, pass_number, exposed = state
        board = self.board
        stock = left >> waste_end << waste_end
        next_draw = stock & -stock
        has_waste = waste_end > board.pyramid_size

        available = exposed
        if has_waste:
            available |= 1 << waste_end - 1
        if self.stock_top:
            available |= next_draw
        kings = available & board.kings
        if kings:
            king = kings & -kings
            return [(king, self._take(state, king))]

        ways: list[tuple[Step, State | None]] = []
        if next_draw:
            ways.append((DRAW, self._draw(state, next_draw.bit_length())))
        elif has_waste and pass_number < self.passes:
            ways.append((REDEAL, (left, board.pyramid_size, pass_number + 1, exposed)))
        for low, high in board.value_pairs:
            if available & low and available & high:
                for first in numbers(available & low):
                    for second in numbers(available & high & board.mates[first]):
                        pair = 1 << first | 1 << second
                        ways.append((pair, self._take_pair(state, pair, low | high)))
        return [(step, after) for step, after in ways if after]

    def _draw(self, state: State, waste_end: int) -> State | None:
        left, _, pass_number, exposed = state
        family = self.board.family[waste_end - 1]
        return self._without_buried((left, waste_end, pass_number, exposed), family)

    def _take_pair(self, state: State, pair: int, family: int) -> State | None:
        if not self.board.pairable((state[0] ^ pair) & family):
            return None
        return self._without_buried(self._take(state, pair), family)

    def _take(self, state: State, cards: int) -> State:
        left, waste_end, pass_number, exposed = state
        board = self.board
        left ^= cards
        exposed &= ~cards
        for spot in numbers(cards & board.pyramid):
            for below in board.covered_by[spot]:
                if not left & board.covers[below]:
                    exposed |= 1 << below
        if cards & board.outside:
            waste = left & board.outside & (1 << waste_end) - 1
            waste_end = waste.bit_length() or board.pyramid_size
        return left, waste_end, pass_number, exposed

    def _without_buried(self, state: State, family: int) -> State | None:
        """The state without waste cards that stay for ever, now that a family's cards moved.

        None when a card that must leave stays, or when those that are left cannot pair off.
        """
        left, waste_end, pass_number, exposed = state
        if pass_number < self.passes:
            return state
        board = self.board
        waste = left & board.outside & (1 << waste_end) - 1
        partners = left ^ waste
        suspects = waste & family
        while suspects:
            card = suspects.bit_length() - 1
            if not board.mates[card] & partners:
                buried = waste & (2 << card) - 1
                left ^= buried
                if buried & board.required:
                    return None
                if not all(board.pairable(left & each) for each in board.families):
                    return None
                waste_end = (waste ^ buried).bit_length() or board.pyramid_size
                return left, waste_end, pass_number, exposed
            suspects ^= 1 << card
        return state


def _line(board: Bitboard, steps: list[Step]) -> tuple[Move, ...]:
    """The moves of a path: what was turned over lies on the waste, what was not on the stock."""
    moves: list[Move] = []
    left = board.everything
    turned = board.pyramid_size
    for step in steps:
        if step == DRAW:
            moves.append(Draw())
            stock = left >> turned
            turned += (stock & -stock).bit_length()
        elif step == REDEAL:
            moves.append(Redeal())
            turned = board.pyramid_size
        else:
            left ^= step
            places = [
                SPOTS[card] if card < board.pyramid_size else WASTE if card < turned else STOCK
                for card in numbers(step)
            ]
            moves.append(King(*places) if len(places) == 1 else Pair(*places))
    return tuple(moves)
