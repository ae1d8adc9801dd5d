from dataclasses import replace

import pytest
from hypothesis import given, settings

from games.engine import RULE_SETS, Deal, Outcome, Rules, format_log, replay
from games.solver import Answer
from tests.engine import cases, slow
from tests.engine.test_slow import slow_table
from tests.solver import oracle

ENOUGH_FOR_ONE_PASS = 300_000
CHUNKS = 20


def check_against_truth(row: dict[str, str], rule_set: str, budget: int) -> Answer:
    """Solve a decided deal: no answer may contradict it, and a line must clear it."""
    rules = RULE_SETS[rule_set]
    deal = cases.decided_deal(row, rules)
    solution = oracle.solve(deal, rules, budget=budget)
    if solution.line is not None:
        assert solution.answer is Answer.WINNABLE
        assert row["winnable"] != "0"
        assert replay(deal, rules, solution.line).outcome is Outcome.CLEARED
        assert len(solution.line) >= int(row.get("steps", 0))
    else:
        assert solution.answer is not Answer.WINNABLE
    if solution.answer is Answer.UNWINNABLE:
        assert row["winnable"] != "1"
    return solution.answer


@pytest.mark.parametrize("row", cases.decided_deals("one-pass")[:60])
def test_one_pass_deals_are_decided(row: dict[str, str]) -> None:
    answer = check_against_truth(row, "one-pass", ENOUGH_FOR_ONE_PASS)
    assert answer is (Answer.WINNABLE if row["winnable"] == "1" else Answer.UNWINNABLE)


@pytest.mark.parametrize("rule_set", ["three-pass", "full-clear", "double"])
def test_other_deals_are_never_decided_wrongly(rule_set: str) -> None:
    rows = cases.decided_deals(rule_set)[:25]
    answers = [check_against_truth(row, rule_set, 5_000) for row in rows]
    assert answers.count(Answer.WINNABLE) >= 10


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
        check_against_truth(row, rule_set, oracle.BUDGET)


@settings(max_examples=150)
@given(cases.small_deals())
def test_small_deals_are_decided_as_by_trying_everything(case: tuple[Deal, Rules]) -> None:
    deal, rules = case
    solution = oracle.solve(deal, rules, budget=1_000_000)
    assert (solution.answer is Answer.WINNABLE) == slow.winnable(slow_table(deal, rules))
    if solution.line is not None:
        assert replay(deal, rules, solution.line).outcome is Outcome.CLEARED
    else:
        assert solution.answer is Answer.UNWINNABLE


def test_a_line_is_found_and_the_count_is_the_same_each_time() -> None:
    rules = replace(RULE_SETS["one-pass"], rows=2)
    deal = Deal(("6d", "Kc", "4s"), ("9h", "7h", "6s"))
    solution = oracle.solve(deal, rules, budget=100)
    assert format_log(solution.line or ()) == "b1 D b2W D a1W"
    assert solution == oracle.solve(deal, rules, budget=100)


def test_a_spent_budget_leaves_a_deal_undecided() -> None:
    rules = RULE_SETS["one-pass"]
    deal = cases.decided_deal({"label": "deal-3"}, rules)
    nodes = oracle.solve(deal, rules, budget=ENOUGH_FOR_ONE_PASS).nodes
    assert oracle.solve(deal, rules, budget=nodes).answer is Answer.WINNABLE
    spent = oracle.solve(deal, rules, budget=nodes - 1)
    assert (spent.answer, spent.line, spent.nodes) == (Answer.UNDECIDED, None, nodes - 1)
