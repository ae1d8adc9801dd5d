"""A game in progress: the deal, the moves that stand, and what the player has seen."""

from collections.abc import Iterable
from dataclasses import dataclass

from games.engine.cards import HIDDEN, Card
from games.engine.deal import Deal
from games.engine.errors import GameError, LogFullError, NothingToUndoError
from games.engine.moves import Move, Undo, format_move
from games.engine.position import Position, format_position
from games.engine.rules import Outcome, after, outcome, play
from games.engine.rulesets import Rules

MAX_LOG = 10_000
"""How many moves a log holds, undos included (R13)."""


@dataclass(frozen=True, slots=True, repr=False)
class Game:
    """A game after some moves; playing gives a new one.

    `line` is what stands after the undos, `ply` the length of the log, undos included. `seen`
    counts the cards of the stock, in the order of the deal, that the player has ever been shown:
    an undo takes no card back from memory. An undo is open even in a cleared game; a server that
    ends the attempt there simply plays no more.

    >>> from games.engine.cards import DECK
    >>> from games.engine.moves import Draw
    >>> from games.engine.rulesets import RULE_SETS
    >>> rules = RULE_SETS["one-pass"]
    >>> game = Game.start(Deal.from_deck(DECK, rules), rules).play(Draw()).play(Undo())
    >>> game.line, game.ply, game.undo_count, game.seen
    ((), 2, 1, 1)
    """

    deal: Deal
    rules: Rules
    line: tuple[Move, ...]
    ply: int
    undo_count: int
    seen: int
    position: Position

    @classmethod
    def start(cls, deal: Deal, rules: Rules) -> "Game":
        """The game before its first move.

        >>> from games.engine.cards import DECK
        >>> from games.engine.rulesets import RULE_SETS
        >>> rules = RULE_SETS["three-pass"]
        >>> Game.start(Deal.from_deck(DECK, rules), rules).seen
        1
        """
        position = Position.start(deal, rules)
        return cls(deal, rules, (), 0, 0, _reached(position, deal), position)

    @classmethod
    def resume(
        cls,
        deal: Deal,
        rules: Rules,
        *,
        line: tuple[Move, ...],
        ply: int,
        undo_count: int,
        seen: int,
    ) -> "Game":
        """The game of a line that was checked when it was played.

        >>> from games.engine.cards import DECK
        >>> from games.engine.moves import Draw
        >>> from games.engine.rulesets import RULE_SETS
        >>> rules = RULE_SETS["one-pass"]
        >>> deal = Deal.from_deck(DECK, rules)
        >>> Game.resume(deal, rules, line=(Draw(),), ply=3, undo_count=1, seen=1).position.waste
        ('3h',)
        """
        position = Position.start(deal, rules)
        for move in line:
            position = after(position, move)
        return cls(deal, rules, line, ply, undo_count, seen, position)

    def play(self, move: Move) -> "Game":
        """The game after a move or an undo.

        Raises IllegalMoveError, NothingToUndoError or LogFullError, and then nothing has changed.

        >>> from games.engine.cards import DECK
        >>> from games.engine.moves import King
        >>> from games.engine.rulesets import RULE_SETS
        >>> rules = RULE_SETS["one-pass"]
        >>> Game.start(Deal.from_deck(DECK, rules), rules).play(King("g4")).position.pyramid[24]
        Traceback (most recent call last):
        games.engine.errors.IllegalMoveError: g4: Qd is no King and needs a partner (R5)
        """
        if self.full:
            raise LogFullError(f"{format_move(move)}: the log is full at {MAX_LOG} moves")
        if isinstance(move, Undo):
            return self._take_back()
        position = play(self.position, move)
        return Game(
            self.deal,
            self.rules,
            (*self.line, move),
            self.ply + 1,
            self.undo_count,
            max(self.seen, _reached(position, self.deal)),
            position,
        )

    def _take_back(self) -> "Game":
        if not self.can_undo:
            raise NothingToUndoError("U: no move is left to take back")
        return Game.resume(
            self.deal,
            self.rules,
            line=self.line[:-1],
            ply=self.ply + 1,
            undo_count=self.undo_count + 1,
            seen=self.seen,
        )

    def __repr__(self) -> str:
        """Says no more than the player may see: it may come to stand in a log."""
        return f"<Game at ply {self.ply}: {format_position(self.shown)}>"

    @property
    def can_undo(self) -> bool:
        """Whether a move is left to take back, and room in the log to say so (R12, R13)."""
        return bool(self.line) and not self.full

    @property
    def full(self) -> bool:
        """Whether the log takes no more moves (R13)."""
        return self.ply >= MAX_LOG

    @property
    def outcome(self) -> Outcome | None:
        """Cleared, stuck, or None while there is a way on."""
        return outcome(self.position)

    @property
    def shown(self) -> Position:
        """The position as its player may see it: cards of the stock never shown are `HIDDEN`.

        The same moves are legal in it as in the true position, and refused by the same rules.
        """
        # Until every card has been seen, what is left of the stock is the end of the dealt one.
        hidden = len(self.deal.stock) - self.seen
        stock = self.position.stock
        return self.position._replace(stock=stock[: len(stock) - hidden] + (HIDDEN,) * hidden)

    def newly_shown(self, before: "Game") -> Card | None:
        """The stock card that the one move since `before` showed for the first time, if any."""
        return self.deal.stock[before.seen] if self.seen > before.seen else None


def replay(deal: Deal, rules: Rules, moves: Iterable[Move]) -> Game:
    """The game of a log, undos included, each move checked.

    Raises what `Game.play` raises, with the number of the move.

    >>> from games.engine.cards import DECK
    >>> from games.engine.moves import parse_log
    >>> from games.engine.rulesets import RULE_SETS
    >>> rules = RULE_SETS["one-pass"]
    >>> replay(Deal.from_deck(DECK, rules), rules, parse_log("D D U U U", rules))
    Traceback (most recent call last):
    games.engine.errors.NothingToUndoError: move 5: U: no move is left to take back
    """
    game = Game.start(deal, rules)
    for number, move in enumerate(moves, start=1):
        try:
            game = game.play(move)
        except GameError as error:
            error.number = number
            raise
    return game


def _reached(position: Position, deal: Deal) -> int:
    """How many cards of the dealt stock this position shows or has shown, in its first pass."""
    face_up = position.rules.stock_top and bool(position.stock)
    return len(deal.stock) - len(position.stock) + face_up
