"""Every rule of play both ways: what it allows, and what it refuses and why."""

import pytest
from hypothesis import given

from games.engine import (
    IllegalMoveError,
    Outcome,
    available,
    check_legal,
    format_log,
    format_move,
    format_position,
    is_legal,
    legal_moves,
    outcome,
    parse_move,
    play,
)
from games.engine.moves import _moves_by_text
from tests.engine import cases


def played(text: str, move: str, rule_set: str = "one-pass") -> str:
    position = cases.position(text, rule_set)
    return format_position(play(position, parse_move(move, position.rules)))


def refused(text: str, move: str, rule_set: str = "one-pass") -> tuple[str, str]:
    """The rule and the words of a refusal, by all three faces of the check."""
    position = cases.position(text, rule_set)
    wanted = parse_move(move, position.rules)
    with pytest.raises(IllegalMoveError) as refusal:
        check_legal(position, wanted)
    with pytest.raises(IllegalMoveError):
        play(position, wanted)
    assert not is_legal(position, wanted)
    assert format_position(position) == text
    assert refusal.value.move == format_move(wanted)
    assert str(refusal.value).startswith(f"{refusal.value.move}: ")
    assert str(refusal.value).endswith(f" ({refusal.value.rule})")
    return refusal.value.rule, str(refusal.value)


def moves(text: str, rule_set: str = "one-pass") -> str:
    return format_log(legal_moves(cases.position(text, rule_set)))


def test_r2_the_base_row_is_exposed_from_the_start() -> None:
    assert available(cases.position("Kd/Tc4s 8s - 1")) == {"b1": "Tc", "b2": "4s"}


def test_r2_a_card_is_exposed_when_neither_cover_is_left() -> None:
    assert moves("Kd/---- - - 1") == "a1"
    assert moves("Kd/--4s 8s - 1") == "D"
    assert refused("Kd/--4s 8s - 1", "a1")[0] == "R2"
    assert refused("Kd/Tc-- 8s - 1", "a1") == ("R2", "a1: a1 is covered (R2)")


def test_r2_the_apex_is_not_open_at_the_start() -> None:
    assert refused("Kd/Tc4s/5d4cTs 8s - 1", "a1")[0] == "R2"
    assert refused("3d/Tc4s/5d4cTs 8s - 1", "a1c3")[0] == "R2"


@pytest.mark.parametrize("pair", ["AcQd", "2cJd", "3cTd", "4c9d", "5c8d", "6c7d", "QcAc", "7s6s"])
def test_r4_two_available_cards_that_total_13_leave_together(pair: str) -> None:
    assert played(f"2s/{pair} 8s - 1", "b1b2") == "2s/---- 8s - 1"


def test_r4_from_the_pyramid_the_waste_and_the_stock() -> None:
    assert played("Kd/Tc4s 9s - 1", "b2S", "three-pass") == "Kd/Tc-- - - 1"
    assert played("Kd/Tc4s 8s 2c9s 1", "b2W") == "Kd/Tc-- 8s 2c 1"
    assert played("Kd/Tc4s 8s 2c5s 1", "WS", "three-pass") == "Kd/Tc4s - 2c 1"


@pytest.mark.parametrize("pair", ["AcJd", "2cQd", "6c6d", "7c7d", "3c4d", "TcJc"])
def test_r4_other_totals_do_not_pair(pair: str) -> None:
    rule, words = refused(f"2s/{pair} 8s - 1", "b1b2")
    assert rule == "R4"
    assert words == f"b1b2: {pair[:2]} and {pair[2:]} do not total 13 (R4)"


def test_r4_a_card_never_pairs_with_its_own_cover() -> None:
    assert refused("4d/9c-- 8s - 1", "a1b1") == ("R4", "a1b1: b1 covers a1 (R4)")
    assert refused("4d/--9c 8s - 1", "a1b2")[0] == "R4"
    assert refused("4d/9c9h 8s - 1", "a1b1")[0] == "R4"
    assert moves("4d/9c-- 8s - 1") == "D"


def test_r4_a_cover_of_a_cover_is_merely_in_the_way() -> None:
    assert refused("4d/2c--/9c---- 8s - 1", "a1c1")[0] == "R2"


