from collections import deque
from dataclasses import replace

import pytest
from hypothesis import given, settings

from games import engine, solver
from games.engine import RULE_SETS, Deal, Outcome, Position, Rules, parse_log
from games.solver import Answer
from tests.engine import cases, slow
from tests.engine.test_slow import slow_table
from tests.solver import oracle

CHUNKS = 20
BUDGETS = {"one-pass": 100_000, "three-pass": 400_000, "full-clear": 400_000, "double": 20_000}
UNDECIDED = {"one-pass": 0, "three-pass": 0, "full-clear": 0, "double": 4}


def check_line(deal: Deal, rules: Rules, line: tuple[engine.Move, ...] | None) -> None:
    assert line is not None
    assert engine.replay(deal, rules, line).outcome is Outcome.CLEARED


def check_answer(row: dict[str, str], rule_set: str, budget: int) -> Answer:
    """Solve a decided deal: no answer may contradict it, and a line must clear it."""
    rules = RULE_SETS[rule_set]
    deal = cases.decided_deal(row, rules)
    solution = solver.solve(deal, rules, budget=budget)
    if solution.answer is Answer.WINNABLE:
        assert row["winnable"] != "0"
        check_line(deal, rules, solution.line)
    else:
        assert solution.line is None
    if solution.answer is Answer.UNWINNABLE:
        assert row["winnable"] != "1"
    return solution.answer


def check_par(row: dict[str, str]) -> None:
    rules = RULE_SETS["three-pass"]
    deal = cases.decided_deal(row, rules)
    shortest = solver.shortest(deal, rules)
    if row["winnable"] == "0":
        assert (shortest.answer, shortest.par, shortest.line) == (Answer.UNWINNABLE, None, None)
    else:
        check_line(deal, rules, shortest.line)
        assert shortest.par == len(shortest.line or ()) == int(row["steps"])


def least_steps(deal: Deal, rules: Rules) -> int | None:
    """The least number of moves that clears a deal, position by position; None for never."""
    start = Position.start(deal, rules)
    waiting, seen = deque([(start, 0)]), {start}
    while waiting:
        position, steps = waiting.popleft()
        if engine.is_cleared(position):
            return steps
        for move in engine.legal_moves(position):
            after = engine.after(position, move)
            if after not in seen:
                seen.add(after)
                waiting.append((after, steps + 1))
    return None


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_decided_deals_are_decided_alike(rule_set: str) -> None:
    rows = cases.decided_deals(rule_set)[:60]
    answers = [check_answer(row, rule_set, BUDGETS[rule_set]) for row in rows]
    assert answers.count(Answer.UNDECIDED) == UNDECIDED[rule_set]


def test_least_steps_are_those_of_the_published_decks() -> None:
    for row in cases.decided_deals("three-pass")[:40]:
        check_par(row)


@pytest.mark.exhaustive
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_every_decided_deal_is_decided_alike(rule_set: str, chunk: int) -> None:
    for row in cases.decided_deals(rule_set)[chunk::CHUNKS]:
        check_answer(row, rule_set, solver.SOLVE_BUDGET)


@pytest.mark.exhaustive
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_least_number_of_steps_is_that_of_the_published_deck(chunk: int) -> None:
    for row in cases.decided_deals("three-pass")[chunk::CHUNKS]:
        check_par(row)


@settings(max_examples=2_000)
@given(cases.small_deals())
def test_small_deals_are_decided_as_by_the_oracle(case: tuple[Deal, Rules]) -> None:
    deal, rules = case
    solution = solver.solve(deal, rules)
    assert solution.answer is oracle.solve(deal, rules, budget=1_000_000).answer
    if solution.answer is Answer.WINNABLE:
        check_line(deal, rules, solution.line)


@settings(max_examples=200)
@given(cases.small_deals(max_rows=3, max_stock=6))
def test_no_line_of_a_small_deal_is_shorter_than_the_shortest(case: tuple[Deal, Rules]) -> None:
    deal, rules = case
    shortest = solver.shortest(deal, rules)
    assert shortest.par == least_steps(deal, rules)
    if shortest.par is not None:
        check_line(deal, rules, shortest.line)
        assert len(shortest.line or ()) == shortest.par


