"""A deal as the kernels read it: its cards sorted into families, each a run of bits."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from games.engine import Deal, Rules, value
from games.engine.layout import covers
from games.engine.rules import MAX_ROWS
from games.solver.kernel.families import fill_pairs_needed
from games.solver.kernel.sets import WORD_CARDS, Cards

FAMILIES = 6
"""Pairs of values that total 13. The Kings stand behind them as a family of their own."""

MAX_FAMILY = 20
"""A family has tables with a row for each of its subsets. In two decks it has 16 cards."""

MAX_CARDS = 104
MAX_SPOTS = MAX_ROWS * (MAX_ROWS + 1) // 2
MAX_PASSES = 31


class Board(NamedTuple):
    """What never changes in a deal, and what is found out about its families.

    Cards are numbered as dealt: the pyramid, then the stock. `deal` is a record with these fields:
    for each card its set, the place in its family and the family; for each spot the cards that
    must leave before it is exposed. A subset of a family is a number whose bits are those places:
    `mates` holds for each card all that may ever leave with it, `low` and `high` for each family
    its cards of either value, `member` the card at each place; `word`, `shift` and `whole` tell
    where in a set the family lies. `first_row` is its place in the two tables.
    """

    deal: Any
    pairs_needed: npt.NDArray[np.uint8]
    worth: npt.NDArray[np.uint64]


def _fields(words: int) -> np.dtype[np.void]:
    a_set, subset, number = np.uint64, np.uint64, np.int64
    return np.dtype(
        [
            ("pyramid_size", number),
            ("stock_size", number),
            ("passes", number),
            ("card", a_set, (MAX_CARDS, words)),
            ("place", np.uint64, MAX_CARDS),
            ("family", number, MAX_CARDS),
            ("mates", subset, MAX_CARDS),
            ("blockers", a_set, (MAX_SPOTS, words)),
            ("low", subset, FAMILIES),
            ("high", subset, FAMILIES),
            ("needy", subset, FAMILIES),
            ("whole", subset, FAMILIES),
            ("word", number, FAMILIES),
            ("shift", np.uint64, FAMILIES),
            ("first_row", number, FAMILIES),
            ("member", number, (FAMILIES, MAX_FAMILY)),
            ("pyramid", a_set, (1, words)),
            ("required", a_set, (1, words)),
            ("kings", a_set, (1, words)),
            ("kings_stay", np.bool_),
            ("stock_top", np.bool_),
            ("all_must_go", np.bool_),
            ("king_steps", number, MAX_CARDS),
        ]
    )


def lay_out(deal: Deal, rules: Rules) -> Board:
    """The board of a deal; raises ValueError for one too large for the kernels."""
    values = [value(card) for card in deal.pyramid + deal.stock]
    families = _families(values)
    bits = _bits(families)
    size = len(deal.pyramid)
    # A pass in which nothing of the stock leaves is of no use.
    passes = min(rules.passes, len(deal.stock) + 1)
    if passes > MAX_PASSES:
        raise ValueError(f"{passes} passes are more than {MAX_PASSES}")
    words = 1 + max((word for word, _ in bits), default=0)

    def set_of(numbers: Collection[int]) -> list[int]:
        masks = [0] * words
        for number in numbers:
            word, bit = bits[number]
            masks[word] |= 1 << bit
        return masks

    place = {number: place for family in families for place, number in enumerate(family)}

    def subset_of(numbers: Collection[int]) -> int:
        return sum(1 << place[number] for number in numbers)

    board = np.zeros(1, _fields(words))[0]
    needy = set(range(size if rules.goal == "pyramid" else len(values)))
    board["pyramid_size"], board["stock_size"], board["passes"] = size, len(deal.stock), passes
    for number in range(len(values)):
        board["card"][number] = set_of([number])
        board["place"][number] = place[number]
    board["pyramid"] = set_of(range(size))
    board["required"] = set_of([number for number in needy if values[number] < 13])
    for spot, blockers in enumerate(_blockers(values, rules.rows)):
        board["blockers"][spot] = set_of(blockers)
    for number, mates in enumerate(_mates(values, rules)):
        board["mates"][number] = subset_of(mates)
    kings_stay = rules.goal == "pyramid" and not rules.stock_top
    board["kings_stay"] = kings_stay
    board["kings"] = set_of([number for number in families[-1] if number >= size])
    for number in families[-1]:
        if number >= size and not kings_stay:
            board["king_steps"][number - size] = 1 if rules.stock_top else 2
    board["stock_top"], board["all_must_go"] = rules.stock_top, rules.goal == "all"
    board["family"][families[-1]] = FAMILIES
    rows = 0
    for index, family in enumerate(families[:FAMILIES]):
        board["family"][family] = index
        board["member"][index, : len(family)] = family
        board["low"][index] = subset_of([number for number in family if values[number] <= 6])
        board["high"][index] = subset_of([number for number in family if values[number] > 6])
        board["needy"][index] = subset_of(needy.intersection(family))
        board["whole"][index] = subset_of(family)
        board["word"][index], board["shift"][index] = bits[family[0]] if family else (0, 0)
        board["first_row"][index] = rows
        rows += 1 << len(family)
    laid_out = Board(board, np.zeros(rows, np.uint8), np.zeros(rows, np.uint64))
    fill_pairs_needed(laid_out)
    return laid_out


def set_of(board: Board, numbers: Collection[int]) -> Cards:
    """The cards of these numbers, as the kernels take them."""
    return tuple(np.bitwise_or.reduce(board.deal["card"][sorted(numbers)], axis=0))


def cards_of(removal: int) -> tuple[int, ...]:
    """The numbers of a pair, or of the King that stands for both cards of one."""
    first, second = divmod(removal, 128)
    return (first,) if first == second else (first, second)


def _families(values: Sequence[int]) -> list[list[int]]:
    """The numbers of each family's cards, the Kings last."""
    families: list[list[int]] = [[] for _ in range(FAMILIES + 1)]
    for number, card_value in enumerate(values):
        families[min(card_value, 13 - card_value) - 1].append(number)
    if max(map(len, families)) > MAX_FAMILY:
        raise ValueError(f"more than {MAX_FAMILY} cards are of two values that total 13")
    return families


def _bits(families: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
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


def _blockers(values: Sequence[int], rows: int) -> list[set[int]]:
    """For each spot the cards that must leave before it is exposed: Kings leave by themselves."""
    over = covers(rows)
    blockers: list[set[int]] = [set() for _ in over]
    for spot in reversed(range(len(over))):
        for cover in over[spot]:
            blockers[spot] |= blockers[cover] if values[cover] == 13 else {cover}
    return blockers


def _mates(values: Sequence[int], rules: Rules) -> list[list[int]]:
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
