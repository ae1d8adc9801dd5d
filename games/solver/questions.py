"""Three questions about a deal: can it be won, in how few steps, and where was it lost?

The kernels are imported by the functions that need them, so that a process which asks nothing
does not load the compiler.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from games.engine import Deal, Move, Rules, Solution, Verdict, replay
from games.solver.lines import NumberedGame, spell

SOLVE_BUDGET = 1_000_000
"""How many states `solve` looks at before it leaves a deal undecided."""

SHORTEST_BUDGET = 8_000_000
"""How many labels `shortest` makes, of 36 bytes each or 44 with two decks."""

_VERDICTS = (Verdict.UNWINNABLE, Verdict.WINNABLE, Verdict.UNDECIDED)


@dataclass(frozen=True, slots=True)
class Shortest:
    """The least number of draws, redeals and removals that clears a deal, and a line of as many.

    Both are None unless proved. `verdict` may be WINNABLE without them: the budget was enough for
    a line, and not for the proof that none is shorter.
    """

    verdict: Verdict
    par: int | None
    line: tuple[Move, ...] | None
    nodes: int


def solve(deal: Deal, rules: Rules, *, budget: int = SOLVE_BUDGET) -> Solution:
    """Whether a deal can be won: a line, or the proof that there is none, or undecided.

    The same deal, rules and budget give the same solution on every machine. Raises ValueError for
    a deal that no two decks could make.

    >>> from games.engine import RULE_SETS, deal_deck
    >>> rules = RULE_SETS["one-pass"]
    >>> deal = Deal.from_deck(deal_deck(bytes(32), "one-pass", 0, rules.decks), rules)
    >>> solve(deal, rules).verdict
    <Verdict.UNWINNABLE: 'unwinnable'>
    """
    from games.solver.kernel import search
    from games.solver.kernel.board import cards_of, lay_out, set_of

    board, game = lay_out(deal, rules), NumberedGame(deal, rules)
    start = set_of(board, game.cards - game.kings)
    found = search.search(board, start, game.drawn, *search.nothing_known(start), budget)
    verdict, nodes, pairs, _, _ = found
    if verdict != search.WINNABLE:
        return Solution(_VERDICTS[verdict], None, nodes)
    return Solution(Verdict.WINNABLE, spell(deal, rules, map(cards_of, pairs.tolist())), nodes)


def shortest(deal: Deal, rules: Rules, *, budget: int = SHORTEST_BUDGET) -> Shortest:
    """The least number of steps that clears a deal, proved, within a budget.

    Unless `solve` within its own budget finds that there is none.
    """
    from games.solver.kernel import shortest as kernel
    from games.solver.kernel.board import cards_of, lay_out, set_of

    solution = solve(deal, rules, budget=min(budget, SOLVE_BUDGET))
    if solution.line is None:
        return Shortest(solution.verdict, None, None, solution.nodes)
    board, game = lay_out(deal, rules), NumberedGame(deal, rules)
    inevitable = game.kings & game.pyramid
    counted = game.cards - (inevitable if board.deal["kings_stay"] else game.kings)
    status, labels, removals = kernel.shortest(
        board, set_of(board, counted), len(inevitable), len(solution.line), budget
    )
    nodes = solution.nodes + labels
    if status != kernel.PROVED:
        return Shortest(Verdict.WINNABLE, None, None, nodes)
    line = solution.line
    if len(removals):
        line = spell(deal, rules, map(cards_of, removals.tolist()))
    return Shortest(Verdict.WINNABLE, len(line), line, nodes)


def analyse(
    deal: Deal, rules: Rules, line: Sequence[Move], *, budget: int = SOLVE_BUDGET
) -> tuple[bool | None, ...]:
    """Whether the deal could still be won before the first move of a line and after each.

    None where the budget, which each position has, does not suffice. Raises IllegalMoveError for
    a line that cannot be played.
    """
    from games.solver.kernel import search
    from games.solver.kernel.board import lay_out, set_of

    replay(deal, rules, line)
    board, game = lay_out(deal, rules), NumberedGame(deal, rules)
    spared = board.deal["passes"] - rules.passes
    states = []
    for move in (None, *line):
        if move is not None:
            game.do(move)
        passes = max(0, spared + game.passes_before)
        states.append((set_of(board, game.cards - game.kings), int(passes) << 7 | game.drawn))
    answers: list[bool | None] = []
    table, filled = search.nothing_known(states[0][0])
    # What is lost at a position is lost before it as well: the table goes on from last to first.
    # And where it can be won, it could be won before.
    for cards, time in reversed(states):
        if answers and answers[-1]:
            answers.append(True)
            continue
        verdict, _, _, table, filled = search.search(board, cards, time, table, filled, budget)
        answers.append({search.WINNABLE: True, search.UNWINNABLE: False}.get(verdict))
        if answers[-1] is None:
            table, filled = search.nothing_known(cards)
    return tuple(reversed(answers))
