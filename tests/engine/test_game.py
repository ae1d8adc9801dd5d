from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import (
    DECK,
    HIDDEN,
    MAX_LOG,
    RULE_SETS,
    Deal,
    Draw,
    Game,
    IllegalMoveError,
    LogFullError,
    Move,
    NothingToUndoError,
    Outcome,
    Position,
    Rules,
    Undo,
    check_legal,
    format_log,
    is_legal,
    legal_moves,
    parse_log,
    parse_move,
    replay,
    shuffle,
)
from games.engine.moves import _moves_by_text
from tests.engine import cases

ONE_PASS = RULE_SETS["one-pass"]
THREE_PASS = RULE_SETS["three-pass"]
DEAL = Deal.from_deck(shuffle(bytes(32), 1), ONE_PASS)


def game_of(log: str, rules: Rules = ONE_PASS) -> Game:
    return replay(DEAL, rules, parse_log(log, rules))


def refusal_of(position: Position, move: Move) -> tuple[str, str] | None:
    try:
        check_legal(position, move)
    except IllegalMoveError as error:
        return error.rule, str(error)
    return None


def test_r12_an_undo_takes_back_the_last_move_that_stands() -> None:
    game = game_of("D D U")
    assert format_log(game.line) == "D"
    assert game.position == game_of("D").position
    assert (game.ply, game.undo_count) == (3, 1)


def test_r12_undo_goes_back_to_the_deal_and_no_further() -> None:
    game = game_of("D D D U U U")
    assert game.position == Game.start(DEAL, ONE_PASS).position
    assert (game.ply, game.undo_count, game.can_undo) == (6, 3, False)
    with pytest.raises(NothingToUndoError, match="U: no move is left to take back"):
        game.play(Undo())
    assert (game.ply, game.undo_count) == (6, 3)


def test_r12_one_undo_takes_back_a_redeal() -> None:
    game = game_of("D " * 24 + "R", THREE_PASS)
    assert game.position.pass_number == 2
    assert game.play(Undo()).position == game_of(("D " * 24).strip(), THREE_PASS).position


def test_r12_nothing_gives_a_count_back() -> None:
    game = game_of("D U D U D")
    assert (game.undo_count, game.ply, format_log(game.line)) == (2, 5, "D")


def test_r12_undo_is_open_when_stuck_and_when_cleared() -> None:
    stuck = game_of(("D " * 24).strip())
    while moves := legal_moves(stuck.position):
        stuck = stuck.play(moves[0])
    assert stuck.outcome is Outcome.STUCK
    assert stuck.play(Undo()).undo_count == 1

    small = cases.rules_with(ONE_PASS, rows=1)
    cleared = Game.start(Deal(("Kd",), ("8s",)), small).play(parse_move("a1", small))
    assert cleared.outcome is Outcome.CLEARED
    assert cleared.play(Undo()).outcome is None
    with pytest.raises(IllegalMoveError, match="R10"):
        cleared.play(Draw())


def test_r13_a_log_holds_ten_thousand_moves() -> None:
    full = Game.resume(DEAL, ONE_PASS, line=(Draw(),), ply=MAX_LOG - 1, undo_count=0, seen=1)
    full = full.play(Draw())
    assert full.ply == MAX_LOG == 10_000
    assert (full.full, full.can_undo) == (True, False)
    for move in (Draw(), Undo()):
        with pytest.raises(LogFullError, match="the log is full at 10000 moves"):
            full.play(move)
    assert format_log(full.line) == "D D"


def test_an_illegal_move_leaves_the_game_as_it_was() -> None:
    game = game_of("D")
    before = Game.resume(DEAL, ONE_PASS, line=(Draw(),), ply=1, undo_count=0, seen=1)
    with pytest.raises(IllegalMoveError) as refusal:
        game.play(parse_move("a1", ONE_PASS))
    assert refusal.value.rule == "R2"
    assert game == before


def test_replay_names_the_move_that_is_refused() -> None:
    with pytest.raises(
        IllegalMoveError, match=r"^move 3: R: the stock is not empty yet"
    ) as refusal:
        game_of("D U R D")
    assert (refusal.value.number, refusal.value.rule) == (3, "R9")
    with pytest.raises(NothingToUndoError, match=r"^move 1: U: "):
        game_of("U")


