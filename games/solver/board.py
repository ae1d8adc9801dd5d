"""A deal as arrays for the kernels: its cards sorted into families, each a run of bits."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from games.engine import Deal, Rules, value
from games.engine.layout import covers

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

FAMILIES = 6
"""Pairs of values that total 13. The Kings stand behind them as a seventh family."""

WORD_CARDS = (52, 64)
"""How many cards each word of a set holds."""

MAX_FAMILY = 20
"""A family has tables with a row for each of its subsets: 16 cards in two decks."""

MAX_TIME = 2**12 - 2


class Board(NamedTuple):
    """What never changes in a deal. Cards are numbered as dealt: the pyramid, then the stock.

    A set of cards is one word or two (`sets.py`), and `card`, `blockers` hold a set for each card.
    Within its family a card has a place, and a subset of the family is a number whose bits are
    those places: `low` and `high` are the cards of either value, `mates` for each card all that
    may ever leave with it, and `member` gives the number of the card at a place.
    """

    pyramid_size: int
    stock_size: int
    passes: int
    stock_top: bool
    outside_pairs: bool
    card: tuple[Words, ...]
    blockers: tuple[Words, ...]
    everything: tuple[np.uint64, ...]
    kings: tuple[np.uint64, ...]
    pyramid: tuple[np.uint64, ...]
    required: tuple[np.uint64, ...]
    family: Numbers
    place: Words
    mates: Words
    member: Numbers
    word: Numbers
    shift: Words
    whole: Words
    low: Words
    high: Words
    required_of: Words
    first_row: Numbers
    pairs_needed: npt.NDArray[np.uint8]
    worth: Words


def lay_out(deal: Deal, rules: Rules) -> Board:
    """The board of a deal; raises ValueError for one too large for the kernels."""
    cards = deal.pyramid + deal.stock
    values = [value(card) for card in cards]
    families = _families(values)
    bits = _bits(families)
    passes = min(rules.passes, len(deal.stock) + 1)  # a pass that removes nothing is of no use
    if passes * (len(deal.stock) + 1) > MAX_TIME:
        raise ValueError(f"{passes} passes through {len(deal.stock)} cards are too many")
    words = 1 + max((word for word, _ in bits), default=0)
    masks = [
        tuple(1 << bit if word == number else 0 for number in range(words)) for word, bit in bits
    ]
    size = len(deal.pyramid)
    kings = [number for number, card_value in enumerate(values) if card_value == 13]
    outside = rules.stock_top and rules.outside_pairs
    blockers = _blockers(values, rules.rows)
    mates = _mates(values, size, rules.rows, outside)
    needy = range(size) if rules.goal == "pyramid" else range(len(cards))
    place = [0] * len(cards)
    for family in families:
        for index, number in enumerate(family):
            place[number] = index

    def subset(family: Sequence[int], wanted: Any) -> int:
        return sum(1 << place[number] for number in family if number in wanted)

    def union(numbers: Any) -> tuple[np.uint64, ...]:
        return tuple(
            np.uint64(sum(masks[number][word] for number in numbers)) for word in range(words)
        )

    def listed(sets: list[tuple[Any, ...]]) -> tuple[Words, ...]:
        return tuple(np.array([each[word] for each in sets], np.uint64) for word in range(words))

    member = np.zeros((FAMILIES + 1, max(map(len, families))), np.int64)
    for index, family in enumerate(families):
        member[index, : len(family)] = family
    rows = [1 << len(family) for family in families[:FAMILIES]]
    plain = families[:FAMILIES]
    lows = {number for number, card_value in enumerate(values) if card_value <= 6}
    family_of = np.zeros(len(cards), np.int64)
    for index, family in enumerate(families):
        family_of[family] = index
    first_bits = [bits[family[0]] if family else (0, 0) for family in plain]
    return Board(
        pyramid_size=size,
        stock_size=len(deal.stock),
        passes=passes,
        stock_top=rules.stock_top,
        outside_pairs=outside,
        card=listed(masks),
        blockers=listed([union(numbers) for numbers in blockers]),
        everything=union(range(len(cards))),
        kings=union(kings),
        pyramid=union(range(size)),
        required=union(number for number in needy if values[number] != 13),
        family=family_of,
        place=np.array(place, np.uint64),
        mates=np.array([subset(range(len(cards)), each) for each in mates], np.uint64),
        member=member,
        word=np.array([word for word, _ in first_bits], np.int64),
        shift=np.array([bit for _, bit in first_bits], np.uint64),
        whole=np.array([size - 1 for size in rows], np.uint64),
        low=np.array([subset(family, lows) for family in plain], np.uint64),
        high=np.array(
            [subset(family, set(family) - lows) for family in plain], np.uint64
        ),
        required_of=np.array([subset(family, needy) for family in plain], np.uint64),
        first_row=np.cumsum([0, *rows[:-1]]),
        pairs_needed=np.zeros(sum(rows), np.uint8),
        worth=np.zeros(sum(rows), np.uint64),
    )


def _families(values: Sequence[int]) -> list[list[int]]:
    """The numbers of each family's cards, the Kings last."""
    families: list[list[int]] = [[] for _ in range(FAMILIES + 1)]
    for number, card_value in enumerate(values):
        families[min(card_value, 13 - card_value) - 1 if card_value < 13 else -1].append(number)
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


def _mates(values: Sequence[int], size: int, rows: int, outside: bool) -> list[set[int]]:
    """For each card those that can be available at the same time, by cover alone (R4, R7)."""
    above: list[set[int]] = [set() for _ in values]
    for spot, over in reversed(list(enumerate(covers(rows)))):
        above[spot] = set(over).union(*(above[cover] for cover in over))
    return [
        {
            mate
            for mate, mate_value in enumerate(values)
            if card_value + mate_value == 13
            and mate not in above[number]
            and number not in above[mate]
            and (outside or min(number, mate) < size)
        }
        for number, card_value in enumerate(values)
    ]
