"""Logs played over again: what each move did, and when."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from games import engine


@dataclass(frozen=True, slots=True)
class Step:
    """A move of a log with the games before and after it; `gap_ms` since the move before."""

    number: int
    move: engine.Move
    at_ms: int
    gap_ms: int
    before: engine.Game
    after: engine.Game

    @property
    def is_undo(self) -> bool:
        return isinstance(self.move, engine.Undo)

    @property
    def shows_a_card(self) -> bool:
        """The player saw a card of the stock that was never shown before."""
        return self.after.seen > self.before.seen


def games_after(
    deal: engine.Deal, rules: engine.Rules, moves: Iterable[engine.Move]
) -> Iterator[engine.Game]:
    """The game after each move of a log; an undo goes back to the game that it returns to.

    Its `line`, `position` and `seen` are those of a game played move by move, its counts are not.
    """
    line = [engine.Game.start(deal, rules)]
    for move in moves:
        if isinstance(move, engine.Undo):
            seen = line.pop().seen
            line[-1] = replace(line[-1], seen=seen)
        else:
            line.append(line[-1].play(move))
        yield line[-1]


def steps(deal: engine.Deal, rules: engine.Rules, log: Iterable[tuple[str, int]]) -> list[Step]:
    """A log of moves and ms from the start, step by step."""
    timed = [(engine.parse_move(text, rules), at_ms) for text, at_ms in log]
    before, since = engine.Game.start(deal, rules), 0
    found = []
    games = games_after(deal, rules, (move for move, _ in timed))
    for number, ((move, at_ms), after) in enumerate(zip(timed, games, strict=True), start=1):
        found.append(Step(number, move, at_ms, at_ms - since, before, after))
        before, since = after, at_ms
    return found
