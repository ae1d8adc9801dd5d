"""The rating of a deal by plain Python: the words of docs/solver.md, on the engine's rules."""

from collections.abc import Iterator
from hashlib import sha256

from games.engine import (
    Deal,
    King,
    Move,
    Outcome,
    Position,
    Rules,
    after,
    format_deal,
    format_rules,
    legal_moves,
    outcome,
)

WORD = 2**64


def wins(deal: Deal, rules: Rules, playouts: int) -> int:
    numbers = split_mix(seed(deal, rules))
    return sum(is_won(Position.start(deal, rules), numbers) for _ in range(playouts))


def is_won(position: Position, numbers: Iterator[int]) -> bool:
    while outcome(position) is None:
        moves = legal_moves(position)
        kings = [move for move in moves if isinstance(move, King)]
        position = after(position, kings[0] if kings else chosen(moves, numbers))
    return outcome(position) is Outcome.CLEARED


def chosen(moves: list[Move], numbers: Iterator[int]) -> Move:
    if len(moves) == 1:
        return moves[0]
    while True:
        product = (next(numbers) >> 32) * len(moves)
        if product % 2**32 >= 2**32 % len(moves):
            return moves[product >> 32]


def seed(deal: Deal, rules: Rules) -> int:
    parts = [text.encode() for text in (format_rules(rules), format_deal(deal))]
    counted = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return int.from_bytes(sha256(b"pyramid-daily/rating/v1\0" + counted).digest()[:8], "big")


def split_mix(state: int) -> Iterator[int]:
    while True:
        state = (state + 0x9E3779B97F4A7C15) % WORD
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % WORD
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % WORD
        yield mixed ^ mixed >> 31
