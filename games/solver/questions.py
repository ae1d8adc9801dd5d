"""Three questions about a deal: can it be won, in how few steps, and where is it lost?

The kernels are imported by the functions that need them: a process that asks nothing does not
load the compiler.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from games.engine import Deal, Move, Rules, Solution, Verdict
from games.solver.lines import NumberedGame, spell

BUDGET = 1_000_000
"""How many states a search looks at before it leaves a question undecided."""


@dataclass(frozen=True, slots=True)
class Shortest:
    """The least number of draws, redeals and removals that clears a deal, and a line of as many.

    Both are None unless proved: where the deal cannot be won, and where the budget was spent.
    """

    verdict: Verdict
    par: int | None
    line: tuple[Move, ...] | None
    nodes: int


def solve(deal: Deal, rules: Rules, *, budget: int = BUDGET) -> Solution:
    """Whether a deal can be won: a line, or the proof that there is none, or undecided.

    The same deal, rules and budget give the same solution on every machine.

    >>> from games.engine import RULE_SETS, deal_deck
    >>> rules = RULE_SETS["one-pass"]
    >>> deal = Deal.from_deck(deal_deck(bytes(32), "one-pass", 0, rules.decks), rules)
    >>> solve(deal, rules).verdict
    <Verdict.UNWINNABLE: 'unwinnable'>
    """
    from games.solver.kernel import search
    from games.solver.kernel.board import lay_out, set_of

    game = NumberedGame(deal, rules)
    start, time = set_of(lay_out(deal, rules), game.plain_cards), game.next_draw
    verdict, nodes, pairs, *_ = search.search(board, start, time, search.no_table(start), 0, budget)
    line = None
    if verdict == search.WINNABLE:
        line = spell(deal, rules, [boards.cards_of(pair) for pair in pairs])
    return Solution(_VERDICTS[verdict], line, nodes)