@given(cases.walks())
def test_a_line_resumes_to_the_game_that_it_came_from(walk: cases.Walk) -> None:
    start, moves = walk
    game = start
    for game in cases.games(start, moves):
        resumed = Game.resume(
            game.deal,
            game.rules,
            line=game.line,
            ply=game.ply,
            undo_count=game.undo_count,
            seen=game.seen,
        )
        assert resumed == game
    assert replay(start.deal, start.rules, moves) == game
    assert (game.ply, game.undo_count) == (len(moves), moves.count(Undo()))


def test_nothing_of_a_closed_stock_is_shown_at_the_start() -> None:
    game = Game.start(DEAL, ONE_PASS)
    assert game.seen == 0
    assert game.shown.stock == (HIDDEN,) * 24


def test_the_top_of_an_open_stock_is_shown_at_the_start() -> None:
    game = Game.start(DEAL, THREE_PASS)
    assert game.seen == 1
    assert game.shown.stock == DEAL.stock[:1] + (HIDDEN,) * 23
    assert Game.start(Deal(DEAL.pyramid, ()), THREE_PASS).seen == 0


def test_a_card_once_shown_stays_shown_after_an_undo() -> None:
    game = game_of("D D U U")
    assert game.seen == 2
    assert game.shown.stock == DEAL.stock[:2] + (HIDDEN,) * 22


def test_a_redeal_hides_nothing() -> None:
    game = game_of("D " * 24 + "R U U U", THREE_PASS)
    assert game.shown == game.position
    assert game.seen == 24


def test_a_move_names_the_card_that_it_showed_first() -> None:
    games = list(cases.games(Game.start(DEAL, ONE_PASS), list(parse_log("D U D D", ONE_PASS))))
    shown = [game.newly_shown(before) for before, game in pairwise(games)]
    assert shown == [DEAL.stock[0], None, None, DEAL.stock[1]]


def test_an_open_stock_shows_the_next_card_with_each_that_leaves_it() -> None:
    rules = cases.rules_with(THREE_PASS, rows=1)
    start = Game.start(Deal(("2d",), ("Kd", "8s", "5s", "4h")), rules)
    games = list(cases.games(start, list(parse_log("S D WS U", rules))))
    shown = [game.newly_shown(before) for before, game in pairwise(games)]
    assert shown == ["8s", "5s", "4h", None]


@settings(max_examples=30)
@given(cases.walks(), st.data())
def test_legality_depends_on_nothing_unseen(walk: cases.Walk, data: st.DataObject) -> None:
    start, _ = walk
    everything = sorted(set(_moves_by_text(start.rules.rows).values()), key=repr)
    for game in cases.games(*walk):
        assert HIDDEN not in game.shown.waste
        assert legal_moves(game.shown) == legal_moves(game.position)
        for move in data.draw(st.lists(st.sampled_from(everything), max_size=8)):
            assert refusal_of(game.shown, move) == refusal_of(game.position, move)


@given(cases.walks())
def test_what_is_shown_is_all_that_was_ever_seen(walk: cases.Walk) -> None:
    seen: set[int] = set()
    for game in cases.games(*walk):
        reached = len(game.deal.stock) - len(game.position.stock)
        if game.position.pass_number == 1:
            face_up = reached + (game.rules.stock_top and reached < len(game.deal.stock))
            seen |= set(range(face_up))
        assert seen == set(range(game.seen))
        hidden = game.shown.stock.count(HIDDEN)
        assert hidden == len(game.deal.stock) - game.seen
        assert (
            game.shown.stock[: len(game.shown.stock) - hidden]
            == game.position.stock[: len(game.shown.stock) - hidden]
        )


def test_a_position_of_the_deck_in_order_offers_only_what_the_rules_do() -> None:
    game = Game.start(Deal.from_deck(DECK, ONE_PASS), ONE_PASS)
    assert format_log(legal_moves(game.position)) == "D g3g7 g4g6 g5"
    assert not is_legal(game.position, Undo())