def test_r5_an_available_king_leaves_alone() -> None:
    assert played("2s/KcTd 8s - 1", "b1") == "2s/--Td 8s - 1"
    assert played("2s/KcTd 8s 3cKh 1", "W") == "2s/KcTd 8s 3c 1"
    assert played("2s/KcTd Ks8s 3c 1", "S", "three-pass") == "2s/KcTd 8s 3c 1"


def test_r5_a_king_never_pairs() -> None:
    words = "b1b2: a King goes alone and never pairs (R5)"
    assert refused("2s/KcKd 8s - 1", "b1b2") == ("R5", words)
    assert refused("2s/Kc2d 8s - 1", "b1b2") == ("R5", words)
    assert refused("2s/Kc2d 8s 7h 1", "b1W")[0] == "R5"


def test_r5_no_other_card_leaves_alone() -> None:
    assert refused("2s/KcQd 8s - 1", "b2") == ("R5", "b2: Qd is no King and needs a partner (R5)")
    assert refused("2s/KcQd 8s Ah 1", "W")[0] == "R5"
    assert refused("2s/KcQd 8s - 1", "S", "three-pass")[0] == "R5"


def test_r6_the_top_of_the_waste_is_available_and_no_card_beneath_it() -> None:
    assert available(cases.position("Kd/Tc4s 8s 9s2c 1"))["W"] == "2c"
    assert moves("Kd/Tc4s 8s 9s2c 1") == "D"


def test_r6_the_stock_is_open_only_where_the_rule_set_says_so() -> None:
    assert "S" not in available(cases.position("Kd/Tc4s Ks - 1"))
    assert available(cases.position("Kd/Tc4s KsAs - 1", "three-pass"))["S"] == "Ks"
    assert refused("Kd/Tc4s Ks - 1", "S") == ("R6", "S: these rules keep the stock closed (R6)")
    assert refused("Kd/Tc4s 9s - 1", "b2S", "double")[0] == "R6"
    assert refused("Kd/Tc4s - 9s 1", "b2S")[0] == "R6"


@pytest.mark.parametrize(
    ("text", "move", "words"),
    [
        ("Kd/--4s 8s - 1", "b1", "b1: b1 is empty (R6)"),
        ("Kd/--4s 8s - 1", "b1b2", "b1b2: b1 is empty (R6)"),
        ("Kd/--4s 8s - 1", "W", "W: the waste is empty (R6)"),
        ("Kd/--4s 8s - 1", "b2W", "b2W: the waste is empty (R6)"),
        ("Kd/--4s - 9s 1", "S", "S: the stock is empty (R6)"),
        ("Kd/--4s - 9s 1", "b2S", "b2S: the stock is empty (R6)"),
    ],
)
def test_r6_where_no_card_lies_none_is_available(text: str, move: str, words: str) -> None:
    assert refused(text, move, "three-pass") == ("R6", words)


def test_r7_outside_pairs_go_only_where_the_rule_set_allows_them() -> None:
    text = "Kd/Tc4s 8s 5c 1"
    assert moves(text, "three-pass") == "D WS"
    position = cases.position(text, "three-pass")
    closed = position._replace(rules=cases.rules_with(position.rules, outside_pairs=False))
    assert format_log(legal_moves(closed)) == "D"
    with pytest.raises(IllegalMoveError, match="must come from the pyramid") as refusal:
        play(closed, parse_move("WS", closed.rules))
    assert refusal.value.rule == "R7"


def test_r7_a_king_on_the_waste_is_no_pair_and_may_go() -> None:
    assert moves("Kd/Tc4s 8s Kc 1") == "D W"


def test_r7_the_waste_top_never_pairs_with_the_card_under_it() -> None:
    assert moves("Kd/Tc4s - 8h5c 1", "full-clear") == "R"


def test_r8_a_draw_turns_the_next_card_onto_the_waste() -> None:
    assert played("Kd/Tc4s 8s2h 9c 1", "D") == "Kd/Tc4s 2h 9c8s 1"


