from dataclasses import replace

import pytest
from hypothesis import given, settings

from games.engine import (
    MAX_CANDIDATES,
    RULE_SETS,
    SOLVER_BUDGET,
    SOLVER_ID,
    Deal,
    Outcome,
    Rules,
    Verdict,
    format_log,
    replay,
    solve,
)
from tests.engine import cases, slow
from tests.engine.test_slow import slow_table

ENOUGH_FOR_ONE_PASS = 300_000
CHUNKS = 20


def check_against_truth(row: dict[str, str], rule_set: str, budget: int) -> Verdict:
    """Solve a decided deal: no verdict may contradict it, and a line must clear it."""
    rules = RULE_SETS[rule_set]
    deal = cases.decided_deal(row, rules)
    solution = solve(deal, rules, budget=budget)
    if solution.line is not None:
        assert solution.verdict is Verdict.WINNABLE
        assert row["winnable"] != "0"
        assert replay(deal, rules, solution.line).outcome is Outcome.CLEARED
        assert len(solution.line) >= int(row.get("steps", 0))
    else:
        assert solution.verdict is not Verdict.WINNABLE
    if solution.verdict is Verdict.UNWINNABLE:
        assert row["winnable"] != "1"
    return solution.verdict


@pytest.mark.parametrize("row", cases.decided_deals("one-pass")[:60])
def test_one_pass_deals_are_decided(row: dict[str, str]) -> None:
    verdict = check_against_truth(row, "one-pass", ENOUGH_FOR_ONE_PASS)
    assert verdict is (Verdict.WINNABLE if row["winnable"] == "1" else Verdict.UNWINNABLE)


@pytest.mark.parametrize("rule_set", ["three-pass", "full-clear", "double"])
def test_other_deals_are_never_decided_wrongly(rule_set: str) -> None:
    rows = cases.decided_deals(rule_set)[:25]
    verdicts = [check_against_truth(row, rule_set, 5_000) for row in rows]
    assert verdicts.count(Verdict.WINNABLE) >= 10


@pytest.mark.exhaustive
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_one_pass_deal_is_decided(chunk: int) -> None:
    for row in cases.decided_deals("one-pass")[chunk::CHUNKS]:
        test_one_pass_deals_are_decided(row)


@pytest.mark.exhaustive
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("rule_set", ["three-pass", "full-clear", "double"])
def test_no_other_deal_is_decided_wrongly(rule_set: str, chunk: int) -> None:
    for row in cases.decided_deals(rule_set)[chunk::CHUNKS]:
        check_against_truth(row, rule_set, SOLVER_BUDGET)


@settings(max_examples=150)
@given(cases.small_deals())
def test_small_deals_are_decided_as_by_trying_everything(case: tuple[Deal, Rules]) -> None:
    deal, rules = case
    solution = solve(deal, rules, budget=1_000_000)
    assert (solution.verdict is Verdict.WINNABLE) == slow.winnable(slow_table(deal, rules))
    if solution.line is not None:
        assert replay(deal, rules, solution.line).outcome is Outcome.CLEARED
    else:
        assert solution.verdict is Verdict.UNWINNABLE


def test_a_line_is_found_and_the_count_is_the_same_each_time() -> None:
    rules = replace(RULE_SETS["one-pass"], rows=2)
    deal = Deal(("6d", "Kc", "4s"), ("9h", "7h", "6s"))
    solution = solve(deal, rules, budget=100)
    assert format_log(solution.line or ()) == "b1 D b2W D a1W"
    assert solution == solve(deal, rules, budget=100)


def test_a_spent_budget_leaves_a_deal_undecided() -> None:
    rules = RULE_SETS["one-pass"]
    deal = cases.decided_deal({"label": "deal-3"}, rules)
    nodes = solve(deal, rules, budget=ENOUGH_FOR_ONE_PASS).nodes
    assert solve(deal, rules, budget=nodes).verdict is Verdict.WINNABLE
    spent = solve(deal, rules, budget=nodes - 1)
    assert (spent.verdict, spent.line, spent.nodes) == (Verdict.UNDECIDED, None, nodes - 1)


def test_a_solver_id_names_version_budget_and_candidates() -> None:
    assert f"dfs-py-v1/nodes={SOLVER_BUDGET}/k={MAX_CANDIDATES}" == SOLVER_ID
    assert MAX_CANDIDATES == 2_000
