"""How hard a deal is: how often blind play clears it."""

from enum import StrEnum
from hashlib import sha256

from games.engine import Deal, Rules, format_deal, format_rules

PLAYOUTS = 20_000
"""How many random games rate a deal."""


class Difficulty(StrEnum):
    """The tiers, from the easiest on.

    >>> list(Difficulty)[0]
    <Difficulty.EASY: 'easy'>
    """

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"

    def distance(self, other: "Difficulty") -> int:
        """How many tiers lie between.

        >>> Difficulty.EASY.distance(Difficulty.HARD)
        2
        """
        tiers = list(Difficulty)
        return abs(tiers.index(self) - tiers.index(other))


def difficulty(wins: int) -> Difficulty:
    """The tier of a deal that so many of the playouts clear.

    >>> difficulty(500), difficulty(49)
    (<Difficulty.EASY: 'easy'>, <Difficulty.HARD: 'hard'>)
    """
    if wins >= 500:
        return Difficulty.EASY
    if wins >= 50:
        return Difficulty.MEDIUM
    return Difficulty.HARD if wins >= 5 else Difficulty.EXPERT


def rate(deal: Deal, rules: Rules, *, playouts: int = PLAYOUTS) -> int:
    """How many of the playouts clear the deal: the same number on every machine."""
    from games.solver.kernel.playouts import count_wins

    return count_wins(deal, rules, seed=rating_seed(deal, rules), playouts=playouts)


def rating_seed(deal: Deal, rules: Rules) -> int:
    """Where the generator starts: the first 8 bytes of a hash of the rules and the deal."""
    message = b"pyramid-daily/rating/v1\0"
    for text in (format_rules(rules), format_deal(deal)):
        message += len(text).to_bytes(4, "big") + text.encode()
    return int.from_bytes(sha256(message).digest()[:8], "big")
