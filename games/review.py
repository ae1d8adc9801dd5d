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
ENOUGH_CARDS = 8  # new cards, and as many known ones
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
    """The numbers of a log; the time before its first move is for reading the deal, and left out."""
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
    new = sum(step.shows_a_card for step in log)
    found = []
    if numbers.moves > ENOUGH and numbers.median_ms is not None:
        if numbers.median_ms < FAST_MS:
            found.append("moves follow each other faster than one can look")
        if numbers.spread_ms is not None and numbers.spread_ms < EVEN * numbers.median_ms:
            found.append("the pace is as even as a clock")
    if numbers.least_ms is not None and numbers.least_ms < LEAST_MS:
        found.append("a move follows faster than a hand")
    if (
        min(new, numbers.moves - new) >= ENOUGH_CARDS
        and numbers.after_new_ms is not None
        and numbers.after_known_ms is not None
        and numbers.after_new_ms <= numbers.after_known_ms
    ):
        found.append("a new card gives no pause")
    if numbers.longest_burst >= BURST and numbers.moves_after_last_undo >= SURE:
        found.append("much is taken back at once, and then no move is")
    return found
