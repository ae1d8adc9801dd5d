"""The ways in which a text or a move is refused."""


class GameError(ValueError):
    """A text or a move that the game does not take.

    `number` is the move's place in its log, counted from 1, where a whole log was replayed.

    >>> error = GameError("no such thing")
    >>> error.number = 17
    >>> print(error)
    move 17: no such thing
    """

    number: int | None = None

    def __str__(self) -> str:
        reason = super().__str__()
        return reason if self.number is None else f"move {self.number}: {reason}"


class NotationError(GameError):
    """A text that spells no card, deal, position, move or rule set.

    >>> raise NotationError("'1x' is not a card")
    Traceback (most recent call last):
    games.engine.errors.NotationError: '1x' is not a card
    """


class IllegalMoveError(GameError):
    """A well-spelled move that the rules forbid in this position.

    `rule` is the number of the rule, such as "R4"; `move` is the move's text. Neither these nor
    the message depend on a card that the player has not seen.

    >>> raise IllegalMoveError("R8", "D", "the stock is empty")
    Traceback (most recent call last):
    games.engine.errors.IllegalMoveError: D: the stock is empty (R8)
    """

    def __init__(self, rule: str, move: str, reason: str) -> None:
        super().__init__(f"{move}: {reason} ({rule})")
        self.rule = rule
        self.move = move


class NothingToUndoError(GameError):
    """An undo when every move is already taken back (R12).

    >>> raise NothingToUndoError("U: no move is left to take back")
    Traceback (most recent call last):
    games.engine.errors.NothingToUndoError: U: no move is left to take back
    """


class LogFullError(GameError):
    """A move beyond the last that a log can hold (R13).

    >>> raise LogFullError("D: the log is full")
    Traceback (most recent call last):
    games.engine.errors.LogFullError: D: the log is full
    """
