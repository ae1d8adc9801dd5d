"""A deal as bit masks, for the oracle: one bit a card, the pyramid first and then the stock."""

from collections.abc import Iterator
from itertools import combinations

from games.engine import Deal, Rules, value
from games.engine.layout import covers


class Bitboard:
    """What never changes in a deal, as masks and as lists by card number.

    `mates` holds for each card all that may ever leave with it: two cards of which one lies
    under the other, however deep, are never available together. `value_pairs` holds the cards
    of two values that total 13, `families` the same as one mask, and `family` for each card the
    one it belongs to: 0 for a King.

    >>> from dataclasses import replace
    >>> from games.engine import RULE_SETS
    >>> rules = replace(RULE_SETS["one-pass"], rows=2)
    >>> board = Bitboard(Deal(("6d", "7c", "4s"), ("7h", "9h", "6s")), rules)
    >>> bin(board.mates[0]), bin(board.mates[1]), bin(board.mates[3])
    ('0b1000', '0b100000', '0b1')
    """

    def __init__(self, deal: Deal, rules: Rules) -> None:
        cards = deal.pyramid + deal.stock
        self.size = len(cards)
        self.pyramid_size = len(deal.pyramid)
        self.everything = (1 << self.size) - 1
        self.pyramid = (1 << self.pyramid_size) - 1
        self.outside = self.everything ^ self.pyramid
        self.required = self.pyramid if rules.goal == "pyramid" else self.everything

        of_value = [0] * 14
        for number, card in enumerate(cards):
            of_value[value(card)] |= 1 << number
        self.kings = of_value[13]
        self.value_pairs = [(of_value[low], of_value[13 - low]) for low in range(1, 7)]
        self.families = [low | high for low, high in self.value_pairs]
        self.family = [0] * self.size
        for family in self.families:
            for number in numbers(family):
                self.family[number] = family

        over = covers(rules.rows)
        self.covers = [sum(1 << cover for cover in spot) for spot in over]
        self.covered_by: list[list[int]] = [
            [spot for spot, spot_covers in enumerate(over) if cover in spot_covers]
            for cover in range(self.pyramid_size)
        ]
        self.mates = self._mates([value(card) for card in cards], rules.outside_pairs)
        self._pairable: dict[int, bool] = {}

    def _mates(self, values: list[int], outside_pairs: bool) -> list[int]:
        above = self._all_above()
        mates = [0] * self.size
        for first, second in combinations(range(self.size), 2):
            both_outside = first >= self.pyramid_size
            if values[first] + values[second] != 13 or above[first] >> second & 1:
                continue
            if outside_pairs or not both_outside:
                mates[first] |= 1 << second
                mates[second] |= 1 << first
        return mates

    def _all_above(self) -> list[int]:
        """For each card the cards that must leave before it is exposed, covers of covers too."""
        above = [0] * self.size
        for spot in reversed(range(self.pyramid_size)):
            above[spot] = self.covers[spot]
            for cover in numbers(self.covers[spot]):
                above[spot] |= above[cover]
        return above

    def pairable(self, cards: int) -> bool:
        """Whether all cards of one family that must leave can be paired off among `cards`."""
        needy = cards & self.required
        if not needy:
            return True
        known = self._pairable.get(cards)
        if known is None:
            first = (needy & -needy).bit_length() - 1
            rest = cards ^ 1 << first
            known = any(
                self.pairable(rest ^ 1 << mate) for mate in numbers(self.mates[first] & cards)
            )
            self._pairable[cards] = known
        return known


def numbers(cards: int) -> Iterator[int]:
    """The card numbers of a mask, in order.

    >>> list(numbers(0b10110))
    [1, 2, 4]
    """
    while cards:
        lowest = cards & -cards
        yield lowest.bit_length() - 1
        cards ^= lowest
