"""The deal of a seed: the first candidate that is winnable and as hard as it should be."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from games.engine import Deal, Move, Rules, deal_deck
from games.solver.difficulty import Difficulty, difficulty, rate
from games.solver.questions import SOLVE_BUDGET, Answer, solve

MAX_CANDIDATES = 2_000
"""How many candidate decks of one seed are tried for a deal."""

SOLVER_ID = f"sets-v1/nodes={SOLVE_BUDGET}/k={MAX_CANDIDATES}"


class NoWinnableDealError(Exception):
    """No candidate of a seed was found winnable."""


@dataclass(frozen=True, slots=True)
class CandidateCounts:
    """What came of the candidates so far: each one tried is in one of the others, or is the deal.

    `other_tier` counts those that are winnable, but easier or harder than wanted.
    """

    tried: int = 0
    unwinnable: int = 0
    undecided: int = 0
    other_tier: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class Candidate:
    """A winnable deal of a seed: its number `k`, a winning line, and how hard it is.

    Without a repr, which may come to stand in a log: all of it is secret for a time.
    """

    k: int
    deal: Deal
    line: tuple[Move, ...]
    wins: int
    difficulty: Difficulty


Progress = Callable[[CandidateCounts], object]


def derive(
    *,
    seed: bytes,
    challenge_id: str,
    rules: Rules,
    target: Difficulty,
    candidates: int = MAX_CANDIDATES,
    budget: int = SOLVE_BUDGET,
    progress: Progress = lambda counts: None,
) -> Candidate:
    """The winnable candidate with the smallest `k` that has the target difficulty.

    If none has, the first of those nearest to it, the easier where two are as near. What anybody
    gets from the same arguments is the same. `progress` is told after each candidate. Raises
    NoWinnableDealError.
    """
    counts = CandidateCounts()
    nearest: Candidate | None = None
    for k in range(candidates):
        deal = Deal.from_deck(deal_deck(seed, challenge_id, k, rules.decks), rules)
        solution = solve(deal, rules, budget=budget)
        counts = replace(counts, tried=k + 1)
        if solution.line is None:
            name = "unwinnable" if solution.answer is Answer.UNWINNABLE else "undecided"
            counts = replace(counts, **{name: getattr(counts, name) + 1})
            progress(counts)
            continue
        wins = rate(deal, rules)
        found = Candidate(k, deal, solution.line, wins, difficulty(wins))
        if found.difficulty is target:
            progress(counts)
            return found
        counts = replace(counts, other_tier=counts.other_tier + 1)
        progress(counts)
        nearest = _nearer(nearest, found, target)
    if nearest is None:
        raise NoWinnableDealError(f"none of {candidates} candidates is known to be winnable")
    return nearest


def _nearer(known: Candidate | None, found: Candidate, target: Difficulty) -> Candidate:
    """The one of two that is nearer to the target, the easier of two as near, the one known."""
    if known is None:
        return found
    return min(known, found, key=lambda each: _rank(each.difficulty, target))


def _rank(tier: Difficulty, target: Difficulty) -> tuple[int, int]:
    return tier.distance(target), tier.distance(Difficulty.EASY)
