"""A second engine, written straight from the rules: slow, plain, and sharing no code.

Cards lie in a dict by the name of their spot, moves are texts, and the legal ones are found by
trying every text that could be a move.
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import permutations
from typing import Any

RULE_SETS: dict[str, dict[str, Any]] = {
    "one-pass": {"rows": 7, "passes": 1, "stock_top": False, "outside": False, "whole": False},
    "three-pass": {"rows": 7, "passes": 3, "stock_top": True, "outside": True, "whole": False},
    "full-clear": {"rows": 7, "passes": 3, "stock_top": True, "outside": True, "whole": True},
    "double": {"rows": 9, "passes": 3, "stock_top": False, "outside": False, "whole": False},
}
VALUES = {**{str(n): n for n in range(2, 10)}, "A": 1, "T": 10, "J": 11, "Q": 12, "K": 13}


@dataclass
class Table:
    """The cards on the table; `spots` holds only those still there."""

    rows: int
    passes: int
    stock_top: bool
    outside: bool
    whole: bool
    spots: dict[str, str]
    stock: list[str]
    waste: list[str]
    passed: int = 0


def spot_names(rows: int) -> list[str]:
    return [chr(ord("a") + row) + str(n + 1) for row in range(rows) for n in range(row + 1)]


def table(
    deal: str, *, rows: int, passes: int, stock_top: bool, outside: bool, whole: bool
) -> Table:
    """A table from a deal's text: rows joined by "/", a space, and the stock."""
    pyramid, stock = deal.split()
    cards = in_twos(pyramid.replace("/", ""))
    spots = dict(zip(spot_names(rows), cards, strict=True))
    return Table(rows, passes, stock_top, outside, whole, spots, in_twos(stock.strip("-")), [])


def in_twos(text: str) -> list[str]:
    return [a + b for a, b in zip(text[::2], text[1::2], strict=True)]


def covers(spot: str) -> tuple[str, str]:
    row, number = chr(ord(spot[0]) + 1), int(spot[1])
    return f"{row}{number}", f"{row}{number + 1}"


def card_at(on: Table, place: str) -> str | None:
    """The card that a player could take from a place now."""
    if place == "W":
        return on.waste[-1] if on.waste else None
    if place == "S":
        return on.stock[0] if on.stock and on.stock_top else None
    left, right = covers(place)
    if left in on.spots or right in on.spots:
        return None
    return on.spots.get(place)


def cleared(on: Table) -> bool:
    return not on.spots and not (on.whole and (on.stock or on.waste))


def legal(on: Table, move: str) -> bool:
    if cleared(on):
        return False
    if move == "D":
        return len(on.stock) > 0
    if move == "R":
        return not on.stock and len(on.waste) > 0 and on.passed + 1 < on.passes
    cards = [card_at(on, place) for place in places_of(move)]
    total = sum(VALUES[card[0]] for card in cards if card is not None)
    if None in cards or total != 13:
        return False
    return on.outside or set(places_of(move)) != {"W", "S"}


def places_of(move: str) -> list[str]:
    """The places of a removal: a spot is two characters, W and S are one."""
    places = []
    while move:
        size = 1 if move[0] in "WS" else 2
        places.append(move[:size])
        move = move[size:]
    return places


def legal_moves(on: Table) -> list[str]:
    places = [*spot_names(on.rows), "W", "S"]
    tries = ["D", "R", *places]
    tries += [a + b for a, b in permutations(places, 2) if places.index(a) < places.index(b)]
    return sorted(move for move in tries if legal(on, move))


def do(on: Table, move: str) -> Table:
    after = deepcopy(on)
    if move == "D":
        after.waste.append(after.stock.pop(0))
    elif move == "R":
        after.stock, after.waste, after.passed = after.waste, [], after.passed + 1
    else:
        for place in places_of(move):
            if place == "W":
                after.waste.pop()
            elif place == "S":
                after.stock.pop(0)
            else:
                del after.spots[place]
    return after


def text(on: Table) -> str:
    rows: dict[str, str] = {}
    for spot in spot_names(on.rows):
        rows[spot[0]] = rows.get(spot[0], "") + on.spots.get(spot, "--")
    stock, waste = "".join(on.stock) or "-", "".join(on.waste) or "-"
    return f"{'/'.join(rows.values())} {stock} {waste} {on.passed + 1}"


def perft(on: Table, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(perft(do(on, move), depth - 1) for move in legal_moves(on))


def winnable(on: Table) -> bool:
    """Whether any order of moves clears the table: every position is looked at."""
    seen = set()

    def reached(start: Table) -> Iterator[Table]:
        waiting = [start]
        while waiting:
            here = waiting.pop()
            if text(here) not in seen:
                seen.add(text(here))
                yield here
                waiting += [do(here, move) for move in legal_moves(here)]

    return any(cleared(here) for here in reached(on))
