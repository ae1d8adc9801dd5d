from dataclasses import replace

import pytest

from games import solver
from games.engine import RULE_SETS, Deal, Outcome, Rules, deal_deck, replay
from games.solver import CandidateCounts, Difficulty

SEED = bytes(range(32))
RULES = RULE_SETS["three-pass"]


@pytest.fixture
def quick_rating(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number of wins that costs nothing, and tiers of which each comes up."""

    def by_the_apex(deal: Deal, rules: Rules) -> int:
        return {"c": 1_000, "d": 100, "h": 10, "s": 0}[deal.pyramid[0][1]]

    monkeypatch.setattr("games.solver.derivation.rate", by_the_apex)
    monkeypatch.setattr(solver, "rate", by_the_apex)


def derived(
    target: Difficulty, candidates: int = 60
) -> tuple[solver.Candidate, list[CandidateCounts]]:
    told: list[CandidateCounts] = []
    found = solver.derive(
        seed=SEED,
        challenge_id="three-pass",
        rules=RULES,
        target=target,
        candidates=candidates,
        progress=told.append,
    )
    return found, told


def tiers(candidates: int) -> list[Difficulty | None]:
    """The difficulty of each candidate, None where it cannot be won."""
    found: list[Difficulty | None] = []
    for k in range(candidates):
        deal = Deal.from_deck(deal_deck(SEED, "three-pass", k, RULES.decks), RULES)
        winnable = solver.solve(deal, RULES).line is not None
        found.append(solver.difficulty(solver.rate(deal, RULES)) if winnable else None)
    return found


def test_the_deal_of_a_seed() -> None:
    found, _ = derived(Difficulty.MEDIUM)
    assert (found.k, found.wins) == (1, 380)


@pytest.mark.usefixtures("quick_rating")
@pytest.mark.parametrize("target", Difficulty)
def test_the_first_candidate_of_the_target_difficulty_is_the_deal(target: Difficulty) -> None:
    found, _ = derived(target)
    assert tiers(found.k + 1)[-1] is target
    assert target not in tiers(found.k)
    deck = deal_deck(SEED, "three-pass", found.k, RULES.decks)
    assert found.deal == Deal.from_deck(deck, RULES)
    assert found.wins == solver.rate(found.deal, RULES)
    assert replay(found.deal, RULES, found.line).outcome is Outcome.CLEARED


@pytest.mark.usefixtures("quick_rating")
def test_without_one_the_first_of_the_nearest_difficulty_is_the_deal() -> None:
    expert, _ = derived(Difficulty.EXPERT)
    found, told = derived(Difficulty.EXPERT, candidates=expert.k)
    known = tiers(expert.k)
    nearest = max(tier.distance(Difficulty.EASY) for tier in known if tier is not None)
    assert found.difficulty.distance(Difficulty.EASY) == nearest
    assert found.k == known.index(found.difficulty)
    assert told[-1].tried == expert.k


def test_of_two_as_near_the_easier_is_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    wins = iter([5, 5_000, 600])
    monkeypatch.setattr("games.solver.derivation.rate", lambda deal, rules: next(wins, 0))
    found, _ = derived(Difficulty.MEDIUM, candidates=6)
    assert (found.difficulty, found.wins) == (Difficulty.EASY, 5_000)


@pytest.mark.usefixtures("quick_rating")
def test_each_candidate_is_counted_once() -> None:
    found, told = derived(Difficulty.HARD)
    assert [counts.tried for counts in told] == list(range(1, found.k + 2))
    last, known = told[-1], tiers(found.k + 1)
    assert last == CandidateCounts(
        tried=found.k + 1,
        unwinnable=known.count(None),
        undecided=0,
        other_tier=found.k - known.count(None),
    )


def test_a_candidate_over_budget_counts_as_undecided() -> None:
    told: list[CandidateCounts] = []
    with pytest.raises(solver.NoWinnableDealError):
        solver.derive(
            seed=SEED,
            challenge_id="three-pass",
            rules=replace(RULES, undo_penalty_ms=0),
            target=Difficulty.EASY,
            candidates=1,
            budget=1,
            progress=told.append,
        )
    assert told == [CandidateCounts(tried=1, undecided=1)]


def test_a_solver_id_names_version_budget_and_candidates() -> None:
    assert f"sets-v1/nodes={solver.SOLVE_BUDGET}/k={solver.MAX_CANDIDATES}" == solver.SOLVER_ID
