"""What stands out in a log: numbers, and flags that ask a person to look. They decide nothing.

The rule is published in `docs/review.md`; change both together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median, quantiles

from games.replays import Step

ENOUGH = 20  # gaps, and then some, from which a pace can be told
FAST_MS = 300  # a median gap below this: hardly time to look
LEAST_MS = 60  # a gap below this: no hand is so quick
EVEN = 0.1  # the middle half of the gaps lies within a tenth of their median
ENOUGH_CARDS = 8  # new ones
BURST = 10  # undos in a row
SURE = 10  # moves after the last undo


@dataclass(frozen=True, slots=True)
class Numbers:
    """What is measured of a log; ms, and None where there is too little of it."""

    moves: int
    undos: int
    median_ms: float | None
    least_ms: int | None
    spread_ms: float | None
    """Between the first and the third quarter of the gaps."""
    after_new_ms: float | None
    """The median gap after a move that showed a new card."""
    after_known_ms: float | None
    """The median gap after the other moves."""
    longest_burst: int
    """Undos in a row."""
    moves_after_last_undo: int


def measure(log: Sequence[Step]) -> Numbers:
    """The numbers of a log; the time before its first move, for reading the deal, is left out."""
    gaps = [step.gap_ms for step in log[1:]]
    after_new = [step.gap_ms for last, step in pairwise(log) if last.shows_a_card]
    after_known = [step.gap_ms for last, step in pairwise(log) if not last.shows_a_card]
    first, _, third = quantiles(gaps, n=4) if len(gaps) > 1 else (None, None, None)
    bursts = [len(list(run)) for undo, run in groupby(log, key=lambda it: it.is_undo) if undo]
    undone = [step.number for step in log if step.is_undo]
    return Numbers(
        moves=len(log),
        undos=len(undone),
        median_ms=median(gaps) if gaps else None,
        least_ms=min(gaps, default=None),
        spread_ms=None if third is None or first is None else third - first,
        after_new_ms=median(after_new) if after_new else None,
        after_known_ms=median(after_known) if after_known else None,
        longest_burst=max(bursts, default=0),
        moves_after_last_undo=len(log) - max(undone, default=0),
    )


def flags(log: Sequence[Step]) -> list[str]:
    """Why a person should look at a log, in words; mostly nothing."""
    numbers = measure(log)
    new_cards = sum(step.shows_a_card for step in log)
    enough = numbers.moves > ENOUGH
    reasons = {
        "fast moves": enough and _less(numbers.median_ms, FAST_MS),
        "even pace": enough and _less(numbers.spread_ms, EVEN * (numbers.median_ms or 0)),
        "moves faster than a hand": _less(numbers.least_ms, LEAST_MS),
        "no pause at new cards": (
            new_cards >= ENOUGH_CARDS and _less(numbers.after_new_ms, FAST_MS)
        ),
        "many undos at once, then none": (
            numbers.longest_burst >= BURST and numbers.moves_after_last_undo >= SURE
        ),
    }
    return [reason for reason, holds in reasons.items() if holds]


def _less(value: float | None, bound: float) -> bool:
    return value is not None and value < bound
