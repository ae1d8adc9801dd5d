from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from games.engine import RULE_SETS, NotationError, Rules, format_rules, parse_rules
from tests.engine import cases

LINES = {
    "one-pass": "rows=7 decks=1 passes=1 stock_top=0 outside_pairs=0 goal=pyramid"
    " undo_penalty_ms=10000",
    "three-pass": "rows=7 decks=1 passes=3 stock_top=1 outside_pairs=1 goal=pyramid"
    " undo_penalty_ms=10000",
    "full-clear": "rows=7 decks=1 passes=3 stock_top=1 outside_pairs=1 goal=all"
    " undo_penalty_ms=10000",
    "double": "rows=9 decks=2 passes=3 stock_top=0 outside_pairs=0 goal=pyramid"
    " undo_penalty_ms=10000",
}


def test_the_rule_sets_are_the_four_of_the_table_in_its_order() -> None:
    assert {name: format_rules(rules) for name, rules in RULE_SETS.items()} == LINES
    assert list(RULE_SETS) == list(LINES)


@given(cases.rules())
def test_rules_survive_their_text(rules: Rules) -> None:
    assert parse_rules(format_rules(rules)) == rules


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rows=7", "rows=0"),
        ("rows=7", "rows=10"),
        ("rows=7", "rows=07"),
        ("rows=7", "rows=\u0667"),
        ("rows=7", "rows=+7"),
        ("rows=7 decks=1", "decks=1 rows=7"),
        ("decks=1", "decks=3"),
        ("passes=1", "passes=0"),
        ("passes=1", "passes=-1"),
        ("passes=1", "passes=" + "9" * 5_000),
        ("stock_top=0", "stock_top=2"),
        ("stock_top=0", "stock_top=no"),
        ("goal=pyramid", "goal=stock"),
        ("goal=pyramid", "goal=Pyramid"),
        (" goal", "  goal"),
        ("undo_penalty_ms=10000", ""),
        ("undo_penalty_ms=10000", "undo_penalty_ms=10000\n"),
        ("undo_penalty_ms=10000", "undo_penalty_ms=-1"),
        ("undo_penalty_ms=10000", "undo_penalty_ms=10000 extra=1"),
    ],
)
def test_a_line_has_one_spelling(old: str, new: str) -> None:
    with pytest.raises(NotationError):
        parse_rules(LINES["one-pass"].replace(old, new))


@pytest.mark.parametrize(
    "change",
    [
        *[{"rows": 0}, {"rows": 10}, {"decks": 0}, {"decks": 3}, {"passes": 0}, {"goal": "stock"}],
        {"undo_penalty_ms": -1},
    ],
)
def test_rules_that_no_game_could_have_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(change))}="):
        replace(RULE_SETS["one-pass"], **change)
