"""Statistics of a sealed deal: times, percentiles, undo counts."""

from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from threading import Lock

from django.db.models import Count, F, QuerySet, Value, Window
from django.db.models.functions import Least, RowNumber

from leaderboards import queries
from leaderboards.models import Result, Tally

PERCENTS = (1, 5, 10, 25, 50, 75, 90, 95, 99)
BARS = 20  # of the histogram, at most; the last one holds all that is longer
SECOND, MINUTE, HOUR = 1_000, 60_000, 3_600_000
WIDTHS = (
    *(SECOND * n for n in (1, 2, 5, 10, 15, 30)),
    *(MINUTE * n for n in (1, 2, 5, 10, 15, 30)),
    *(HOUR * n for n in (1, 2)),
)
UNDOS = 20  # counts from here on are one


computing = Lock()  # whoever else asks waits for the answer, and does not look for it as well


@dataclass(frozen=True, slots=True)
class Bar:
    """How many results took at least `from_ms` and less than `to_ms` (None: no limit)."""

    from_ms: int
    to_ms: int | None
    count: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """Of the results on the board. `percentiles`: so many per cent took this long or less."""

    times: tuple[Bar, ...]
    percentiles: tuple[tuple[int, int], ...]
    undo_counts: tuple[tuple[int, int], ...]


def of_deal(tally: Tally) -> Statistics:
    """Computed once for each version: what is sealed changes by verdicts alone; empty if void."""
    if tally.void:
        return Statistics((), (), ())
    with computing:
        return _computed(tally.pk, tally.key, tally.version)


@lru_cache(maxsize=256)
def _computed(deal_id: int, key: str, version: int) -> Statistics:
    percentiles = _percentiles(deal_id, _results(deal_id).count())
    return Statistics(_times(deal_id, dict(percentiles)), percentiles, _undo_counts(deal_id))


def _percentiles(deal_id: int, size: int) -> tuple[tuple[int, int], ...]:
    """Return nearest-rank percentiles of the times of `size` results."""
    places = {percent: ceil(size * percent / 100) for percent in PERCENTS} if size else {}
    in_order = _results(deal_id).annotate(nth=Window(RowNumber(), order_by="elapsed_ms"))
    wanted = in_order.filter(nth__in=places.values())
    times = dict(wanted.values_list("nth", "elapsed_ms"))
    return tuple((percent, times[place]) for percent, place in places.items())


def _times(deal_id: int, percentiles: dict[int, int]) -> tuple[Bar, ...]:
    """Bars of the least even width that gets most results into them."""
    if not percentiles:
        return ()
    least, most = percentiles[PERCENTS[0]], percentiles[95]
    width = next((it for it in WIDTHS if most // it - least // it < BARS - 1), WIDTHS[-1])
    last = least // width + BARS - 1
    number = Least(F("elapsed_ms") / Value(width), Value(last))
    rows = _results(deal_id).values_list(number).annotate(Count("pk")).order_by(number)
    return tuple(
        Bar(number * width, None if number == last else (number + 1) * width, count)
        for number, count in rows
    )


def _undo_counts(deal_id: int) -> tuple[tuple[int, int], ...]:
    number = Least(F("undo_count"), Value(UNDOS))
    rows = _results(deal_id).values_list(number).annotate(Count("pk")).order_by(number)
    return tuple(rows)


def _results(deal_id: int) -> "QuerySet[Result]":
    return queries.on_board(deal_id, clean=False, group_id=None)
