"""The shuffle that anyone can repeat from a seed, and the decks of a deal's seed."""

import hmac
from collections.abc import Iterator

from games.engine.cards import Card, card_of

SHUFFLE_ID = "hmac-sha256-fy-v1"


def shuffle(seed: bytes, decks: int) -> tuple[Card, ...]:
    """One or two decks in the order of a 32-byte seed: a Fisher-Yates shuffle.

    >>> shuffle(bytes(32), decks=1)[:4]
    ('8s', '2c', '9h', '6c')
    """
    size = 52 * decks
    keystream = _keystream(seed, size)
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        chosen = _bounded(keystream, last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(map(card_of, order))


def deal_deck(seed: bytes, challenge_id: str, k: int, decks: int) -> tuple[Card, ...]:
    """The candidate deck number `k`, counted from 0, of a deal's seed.

    >>> deal_deck(bytes(32), "one-pass", k=0, decks=1)[:4]
    ('8s', '8d', '5d', '7s')
    """
    name = challenge_id.encode()
    message = b"deal\0" + _be32(len(name)) + name + _be32(k)
    return shuffle(hmac.digest(seed, message, "sha256"), decks)


def _keystream(seed: bytes, size: int) -> Iterator[int]:
    """Bytes without end: HMAC blocks numbered from 0."""
    block = 0
    while True:
        message = b"pyramid-daily/shuffle/v1\0" + _be32(size) + _be32(block)
        yield from hmac.digest(seed, message, "sha256")
        block += 1


def _bounded(keystream: Iterator[int], bound: int) -> int:
    """The next number below `bound`, each equally likely: bytes past the last multiple go."""
    limit = 256 - 256 % bound
    return next(byte for byte in keystream if byte < limit) % bound


def _be32(number: int) -> bytes:
    return number.to_bytes(4, "big")
