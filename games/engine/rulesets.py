"""Rule sets as data: one row of the table is one way to play."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias, cast

from games.engine.errors import NotationError

Goal: TypeAlias = Literal["pyramid", "all"]

MAX_ROWS = 9
"""A place is a letter and one digit, so a row has at most nine spots."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a rule set lays down.

    `passes` counts the ways through the stock, the first included. `stock_top` makes the stock's
    top card available, `outside_pairs` lets the waste top pair with it. `goal` says what must be
    gone: the pyramid, or all cards. Raises ValueError for values that no game could have.

    >>> Rules(rows=7, decks=1, passes=1, stock_top=False, outside_pairs=False, goal="pyramid").rows
    7
    """

    rows: int
    decks: int
    passes: int
    stock_top: bool
    outside_pairs: bool
    goal: Goal
    undo_penalty_ms: int = 10_000

    def __post_init__(self) -> None:
        if not 1 <= self.rows <= MAX_ROWS:
            raise ValueError(f"rows={self.rows} is not 1 to {MAX_ROWS}")
        if self.decks not in (1, 2):
            raise ValueError(f"decks={self.decks} is not 1 or 2")
        if self.passes < 1:
            raise ValueError(f"passes={self.passes} is less than 1")
        if self.goal not in ("pyramid", "all"):
            raise ValueError(f"goal={self.goal} is not pyramid or all")
        if self.undo_penalty_ms < 0:
            raise ValueError(f"undo_penalty_ms={self.undo_penalty_ms} is negative")


RULE_SETS: Mapping[str, Rules] = MappingProxyType(
    {
        "one-pass": Rules(
            rows=7, decks=1, passes=1, stock_top=False, outside_pairs=False, goal="pyramid"
        ),
        "three-pass": Rules(
            rows=7, decks=1, passes=3, stock_top=True, outside_pairs=True, goal="pyramid"
        ),
        "full-clear": Rules(
            rows=7, decks=1, passes=3, stock_top=True, outside_pairs=True, goal="all"
        ),
        "double": Rules(
            rows=9, decks=2, passes=3, stock_top=False, outside_pairs=False, goal="pyramid"
        ),
    }
)
"""The rule sets of the daily challenges by id."""

_LINE = re.compile(
    r"rows=(\d+) decks=(\d+) passes=(\d+) stock_top=([01]) outside_pairs=([01]) goal=(\w+)"
    r" undo_penalty_ms=(\d+)"
)


def format_rules(rules: Rules) -> str:
    """The one line that a deal's commitment covers.

    >>> format_rules(RULE_SETS["one-pass"])[:51]
    'rows=7 decks=1 passes=1 stock_top=0 outside_pairs=0'
    """
    return (
        f"rows={rules.rows} decks={rules.decks} passes={rules.passes}"
        f" stock_top={rules.stock_top:d} outside_pairs={rules.outside_pairs:d}"
        f" goal={rules.goal} undo_penalty_ms={rules.undo_penalty_ms}"
    )


def parse_rules(text: str) -> Rules:
    """The rules of a line; raises NotationError.

    >>> parse_rules(format_rules(RULE_SETS["double"])) == RULE_SETS["double"]
    True
    """
    match = _LINE.fullmatch(text)
    if match is None:
        raise NotationError(f"{text!r} is not a line of rules")
    rows, decks, passes, stock_top, outside_pairs, goal, undo_penalty_ms = match.groups()
    try:
        rules = Rules(
            rows=int(rows),
            decks=int(decks),
            passes=int(passes),
            stock_top=stock_top == "1",
            outside_pairs=outside_pairs == "1",
            goal=cast(Goal, goal),
            undo_penalty_ms=int(undo_penalty_ms),
        )
    except ValueError as error:
        raise NotationError(f"{text!r} is not a line of rules: {error}") from error
    if format_rules(rules) != text:
        raise NotationError(f"{text!r} is not how these rules are spelled")
    return rules
