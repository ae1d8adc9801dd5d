"""The engine against the slow one: two programs, one game."""

from typing import Any

import pytest
from hypothesis import given, settings

from games.engine import (
    RULE_SETS,
    Deal,
    Position,
    Rules,
    format_deal,
    format_log,
    format_move,
    format_position,
    is_cleared,
    legal_moves,
    parse_deal,
)
from tests.engine import cases, slow
from tests.engine.test_vectors import perft

QUICK_DEPTH = 3


def slow_table(deal: Deal, rules: Rules) -> slow.Table:
    return slow.table(
        format_deal(deal),
        rows=rules.rows,
        passes=rules.passes,
        stock_top=rules.stock_top,
        outside=rules.outside_pairs,
        whole=rules.goal == "all",
    )


@pytest.mark.parametrize("case", cases.vectors("perft.json"))
def test_perft_by_both(case: Any) -> None:
    rules = RULE_SETS[case["rules"]]
    start = Position.start(parse_deal(case["deal"], rules), rules)
    table = slow.table(case["deal"], **slow.RULE_SETS[case["rules"]])
    for depth in range(1, QUICK_DEPTH + 1):
        assert slow.perft(table, depth) == perft(start, depth) == case["nodes"][depth - 1]


@pytest.mark.exhaustive
@pytest.mark.parametrize("case", cases.vectors("perft.json"))
def test_perft_by_the_slow_engine_to_the_full_depth(case: Any) -> None:
    table = slow.table(case["deal"], **slow.RULE_SETS[case["rules"]])
    depths = [depth for depth, nodes in enumerate(case["nodes"], start=1) if nodes < 1_000]
    assert [slow.perft(table, depth) for depth in depths] == case["nodes"][: len(depths)]


@settings(max_examples=15)
@given(cases.walks(undos=False))
def test_walks_agree_at_each_step(walk: cases.Walk) -> None:
    start, moves = walk
    table = slow_table(start.deal, start.rules)
    for game, move in zip(cases.games(start, moves), [*moves, None], strict=True):
        assert slow.text(table) == format_position(game.position)
        assert slow.legal_moves(table) == format_log(legal_moves(game.position)).split()
        assert slow.cleared(table) == is_cleared(game.position)
        if move is not None:
            table = slow.do(table, format_move(move))


@given(cases.small_deals())
def test_small_deals_agree_under_any_rules(case: tuple[Deal, Rules]) -> None:
    deal, rules = case
    position = Position.start(deal, rules)
    table = slow_table(deal, rules)
    assert slow.text(table) == format_position(position)
    assert slow.perft(table, 2) == perft(position, 2)
