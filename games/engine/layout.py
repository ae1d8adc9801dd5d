"""The pyramid's spots: their names, their reading order and which covers which."""

from collections.abc import Sequence
from functools import cache
from typing import TypeVar

from games.engine.rulesets import MAX_ROWS

T = TypeVar("T")

SPOTS: tuple[str, ...] = tuple(
    f"{letter}{number}"
    for row, letter in enumerate("abcdefghi"[:MAX_ROWS], start=1)
    for number in range(1, row + 1)
)
"""The names of the spots in reading order, a1 to i9; a shorter pyramid has the first of them."""

SPOT_NUMBER: dict[str, int] = {name: number for number, name in enumerate(SPOTS)}
"""The place of a spot in the reading order, counted from 0."""


def spot_count(rows: int) -> int:
    """How many cards the pyramid takes.

    >>> spot_count(7), spot_count(9)
    (28, 45)
    """
    return rows * (rows + 1) // 2


@cache
def covers(rows: int) -> tuple[tuple[int, ...], ...]:
    """For each spot the numbers of the two spots that cover it, none in the base row (R2).

    >>> covers(3)
    ((1, 2), (3, 4), (4, 5), (), (), ())
    """
    return tuple(
        (spot + row, spot + row + 1) if row < rows else ()
        for row in range(1, rows + 1)
        for spot in range(spot_count(row - 1), spot_count(row))
    )


def rows_of(pyramid: Sequence[T]) -> list[Sequence[T]]:
    """The spots of a pyramid row by row, apex first.

    >>> rows_of("abbccc")
    ['a', 'bb', 'ccc']
    """
    rows: list[Sequence[T]] = []
    start = 0
    while start < len(pyramid):
        end = start + len(rows) + 1
        rows.append(pyramid[start:end])
        start = end
    return rows
