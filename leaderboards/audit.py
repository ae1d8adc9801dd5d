"""Every board computed anew from the results, and held against what is stored."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from uuid import UUID

from leaderboards import periods, queries
from leaderboards.models import CountedDay, Period, PeriodScore, Result, Tally

Score = tuple[int, int]
"""Days cleared, and the ranked ms of all of them together."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What is stored under a name, and what follows from the logs instead."""

    of: str
    what: str
    stored: object
    computed: object

    def __str__(self) -> str:
        return f"{self.of}: {self.what} is {self.stored}, and {self.computed} by the logs"


def unequal(of: str, row: object, computed: Mapping[str, object]) -> Iterator[Difference]:
    """The fields of a row that are not as computed."""
    for field, value in computed.items():
        if (stored := getattr(row, field)) != value:
            yield Difference(of, field, stored, value)


def final_ranks(*, deal_id: int) -> Iterator[Difference]:
    """Of a sealed deal; the disqualified are ranked with the others."""
    results = list(Result.objects.filter(deal=deal_id).select_related("standing"))
    overall = _ranks(results)
    clean = _ranks(result for result in results if result.undo_count == 0)
    for result in results:
        expected = overall[result.pk], clean.get(result.pk)
        standing = getattr(result, "standing", None)
        stored = None if standing is None else (standing.rank, standing.clean_rank)
        if stored != expected:
            yield Difference(
                f"result {result.pk}", "its rank, and that among the clean", stored, expected
            )


def tallies() -> Iterator[Difference]:
    """Of each deal with results; of a void one they are counted too."""
    counted: defaultdict[int, Counter[str]] = defaultdict(
        lambda: Counter(overall=0, clean_results=0, disqualified=0)
    )
    judged = Result.objects.annotate(disqualified=queries.DISQUALIFIED)
    for deal_id, undos, disqualified in judged.values_list(
        "deal", "undo_count", "disqualified"
    ).iterator():
        counts = counted[deal_id]
        counts["disqualified"] += disqualified
        counts["overall"] += not disqualified
        counts["clean_results"] += not disqualified and undos == 0
    for tally in Tally.objects.all():
        yield from unequal(f"tally of deal {tally.pk}", tally, counted.pop(tally.pk, Counter()))
    for deal_id in counted:
        yield Difference(f"tally of deal {deal_id}", "it", "missing", "there")


def period_boards() -> Iterator[Difference]:
    """Of each week, each month and all time."""
    computed = _scores()
    for period in Period.objects.order_by("pk"):
        of = f"board {period}"
        expected = computed.pop((period.challenge, period.name), {})
        rows = PeriodScore.objects.filter(period=period)
        stored = {row.player_id: (row.days_cleared, row.ranked_ms) for row in rows}
        for player in sorted(stored.keys() | expected.keys(), key=str):
            if stored.get(player) != expected.get(player):
                what = f"the score of player {player}"
                yield Difference(of, what, stored.get(player), expected.get(player))
        yield from unequal(of, period, {"players": len(expected)})
    for challenge, name in computed:
        yield Difference(f"board {challenge}, {name}", "it", "missing", "there")


def _scores() -> dict[tuple[str, str], dict[UUID, Score]]:
    """By challenge and name of the period, of the days that were counted."""
    days = {row.pk: (row.challenge, row.date) for row in CountedDay.objects.all()}
    boards: defaultdict[tuple[str, str], dict[UUID, Score]] = defaultdict(dict)
    results = queries.qualified().filter(deal__in=CountedDay.objects.values("deal"))
    for deal_id, player, ranked_ms in results.values_list("deal", "player", "ranked_ms"):
        challenge, day = days[deal_id]
        for name in _names(day):
            cleared, ms = boards[challenge, name].get(player, (0, 0))
            boards[challenge, name][player] = cleared + 1, ms + ranked_ms
    return dict(boards)


def _names(day: date) -> tuple[str, str, str]:
    return periods.week_of(day), periods.month_of(day), periods.ALL_TIME


def _ranks(results: Iterable[Result]) -> dict[UUID, int]:
    """By attempt: one more than there are better ones."""
    ranks: dict[UUID, int] = {}
    ahead = 0
    for _, equals in groupby(sorted(results, key=_key), key=_key):
        tied = list(equals)
        ranks.update((result.pk, ahead + 1) for result in tied)
        ahead += len(tied)
    return ranks


def _key(result: Result) -> tuple[int, int]:
    return result.ranked_ms, result.undo_count
