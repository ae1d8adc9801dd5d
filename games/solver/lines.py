"""Between lines of moves and what the kernels know: cards by number, the place in the deal."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from games.engine import STOCK, WASTE, Deal, Draw, King, Move, Pair, Redeal, Rules, value
from games.engine.layout import SPOT_NUMBER, SPOTS, covers
from games.engine.moves import Place

Removal: TypeAlias = tuple[int, ...]
"""The numbers of a pair, or of a King."""


class NumberedGame:
    """A game in progress in which each card is the number of its place in the deal."""

    def __init__(self, deal: Deal, rules: Rules) -> None:
        cards = deal.pyramid + deal.stock
        self.rules = rules
        self.kings = {number for number, card in enumerate(cards) if value(card) == 13}
        self.covers = covers(rules.rows)
        self.pyramid = set(range(len(deal.pyramid)))
        self.dealt_stock = len(deal.stock)
        self.stock = list(range(len(cards) - 1, len(deal.pyramid) - 1, -1))
        """Next draw last."""
        self.waste: list[int] = []
        self.passes_before = 0

    @property
    def cards(self) -> set[int]:
        """All that is left."""
        return self.pyramid.union(self.stock, self.waste)

    @property
    def drawn(self) -> int:
        """How many cards of the stock, as dealt, come before the next to be drawn, Kings apart."""
        coming = [number for number in self.stock if number not in self.kings]
        dealt = len(self.covers) + self.dealt_stock
        return (coming[-1] if coming else dealt) - len(self.covers)

    def available(self) -> dict[int, Place]:
        """The cards that may be removed, and where they lie."""
        cards = {
            spot: SPOTS[spot]
            for spot in self.pyramid
            if not self.pyramid.intersection(self.covers[spot])
        }
        if self.waste:
            cards[self.waste[-1]] = WASTE
        if self.stock and self.rules.stock_top:
            cards[self.stock[-1]] = STOCK
        return cards

    def do(self, move: Move) -> Move:
        """Make a legal move, and give it back; raises ValueError for an undo."""
        match move:
            case Draw():
                self.waste.append(self.stock.pop())
            case Redeal():
                self.stock, self.waste = self.waste[::-1], []
                self.passes_before += 1
            case King(place):
                self._remove(place)
            case Pair(first, second):
                self._remove(first)
                self._remove(second)
            case _:
                raise ValueError("a line holds no undo")
        return move

    def _remove(self, place: Place) -> None:
        if place == WASTE:
            self.waste.pop()
        elif place == STOCK:
            self.stock.pop()
        else:
            self.pyramid.remove(SPOT_NUMBER[place])


def spell(deal: Deal, rules: Rules, removals: Iterable[Removal]) -> tuple[Move, ...]:
    """The line that makes the removals, pairs and Kings of the stock, one after another.

    What lies between is no matter of choice: the pyramid's Kings go at once, and the stock is
    turned until the cards are available. A King that comes to the stock top goes instead of being
    turned; one on the waste goes when it is in the way, or when all cards must go.
    """
    return tuple(_spelled(NumberedGame(deal, rules), removals))


def _spelled(game: NumberedGame, removals: Iterable[Removal]) -> Iterator[Move]:
    for removal in removals:
        yield from _without_kings(game)
        while not game.available().keys() >= set(removal):
            yield game.do(_way_to(game, removal))
        places = [game.available()[number] for number in removal]
        yield game.do(King(*places) if len(places) == 1 else Pair(*places))
    yield from _without_kings(game)
    while game.rules.goal == "all" and game.cards:
        yield game.do(_way_to(game, ()))


def _without_kings(game: NumberedGame) -> Iterator[Move]:
    """Takes the Kings of the pyramid, as long as one is exposed."""
    while kings := game.kings & game.pyramid & game.available().keys():
        yield game.do(King(SPOTS[min(kings)]))


def _way_to(game: NumberedGame, removal: Removal) -> Move:
    """The next move on the way to cards that are not yet available."""
    if game.waste and game.waste[-1] in game.kings:
        beneath = [number for number in game.waste if number not in game.kings][-1:]
        if game.rules.goal == "all" or set(beneath) & set(removal):
            return King(WASTE)
    if not game.stock:
        return Redeal()
    if game.rules.stock_top and game.stock[-1] in game.kings:
        return King(STOCK)
    return Draw()
