import pytest
from hypothesis import given

from games.engine import format_position, parse_position
from games.engine.errors import NotationError
from games.engine.layout import rows_of
from tests.engine import cases


def test_a_position_text_names_everything_that_is_left() -> None:
    position = cases.position("Kd/--4s 8s?? 4h9c 2", "double")
    assert position.pyramid == ("Kd", None, "4s")
    assert position.stock == ("8s", "??")
    assert position.waste == ("4h", "9c")
    assert position.pass_number == 2
    assert format_position(position) == "Kd/--4s 8s?? 4h9c 2"


@given(cases.walks())
def test_positions_survive_their_text(walk: cases.Walk) -> None:
    for game in cases.games(*walk):
        for position in (game.position, game.shown):
            assert parse_position(format_position(position), game.rules) == position


@pytest.mark.parametrize(
    "text",
    [
        "Kd/--4s 8s 4h",
        "Kd/--4s 8s 4h 1 1",
        "Kd/--4s 8s 4h 0",
        "Kd/--4s 8s 4h 4",
        "Kd/--4s 8s 4h 01",
        "Kd/--4s 8s 4h one",
        "Kd/--4s 8s 4h +1",
        "Kd/--4s  4h 1",
        "Kd/--4s 8s  1",
        "Kd/--4s 8s- 4h 1",
        "Kd/--4s -- 4h 1",
        "Kd/--4s 8s 4 1",
        "Kd/--4s 8s ?? 1",
        "Kd/??4s 8s 4h 1",
        "Kd/-4s 8s 4h 1",
        "Kd--/4s 8s 4h 1",
        "Kd--4s 8s 4h 1",
        "Kd/--4s/ 8s 4h 1",
        "Kd/--4s/2c3c4c 8s 4h 1",
        "Kd/--4s ??8s 4h 1",
    ],
)
def test_a_position_text_is_strict(text: str) -> None:
    rules = cases.position("Kd/--4s 8s 4h 1", "three-pass").rules
    with pytest.raises(NotationError) as refusal:
        parse_position(text, rules)
    assert repr(text) in str(refusal.value)


def test_an_unseen_card_may_be_next_where_the_stock_lies_face_down() -> None:
    assert cases.position("Kd/--4s ??8s - 1").stock == ("??", "8s")


def test_rows_of_a_pyramid_start_at_the_apex() -> None:
    assert rows_of("abbccc") == ["a", "bb", "ccc"]
    assert rows_of("") == []