@settings(max_examples=60)
@given(cases.small_deals(max_rows=3, max_stock=6))
def test_each_position_of_a_line_is_judged_as_by_trying_everything(
    case: tuple[Deal, Rules],
) -> None:
    deal, rules = case
    table = slow_table(deal, rules)
    line: list[str] = []
    truth = [slow.winnable(table)]
    while moves := slow.legal_moves(table):
        line.append(moves[len(line) % len(moves)])
        table = slow.do(table, line[-1])
        truth.append(slow.winnable(table))
    assert solver.analyse(deal, rules, parse_log(" ".join(line), rules)) == tuple(truth)


def test_a_winning_line_is_winnable_throughout_and_a_blunder_is_found() -> None:
    rules = replace(RULE_SETS["one-pass"], rows=2)
    deal = Deal(("6d", "Kc", "4s"), ("9h", "7h", "6s"))
    won = parse_log("b1 D b2W D a1W", rules)
    assert solver.analyse(deal, rules, won) == (True,) * 6
    passed_over = parse_log("b1 D D b2", rules)[:3]
    assert solver.analyse(deal, rules, passed_over) == (True, True, True, False)


def test_analysis_without_budget_leaves_a_position_open() -> None:
    rules = RULE_SETS["one-pass"]
    deal = cases.decided_deal({"label": "deal-3"}, rules)
    assert solver.analyse(deal, rules, (), budget=1) == (None,)


def test_analysis_refuses_a_line_that_cannot_be_played() -> None:
    rules = RULE_SETS["one-pass"]
    deal = cases.decided_deal({"label": "deal-3"}, rules)
    with pytest.raises(engine.IllegalMoveError):
        solver.analyse(deal, rules, parse_log("R", rules))


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_the_same_question_has_the_same_answer(rule_set: str) -> None:
    rules = RULE_SETS[rule_set]
    deal = cases.decided_deal(cases.decided_deals(rule_set)[3], rules)
    assert solver.solve(deal, rules) == solver.solve(deal, rules)
    assert solver.shortest(deal, rules, budget=9_000) == solver.shortest(deal, rules, budget=9_000)


def test_a_spent_budget_leaves_a_deal_undecided() -> None:
    rules = RULE_SETS["one-pass"]
    deal = cases.decided_deal({"label": "deal-3"}, rules)
    nodes = solver.solve(deal, rules).nodes
    assert solver.solve(deal, rules, budget=nodes).answer is Answer.WINNABLE
    spent = solver.solve(deal, rules, budget=nodes - 1)
    assert (spent.answer, spent.line, spent.nodes) == (Answer.UNDECIDED, None, nodes - 1)


def test_par_is_unknown_where_the_budget_is_spent() -> None:
    rules = RULE_SETS["double"]
    deal = cases.decided_deal(cases.decided_deals("double")[0], rules)
    shortest = solver.shortest(deal, rules, budget=10_000)
    assert (shortest.answer, shortest.par, shortest.line) == (Answer.WINNABLE, None, None)


def test_too_many_cards_of_a_family_are_refused() -> None:
    rules = replace(RULE_SETS["one-pass"], rows=6)
    with pytest.raises(ValueError, match="more than 20 cards"):
        solver.solve(Deal(("6d",) * 21, ()), rules)


def test_more_than_two_decks_are_refused() -> None:
    cards = tuple(rank + "d" for rank in "A23456789TJQ" for _ in range(10))
    with pytest.raises(ValueError, match="do not fit"):
        solver.solve(Deal.from_deck(cards, RULE_SETS["double"]), RULE_SETS["double"])


def test_two_decks_fit_under_a_pyramid_of_any_height() -> None:
    for rows in range(1, 10):
        rules = replace(RULE_SETS["double"], rows=rows)
        deal = Deal.from_deck(engine.shuffle(bytes(32), 2), rules)
        check_line(deal, rules, solver.solve(deal, rules, budget=100_000).line)
