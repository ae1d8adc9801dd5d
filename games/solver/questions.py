"""Three questions about a deal: can it be won, in how few steps, and where was it lost?

The kernels are imported by the functions that need them, so that a process which asks nothing
does not load the compiler.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from games.engine import Deal, Move, Rules, replay
from games.solver.lines import NumberedGame, spell

SOLVE_BUDGET = 1_000_000
"""How many states `solve` looks at before it leaves a deal undecided."""

SHORTEST_BUDGET = 8_000_000
"""How many labels `shortest` makes, of 36 bytes each or 44 with two decks."""


class Answer(StrEnum):
    """What the solver found out about a deal within its budget."""

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Solution:
    """An answer, a winning line (None unless winnable) and the number of states looked at."""

    answer: Answer
    line: tuple[Move, ...] | None
    nodes: int


_ANSWERS = (Answer.UNWINNABLE, Answer.WINNABLE, Answer.UNDECIDED)


@dataclass(frozen=True, slots=True)
class Shortest:
    """The least number of draws, redeals and removals that clears a deal, and a line of as many.

    Both are None unless proved. `answer` may be WINNABLE without them: the budget was enough for
    a line, and not for the proof that none is shorter.
    """

    answer: Answer
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
    >>> solve(deal, rules).answer
    <Answer.UNWINNABLE: 'unwinnable'>
    """
    from games.solver.kernel import search
    from games.solver.kernel.numbering import cards_of, lay_out, set_of

    numbered, game = lay_out(deal, rules), NumberedGame(deal, rules)
    start = set_of(numbered, game.cards - game.kings)
    found = search.search(numbered, start, game.drawn, *search.nothing_known(start), budget)
    answer, nodes, pairs, _, _ = found
    if answer != search.WINNABLE:
        return Solution(_ANSWERS[answer], None, nodes)
    return Solution(Answer.WINNABLE, spell(deal, rules, map(cards_of, pairs.tolist())), nodes)


def shortest(deal: Deal, rules: Rules, *, budget: int = SHORTEST_BUDGET) -> Shortest:
    """The least number of steps that clears a deal, proved, within a budget.

    Unless `solve` within its own budget finds that there is none.
    """
    from games.solver.kernel import shortest as kernel
    from games.solver.kernel.numbering import cards_of, lay_out, set_of

    solution = solve(deal, rules, budget=min(budget, SOLVE_BUDGET))
    if solution.line is None:
        return Shortest(solution.answer, None, None, solution.nodes)
    numbered, game = lay_out(deal, rules), NumberedGame(deal, rules)
    inevitable = game.kings & game.pyramid
    counted = game.cards - (inevitable if numbered.deal["kings_stay"] else game.kings)
    status, labels, removals = kernel.shortest(
        numbered, set_of(numbered, counted), len(inevitable), len(solution.line), budget
    )
    nodes = solution.nodes + labels
    if status != kernel.PROVED:
        return Shortest(Answer.WINNABLE, None, None, nodes)
    line = solution.line
    if len(removals):
        line = spell(deal, rules, map(cards_of, removals.tolist()))
    return Shortest(Answer.WINNABLE, len(line), line, nodes)


def analyse(
    deal: Deal, rules: Rules, line: Sequence[Move], *, budget: int = SOLVE_BUDGET
) -> tuple[bool | None, ...]:
    """Whether the deal could still be won before the first move of a line and after each.

    None where the budget, which each position has, does not suffice. Raises IllegalMoveError for
    a line that cannot be played.
    """
    from games.solver.kernel import search
    from games.solver.kernel.numbering import lay_out, set_of

    replay(deal, rules, line)
    numbered, game = lay_out(deal, rules), NumberedGame(deal, rules)
    spared = numbered.deal["passes"] - rules.passes
    states = []
    for move in (None, *line):
        if move is not None:
            game.do(move)
        passes = max(0, spared + game.passes_before)
        states.append((set_of(numbered, game.cards - game.kings), int(passes) << 7 | game.drawn))
    answers: list[bool | None] = []
    table, filled = search.nothing_known(states[0][0])
    # What is lost at a position is lost before it as well: the table goes on from last to first.
    # And where it can be won, it could be won before.
    for cards, time in reversed(states):
        if answers and answers[-1]:
            answers.append(True)
            continue
        answer, _, _, table, filled = search.search(numbered, cards, time, table, filled, budget)
        answers.append({search.WINNABLE: True, search.UNWINNABLE: False}.get(answer))
        if answers[-1] is None:
            table, filled = search.nothing_known(cards)
    return tuple(reversed(answers))
