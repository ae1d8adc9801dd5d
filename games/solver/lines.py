"""Between lines of moves and what the kernels know: cards by number, the place in the deal."""

from collections.abc import Iterable, Iterator, Sequence

from games.engine import STOCK, WASTE, Deal, Draw, King, Move, Pair, Redeal, Rules, value
from games.engine.layout import SPOT_NUMBER, SPOTS, covers
from games.engine.moves import Place


class NumberedGame:
    """A game in progress in which each card is the number of its place in the deal."""

    def __init__(self, deal: Deal, rules: Rules) -> None:
        cards = deal.pyramid + deal.stock
        self.rules = rules
        self.kings = {number for number, card in enumerate(cards) if value(card) == 13}
        self.covers = covers(rules.rows)
        self.pyramid = set(range(len(deal.pyramid)))
        self.stock = list(range(len(cards) - 1, len(deal.pyramid) - 1, -1))
        """Next draw last."""
        self.waste: list[int] = []
        self.passes_before = 0

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

    def do(self, move: Move) -> None:
        """Make a legal move; raises ValueError for an undo."""
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

    def _remove(self, place: Place) -> None:
        if place == WASTE:
            self.waste.pop()
        elif place == STOCK:
            self.stock.pop()
        else:
            self.pyramid.remove(SPOT_NUMBER[place])


def spell(deal: Deal, rules: Rules, removals: Iterable[Sequence[int]]) -> tuple[Move, ...]:
    """The line that makes the removals, pairs and Kings of the stock, one after another.

    What lies between is no matter of choice: the pyramid's Kings go at once, and the stock is
    turned until the cards are available. A King that comes to the stock top goes instead of
    being turned. One on the waste goes when it is in the way, or when all cards must go.
    """
    game = NumberedGame(deal, rules)
    return tuple(_spelled(game, removals))


def _spelled(game: NumberedGame, removals: Iterable[Sequence[int]]) -> Iterator[Move]:
    for removal in removals:
        yield from _pyramid_kings(game)
        while not game.available().keys() >= set(removal):
            yield _done(game, _way_to(game, removal))
        places = [game.available()[number] for number in removal]
        yield _done(game, King(*places) if len(places) == 1 else Pair(*places))
    yield from _pyramid_kings(game)
    while game.rules.goal == "all" and (game.stock or game.waste):
        yield _done(game, _way_to(game, ()))


def _pyramid_kings(game: NumberedGame) -> Iterator[Move]:
    while kings := sorted(game.kings & game.pyramid & game.available().keys()):
        yield _done(game, King(SPOTS[kings[0]]))


def _way_to(game: NumberedGame, removal: Sequence[int]) -> Move:
    """The next move on the way to cards that are not yet available."""
    if game.waste and game.waste[-1] in game.kings:
        wanted = [game.waste.index(number) for number in removal if number in game.waste]
        if game.rules.goal == "all" or (wanted and game.kings.issuperset(game.waste[max(wanted) + 1 :])):
            return King(WASTE)
    if not game.stock:
        return Redeal()
    if game.rules.stock_top and game.stock[-1] in game.kings:
        return King(STOCK)
    return Draw()


def _done(game: NumberedGame, move: Move) -> Move:
    game.do(move)
    return move
