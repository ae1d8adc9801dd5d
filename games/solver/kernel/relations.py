"""What the cards of a deal are to each other: families, covers, mates; and their bits in a set."""

from collections.abc import Sequence

from games.engine import Rules
from games.engine.layout import covers
from games.solver.kernel.sets import WORD_CARDS

FAMILIES = 6
"""Pairs of values that total 13. The Kings stand behind them as a family of their own."""

MAX_FAMILY = 20
"""A family has tables with a row for each of its subsets. In two decks it has 16 cards."""


def families_of(values: Sequence[int]) -> list[list[int]]:
    """The numbers of each family's cards, the Kings last."""
    families: list[list[int]] = [[] for _ in range(FAMILIES + 1)]
    for number, card_value in enumerate(values):
        families[min(card_value, 13 - card_value) - 1].append(number)
    if max(map(len, families)) > MAX_FAMILY:
        raise ValueError(f"more than {MAX_FAMILY} cards are of two values that total 13")
    return families


def bits_of(families: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """For each card a word and a bit in it. A family does not straddle two words."""
    bits = {}
    used = [0] * len(WORD_CARDS)
    for family in families:
        room = (word for word, size in enumerate(WORD_CARDS) if used[word] + len(family) <= size)
        word = next(room, None)
        if word is None:
            raise ValueError(f"{sum(map(len, families))} cards do not fit two words")
        for number in family:
            bits[number] = (word, used[word])
            used[word] += 1
    return [bits[number] for number in range(len(bits))]


def blockers_of(values: Sequence[int], rows: int) -> list[set[int]]:
    """For each spot the cards that must leave before it is exposed: Kings leave by themselves."""
    over = covers(rows)
    blockers: list[set[int]] = [set() for _ in over]
    for spot in reversed(range(len(over))):
        for cover in over[spot]:
            blockers[spot] |= blockers[cover] if values[cover] == 13 else {cover}
    return blockers


def mates_of(values: Sequence[int], rules: Rules) -> list[list[int]]:
    """For each card those that may be available together with it (R4, R7).

    Two cards of the pyramid of which one lies under the other, however deep, never are.
    """
    over = covers(rules.rows)
    above: list[set[int]] = [set() for _ in values]
    for spot in reversed(range(len(over))):
        above[spot] = set(over[spot]).union(*(above[cover] for cover in over[spot]))
    of_value: list[list[int]] = [[] for _ in range(14)]
    for number, card_value in enumerate(values):
        of_value[card_value].append(number)
    outside_pairs = rules.stock_top and rules.outside_pairs
    return [
        [
            mate
            for mate in of_value[13 - card_value]
            if mate not in above[number]
            and number not in above[mate]
            and (outside_pairs or min(number, mate) < len(over))
        ]
        for number, card_value in enumerate(values)
    ]