def test_r8_a_draw_is_open_whether_or_not_a_pair_is() -> None:
    assert moves("Kd/9c4s 8s - 1") == "D b1b2"


def test_r8_the_card_beneath_a_removed_waste_top_is_available_again() -> None:
    assert moves("5s/Kd4s 8s 9h9c 1") == "D b1 b2W"
    assert played("5s/Kd4s 8s 9h9c 1", "b2W") == "5s/Kd-- 8s 9h 1"
    assert available(cases.position("5s/Kd-- 8s 9h 1"))["W"] == "9h"


def test_r8_an_empty_stock_gives_no_draw() -> None:
    assert refused("Kd/Tc4s - 9c 1", "D") == ("R8", "D: the stock is empty (R8)")


def test_r9_a_redeal_turns_the_waste_over_in_the_same_order() -> None:
    assert played("Kd/Tc4s - 8s2h9c 1", "R", "double") == "Kd/Tc4s 8s2h9c - 2"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Kd/Tc4s 8s 2h 1", "R: the stock is not empty yet (R9)"),
        ("Kd/Tc4s - - 1", "R: the waste is empty (R9)"),
        ("Kd/Tc4s - 2h 3", "R: pass 3 was the last (R9)"),
    ],
)
def test_r9_no_redeal_with_stock_left_an_empty_waste_or_no_pass_left(text: str, words: str) -> None:
    assert refused(text, "R", "double") == ("R9", words)


def test_r9_n_passes_allow_one_redeal_less() -> None:
    assert moves("Kd/Tc4s - 2h 1") == ""
    assert moves("Kd/Tc4s - 2h 2", "double") == "R"
    assert moves("Kd/Tc4s - 2h 3", "double") == ""


def test_r10_the_pyramid_is_cleared_whatever_stock_and_waste_hold() -> None:
    assert outcome(cases.position("--/---- 8s 2h 1")) is Outcome.CLEARED
    assert outcome(cases.position("Kd/---- - - 1")) is None


def test_r10_all_is_cleared_when_no_card_is_left_anywhere() -> None:
    assert outcome(cases.position("--/---- - - 1", "full-clear")) is Outcome.CLEARED
    assert outcome(cases.position("--/---- 8s - 1", "full-clear")) is None
    assert outcome(cases.position("--/---- - 8s 1", "full-clear")) is None
    assert outcome(cases.position("--/---- - 8s 3", "full-clear")) is Outcome.STUCK


@pytest.mark.parametrize("move", ["D", "R", "W", "b1", "b1b2", "b2W"])
def test_r10_a_cleared_game_has_no_moves(move: str) -> None:
    assert moves("--/---- 8s Kh 1") == ""
    assert refused("--/---- 8s Kh 1", move) == ("R10", f"{move}: the game is cleared (R10)")


def test_r11_stuck_is_no_pair_no_king_no_draw_and_no_redeal() -> None:
    assert outcome(cases.position("Kd/Tc4s - 2h 1")) is Outcome.STUCK
    assert outcome(cases.position("Kd/Tc4s 8s 2h 1")) is None
    assert outcome(cases.position("Kd/Tc4s - 2h 1", "double")) is None
    assert outcome(cases.position("Kd/Tc4s - 3h 1")) is None
    assert outcome(cases.position("Kd/Kc4s - 2h 1")) is None


def test_r12_a_position_alone_has_nothing_to_take_back() -> None:
    assert refused("Kd/Tc4s 8s 2h 1", "U")[0] == "R12"


def test_legal_moves_stand_in_ascii_order() -> None:
    text = "2h/Kd4s/9hKc4d 9c2s Kh 1"
    assert moves(text, "three-pass") == "D W c1c3 c2 c3S"


@given(cases.walks(undos=False))
def test_the_legal_moves_are_those_that_pass_the_check(walk: cases.Walk) -> None:
    start, _ = walk
    texts = {format_move(move): move for move in _moves_by_text(start.rules.rows).values()}
    *_, game = cases.games(*walk)
    passing = [move for text, move in sorted(texts.items()) if is_legal(game.position, move)]
    assert legal_moves(game.position) == passing
