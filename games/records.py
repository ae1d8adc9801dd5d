"""Every read of what players have done: streaks, statistics of a player, final results."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from uuid import UUID

from django.db.models import Count, Min, Q

from games import queries
from games.models import Attempt, Voiding
from leaderboards import boards
from leaderboards.models import Result
from leaderboards.queries import qualified
from pyramid_site import clock, outages

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Streaks:
    """Current and longest runs of consecutive days cleared."""

    current: int
    longest: int


@dataclass(frozen=True, slots=True)
class ChallengeStats:
    """A player's ranked attempts at one challenge."""

    challenge: str
    played: int
    cleared: int
    clean: int
    best_ms: int | None


@dataclass(frozen=True, slots=True)
class FinalResult:
    """A result, its rank on the overall board, and out of how many."""

    result: Result
    rank: int
    of: int


def streaks_of(player_id: UUID) -> Streaks:
    """Compute streaks from the days with a valid result in any challenge.

    A day that can still be played, or finished in its hours of grace, breaks no streak, and
    neither does one that is bridged.
    """
    days = qualified().filter(player=player_id).values_list("deal__date", flat=True)
    return streaks(sorted(set(days)), bridged=bridged_days(), over=queries.ended_by(clock.now()))


def bridged_days() -> set[date]:
    """Return the days that do not break a streak: void days and outages."""
    return outages.days_down() | set(Voiding.objects.values_list("deal__date", flat=True))


def streaks(cleared: list[date], *, bridged: Collection[date], over: date) -> Streaks:
    """Of the days cleared, in order; `over` is the last day that can be played no more.

    >>> days = [date(2026, 11, 1), date(2026, 11, 2), date(2026, 11, 4)]
    >>> streaks(days, bridged=[], over=date(2026, 11, 4))
    Streaks(current=1, longest=2)
    >>> streaks(days, bridged=[date(2026, 11, 3)], over=date(2026, 11, 4))
    Streaks(current=3, longest=3)
    """

    def joined(before: date, after: date) -> bool:
        """Return whether no day between the two breaks a streak."""
        between = ((before + DAY * n) for n in range(1, (after - before).days))
        return all(day in bridged or day > over for day in between)

    if not cleared:
        return Streaks(0, 0)
    length = longest = 1
    for before, after in pairwise(cleared):
        length = length + 1 if joined(before, after) else 1
        longest = max(longest, length)
    goes_on = joined(cleared[-1], over + DAY)
    return Streaks(length if goes_on else 0, longest)


def stats_of(player_id: UUID, *, sealed_only: bool = False) -> list[ChallengeStats]:
    """Return statistics by challenge; a disqualified result counts as played, not cleared."""
    cleared = Q(pk__in=qualified().filter(player=player_id).values("attempt_id"))
    played = Attempt.objects.filter(player_id=player_id, ranked=True, deal__voiding=None)
    if sealed_only:
        played = played.filter(deal__seal__isnull=False)
    rows = (
        played.order_by("deal__challenge__list_order")
        .values_list("deal__challenge")
        .annotate(
            played=Count("pk"),
            cleared=Count("pk", filter=cleared),
            clean_results=Count("pk", filter=cleared & Q(undo_count=0)),
            best_ms=Min("elapsed_ms", filter=cleared),
        )
    )
    return [ChallengeStats(*row) for row in rows]


def final_results_of(player_id: UUID, *, most: int) -> list[FinalResult]:
    """A player's newest results at sealed deals that stand on their boards."""
    final = qualified().filter(player=player_id, deal__tally__final_at__isnull=False)
    newest = (
        final.select_related("standing", "deal__tally")
        .defer(*(f"deal__{secret}" for secret in queries.SECRETS))
        .order_by("-deal__date", "deal__challenge")
    )
    return [FinalResult(it, *boards.final_standing(it)) for it in newest[:most]]
