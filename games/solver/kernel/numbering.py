"""A deal as the kernels read it: its cards sorted into families, each a run of bits."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from games.engine import Deal, Rules, value
from games.engine.layout import spot_count
from games.engine.rulesets import MAX_ROWS
from games.solver.kernel.families import fill_pairs_needed
from games.solver.kernel.relations import (
    FAMILIES,
    MAX_FAMILY,
    bits_of,
    blockers_of,
    families_of,
    mates_of,
)
from games.solver.kernel.sets import Cards

MAX_CARDS = 104
MAX_SPOTS = MAX_ROWS * (MAX_ROWS + 1) // 2
MAX_PASSES = 31


class NumberedDeal(NamedTuple):
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


class _Sets:
    """Cards by number as a set, and as a subset of their family."""

    def __init__(self, families: Sequence[Sequence[int]]) -> None:
        self.bits = bits_of(families)
        self.words = 1 + max((word for word, _ in self.bits), default=0)
        self.place = {number: place for each in families for place, number in enumerate(each)}

    def whole(self, numbers: Collection[int]) -> list[int]:
        masks = [0] * self.words
        for number in numbers:
            word, bit = self.bits[number]
            masks[word] |= 1 << bit
        return masks

    def subset(self, numbers: Collection[int]) -> int:
        return sum(1 << self.place[number] for number in numbers)


def lay_out(deal: Deal, rules: Rules) -> NumberedDeal:
    """The numbered of a deal; raises ValueError for one too large for the kernels."""
    values = [value(card) for card in deal.pyramid + deal.stock]
    families = families_of(values)
    # A pass in which nothing of the stock leaves is of no use.
    passes = min(rules.passes, len(deal.stock) + 1)
    if passes > MAX_PASSES:
        raise ValueError(f"{passes} passes are more than {MAX_PASSES}")
    sets = _Sets(families)
    record = np.zeros(1, _fields(sets.words))[0]
    record["passes"] = passes
    record["stock_top"] = rules.stock_top
    record["all_must_go"] = rules.goal == "all"
    _write_cards(record, sets, values, rules)
    _write_kings(record, sets, families[-1])
    rows = _write_families(record, sets, values, families[:FAMILIES])
    numbered = NumberedDeal(record, np.zeros(rows, np.uint8), np.zeros(rows, np.uint64))
    fill_pairs_needed(numbered)
    return numbered


def _write_cards(record: Any, sets: _Sets, values: Sequence[int], rules: Rules) -> None:
    size = spot_count(rules.rows)
    must_go = range(size if rules.goal == "pyramid" else len(values))
    record["pyramid_size"], record["stock_size"] = size, len(values) - size
    record["pyramid"] = sets.whole(range(size))
    record["required"] = sets.whole([number for number in must_go if values[number] < 13])
    for number, mates in enumerate(mates_of(values, rules)):
        record["card"][number] = sets.whole([number])
        record["place"][number] = sets.place[number]
        record["mates"][number] = sets.subset(mates)
    for spot, blockers in enumerate(blockers_of(values, rules.rows)):
        record["blockers"][spot] = sets.whole(blockers)


def _write_kings(record: Any, sets: _Sets, kings: Sequence[int]) -> None:
    """See `passing.py` for what the Kings of the stock cost."""
    size = record["pyramid_size"]
    in_stock = [number for number in kings if number >= size]
    record["family"][kings] = FAMILIES
    record["kings"] = sets.whole(in_stock)
    record["kings_stay"] = not record["stock_top"] and not record["all_must_go"]
    if not record["kings_stay"]:
        for number in in_stock:
            record["king_steps"][number - size] = 1 if record["stock_top"] else 2


def _write_families(
    record: Any, sets: _Sets, values: Sequence[int], families: Sequence[Sequence[int]]
) -> int:
    """Write them down; how many rows their tables have."""
    rows = 0
    for index, family in enumerate(families):
        needy = [
            number for number in family if record["all_must_go"] or number < record["pyramid_size"]
        ]
        record["family"][family] = index
        record["member"][index, : len(family)] = family
        record["low"][index] = sets.subset([number for number in family if values[number] < 7])
        record["high"][index] = sets.subset([number for number in family if values[number] > 6])
        record["needy"][index] = sets.subset(needy)
        record["whole"][index] = sets.subset(family)
        record["word"][index], record["shift"][index] = sets.bits[family[0]] if family else (0, 0)
        record["first_row"][index] = rows
        rows += 1 << len(family)
    return rows


def set_of(numbered: NumberedDeal, numbers: Collection[int]) -> Cards:
    """The cards of these numbers, as the kernels take them."""
    return tuple(np.bitwise_or.reduce(numbered.deal["card"][sorted(numbers)], axis=0))


def cards_of(removal: int) -> tuple[int, ...]:
    """The numbers of a pair, or of the King that stands for both cards of one."""
    first, second = divmod(removal, 128)
    return (first,) if first == second else (first, second)
