"""Moves and logs: what a player does, and how it is written."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import TypeAlias

from games.engine.errors import NotationError
from games.engine.layout import SPOTS, spot_count
from games.engine.rulesets import Rules

Place: TypeAlias = str

WASTE: Place = "W"
"""The top of the waste."""

STOCK: Place = "S"
"""The top of the stock."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Turn the stock's top card onto the waste (R8).

    >>> format_move(Draw())
    'D'
    """


@dataclass(frozen=True, slots=True)
class Redeal:
    """Turn the waste over to be the stock again (R9).

    >>> format_move(Redeal())
    'R'
    """


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last move that is not yet taken back (R12).

    >>> format_move(Undo())
    'U'
    """


@dataclass(frozen=True, slots=True)
class King:
    """Remove an available King alone (R5).

    >>> format_move(King("g4"))
    'g4'
    """

    place: Place


@dataclass(frozen=True, slots=True)
class Pair:
    """Remove two available cards that total 13 (R4).

    In canonical order: spots in reading order, then the waste, then the stock.

    >>> format_move(Pair("g4", "W"))
    'g4W'
    """

    first: Place
    second: Place


Move: TypeAlias = Draw | Redeal | Undo | King | Pair


@cache
def _moves_by_text(rows: int) -> Mapping[str, Move]:
    """Every text that spells a move on a pyramid, a pair in either order."""
    places = (*SPOTS[: spot_count(rows)], WASTE, STOCK)
    moves: dict[str, Move] = {"D": Draw(), "R": Redeal(), "U": Undo()}
    for place in places:
        moves[place] = King(place)
    for first, second in combinations(places, 2):
        moves[first + second] = moves[second + first] = Pair(first, second)
    return moves


def parse_move(text: str, rules: Rules) -> Move:
    """The move of a text, a pair in either order; raises NotationError.

    >>> from games.engine.rulesets import RULE_SETS
    >>> parse_move("Wg4", RULE_SETS["one-pass"])
    Pair(first='g4', second='W')
    """
    return _look_up(text, rules.rows)


def format_move(move: Move) -> str:
    """The canonical text of a move.

    >>> format_move(Pair("W", "S"))
    'WS'
    """
    match move:
        case King(place):
            return place
        case Pair(first, second):
            return first + second
        case Draw():
            return "D"
        case Redeal():
            return "R"
        case Undo():
            return "U"


def parse_log(text: str, rules: Rules) -> tuple[Move, ...]:
    """The moves of a log, with one space between; no text is no moves. Raises NotationError.

    >>> from games.engine.rulesets import RULE_SETS
    >>> parse_log("D U g4", RULE_SETS["one-pass"])
    (Draw(), Undo(), King(place='g4'))
    """
    if not text:
        return ()
    return tuple(_look_up(move, rules.rows) for move in text.split(" "))


def format_log(moves: Iterable[Move]) -> str:
    """The text of a log, or of a line.

    >>> format_log([Draw(), Undo(), King("g4")])
    'D U g4'
    """
    return " ".join(map(format_move, moves))


def _look_up(text: str, rows: int) -> Move:
    try:
        return _moves_by_text(rows)[text]
    except KeyError:
        last = SPOTS[spot_count(rows) - 1]
        quoted = repr(text if len(text) <= 40 else f"{text[:40]}...")
        raise NotationError(
            f"{quoted} is not a move: D, R, U, one place or two different places (a1-{last}, W, S)"
        ) from None
