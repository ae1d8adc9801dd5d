"""The stored truth: move counts, whole games and logs that any engine must reproduce."""

from typing import Any

import pytest

from games.engine import (
    RULE_SETS,
    Game,
    Position,
    after,
    format_log,
    format_position,
    legal_moves,
    parse_deal,
    parse_log,
    parse_move,
    parse_position,
    replay,
)
from tests.engine import cases


def perft(position: Position, depth: int) -> int:
    """How many sequences of moves of a length there are."""
    moves = legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(after(position, move), depth - 1) for move in moves)


@pytest.mark.parametrize("case", cases.vectors("perft.json"))
def test_perft(case: Any) -> None:
    rules = RULE_SETS[case["rules"]]
    start = Position.start(parse_deal(case["deal"], rules), rules)
    depths = range(1, len(case["nodes"]) + 1)
    assert [perft(start, depth) for depth in depths] == case["nodes"]


@pytest.mark.parametrize("case", cases.vectors("playouts.jsonl"))
def test_playouts(case: Any) -> None:
    rules = RULE_SETS[case["rules"]]
    game = Game.start(parse_deal(case["deal"], rules), rules)
    for ply in case["plies"]:
        assert format_position(game.position) == ply["position"]
        assert parse_position(ply["position"], rules) == game.position
        assert format_log(legal_moves(game.position)).split() == ply["legal"]
        if "move" in ply:
            game = game.play(parse_move(ply["move"], rules))
    assert game.outcome == case["outcome"]


@pytest.mark.parametrize("case", cases.vectors("logs.jsonl"))
def test_logs(case: Any) -> None:
    rules = RULE_SETS[case["rules"]]
    moves = parse_log(case["log"], rules)
    game = replay(parse_deal(case["deal"], rules), rules, moves)
    assert format_log(moves) == case["log"]
    assert format_log(game.line) == case["line"]
    assert (game.ply, game.undo_count) == (len(moves), case["undo_count"])
    assert format_position(game.position) == case["position"]
