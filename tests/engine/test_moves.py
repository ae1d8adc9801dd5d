import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import (
    RULE_SETS,
    Draw,
    King,
    Move,
    NotationError,
    Pair,
    Redeal,
    Undo,
    format_log,
    format_move,
    parse_log,
    parse_move,
)
from games.engine.layout import SPOTS, spot_count
from tests.engine import cases

ONE_PASS = RULE_SETS["one-pass"]
places = st.sampled_from([*SPOTS[:28], "W", "S"])


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("D", Draw()),
        ("R", Redeal()),
        ("U", Undo()),
        ("g4", King("g4")),
        ("W", King("W")),
        ("S", King("S")),
        ("g1g4", Pair("g1", "g4")),
        ("c2W", Pair("c2", "W")),
        ("g7S", Pair("g7", "S")),
        ("WS", Pair("W", "S")),
        ("a1g7", Pair("a1", "g7")),
    ],
)
def test_every_kind_of_move_has_its_text(text: str, move: Move) -> None:
    assert parse_move(text, ONE_PASS) == move
    assert format_move(move) == text


@given(places, places)
def test_a_pair_is_read_in_either_order_and_kept_in_one(first: str, second: str) -> None:
    if first == second:
        with pytest.raises(NotationError):
            parse_move(first + second, ONE_PASS)
    else:
        move = parse_move(first + second, ONE_PASS)
        assert move == parse_move(second + first, ONE_PASS)
        assert parse_move(format_move(move), ONE_PASS) == move


def test_canonical_order_is_reading_order_then_the_waste_then_the_stock() -> None:
    texts = ["g4g1", "g1f6", "Wa1", "Sg7", "SW"]
    assert [format_move(parse_move(text, ONE_PASS)) for text in texts] == [
        "g1g4",
        "f6g1",
        "a1W",
        "g7S",
        "WS",
    ]


@pytest.mark.parametrize(
    "text",
    [
        *[
            "",
            " ",
            "d",
            "DD",
            "DU",
            "RU",
            "X",
            "g",
            "g0",
            "g8",
            "h1",
            "i9",
            "a2",
            "b3",
            "g44",
            "G4",
            "w",
        ],
        *[
            "gW",
            "WW",
            "SS",
            "g4g4",
            "g4g8",
            "g4D",
            "WU",
            "g4 ",
            " g4",
            "g4 W",
            "g4-W",
            "g4W\n",
            "g4WS",
        ],
        *["g\uff11", "Kd", "KdQh", "g1g2g3"],
    ],
)
def test_what_is_no_move_on_this_pyramid_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is not a move") as refusal:
        parse_move(text, ONE_PASS)
    assert repr(text) in str(refusal.value)


def test_a_place_is_a_place_only_on_its_own_pyramid() -> None:
    assert parse_move("i9", RULE_SETS["double"]) == King("i9")
    with pytest.raises(NotationError, match="a1-g7"):
        parse_move("i9", ONE_PASS)
    assert [spot_count(rows) for rows in range(1, 10)] == [1, 3, 6, 10, 15, 21, 28, 36, 45]


@given(cases.walks())
def test_logs_survive_their_text(walk: cases.Walk) -> None:
    start, moves = walk
    assert parse_log(format_log(moves), start.rules) == tuple(moves)


def test_an_empty_log_is_an_empty_text() -> None:
    assert parse_log("", ONE_PASS) == ()
    assert format_log([]) == ""


@pytest.mark.parametrize("text", [" ", "D ", " D", "D  D", "D\tD", "D\nU", "D,U", "DU"])
def test_a_log_is_strict(text: str) -> None:
    with pytest.raises(NotationError):
        parse_log(text, ONE_PASS)
