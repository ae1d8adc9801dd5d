"""The boards of weeks, months and all time: most days cleared, then the least total time.

Made of sealed days, each counted once; a verdict about a result of such a day changes them at
once. What they hold can at any time be computed anew from the results.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import partial
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Count, QuerySet, Sum, Value

from leaderboards import queries, ranking
from leaderboards.models import CountedDay, Period, PeriodScore, Result
from pyramid_site.paging import Keys, Page
from pyramid_site.refusals import Refusal, not_found

ALL_TIME = "all-time"
ORDER = Keys(("minus_days", "ranked_ms", "player_id"))


@dataclass(frozen=True, slots=True)
class PeriodEntry:
    """A score with its rank; equal scores share a rank (1, 2, 2, 4)."""

    rank: int
    score: PeriodScore


@dataclass(frozen=True, slots=True)
class PeriodExcerpt:
    """A page of a board, and of the same instant the size of all of it, or of the group's part."""

    page: Page[PeriodEntry]
    total: int


def week_of(day: date) -> str:
    """The ISO week, as `2026-W48`; around the new year it may be of the other year."""
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02}"


def month_of(day: date) -> str:
    """The month, as `2026-11`."""
    return f"{day:%Y-%m}"


def find(*, challenge: str, period: str, today: date) -> Period:
    """A period by its name, or the present `week` or `month`, which may be empty.

    Raises Refusal `not_found` for the future, for what never was and for what is no period.
    """
    present = {"week": week_of(today), "month": month_of(today), ALL_TIME: ALL_TIME}
    name = present.get(period, period)
    # Only periods that have begun have rows, and all names that there are have this alphabet.
    if re.fullmatch(r"[0-9W-]{7,8}|all-time", name):
        found = Period.objects.filter(challenge=challenge, name=name).first()
        if found or name in present.values():
            return found or Period(challenge=challenge, name=name)
    raise not_found("board")


@transaction.atomic
def count(*, deal_id: int, challenge: str, day: date) -> bool:
    """Adds the results of a sealed deal to the boards of its periods, once; whether it has.

    It has not, either, while a verdict about the deal or another count is under way, and never if
    the deal is void.
    """
    if not queries.lock_final_tally(deal_id):
        return False
    _, new = CountedDay.objects.get_or_create(
        deal_id=deal_id, defaults={"challenge": challenge, "date": day}
    )
    if new:
        for period in _locked(challenge, day):
            _add(period, queries.qualified().filter(deal=deal_id))
    return new


def revise(*, result: Result, change: int) -> None:
    """Takes a result off the boards of its periods (-1), or puts it on them again (1).

    Part of the transaction of the verdict, which has locked the deal's tally.
    """
    counted = CountedDay.objects.filter(deal=result.deal_id).first()
    if counted is None:
        return
    for period in _locked(counted.challenge, counted.date):
        if change > 0:
            _add(period, Result.objects.filter(pk=result.pk))
            continue
        score = PeriodScore.objects.get(period=period, player=result.player_id)
        if score.days_cleared == 1:
            score.delete()
        else:
            score.minus_days += 1
            score.ranked_ms -= result.ranked_ms
            score.save()
        _has_changed(period)


def forget(*, deal_id: int) -> None:
    """Takes the results of a void deal off the boards of its periods.

    Part of the transaction that voids it, which has locked the deal's tally.
    """
    counted = CountedDay.objects.filter(deal=deal_id).first()
    if counted is None:
        return
    counted.delete()
    for period in _locked(counted.challenge, counted.date):
        recompute(period_id=period.pk)


@transaction.atomic
def recompute(*, period_id: int) -> None:
    """Computes the board of a period anew, from the results of the days that were counted."""
    period = queries.lock_period(period_id)
    period.scores.all().delete()
    _add(period, queries.qualified().filter(deal__in=_days(period).values("deal")))


def page(
    *, challenge: str, name: str, cursor: str | None, limit: int, group_id: UUID | None = None
) -> PeriodExcerpt:
    """A page of a period's board, best first; empty where no day of it was counted.

    Raises Refusal `invalid_request` for an unknown cursor.
    """
    return _excerpt(challenge, name, group_id, partial(ORDER.page, cursor=cursor, limit=limit))


def around(
    *, challenge: str, name: str, player_id: UUID, limit: int, group_id: UUID | None = None
) -> PeriodExcerpt:
    """The page with a player as near its middle as the ends of the board allow.

    Raises Refusal `not_ranked`.
    """

    def read(scores: "QuerySet[PeriodScore]") -> Page[PeriodScore]:
        score = scores.filter(player=player_id).first()
        if score is None:
            raise Refusal("not_ranked", ranking.NOT_RANKED)
        return ORDER.around(scores, score, limit=limit)

    return _excerpt(challenge, name, group_id, read)


def scores_of(player_id: UUID) -> "QuerySet[PeriodScore]":
    """A player's scores on all boards, oldest period first."""
    return PeriodScore.objects.filter(player=player_id).select_related("period").order_by("period")


@ranking.snapshot()
def _excerpt(
    challenge: str,
    name: str,
    group_id: UUID | None,
    read: "Callable[[QuerySet[PeriodScore]], Page[PeriodScore]]",
) -> PeriodExcerpt:
    period = Period.objects.filter(challenge=challenge, name=name).first()
    rows = PeriodScore.objects.filter(period=period).select_related("player")
    total = period.players if period else 0
    if group_id is not None:
        rows = rows.filter(player__memberships__group=group_id)
        total = rows.count()
    scores = read(rows)
    first = ranking.counts(rows, ORDER, ranking.row_to_count(scores))
    ranks = ranking.ranks(scores.items, ORDER, first)
    entries = [PeriodEntry(rank, score) for rank, score in zip(ranks, scores.items, strict=True)]
    return PeriodExcerpt(Page(entries, scores.next, scores.previous), total)


def _locked(challenge: str, day: date) -> list[Period]:
    """The periods of a day, locked until the transaction ends."""
    return queries.lock_periods(challenge, [week_of(day), month_of(day), ALL_TIME])


def _days(period: Period) -> "QuerySet[CountedDay]":
    days = CountedDay.objects.filter(challenge=period.challenge)
    if period.name == ALL_TIME:
        return days
    year, part = period.name.split("-")
    if part.startswith("W"):
        return days.filter(date__iso_year=year, date__week=part[1:])
    return days.filter(date__year=year, date__month=part)


def _add(period: Period, results: "QuerySet[Result]") -> None:
    """Adds results to a period's board, each to its player's score, in one statement."""
    sums = (
        results.order_by()
        .values("player")
        .annotate(days=-Count("pk"), ms=Sum("ranked_ms"), period=Value(period.pk))
    )
    select, params = sums.values_list("period", "player", "days", "ms").query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            INSERT INTO leaderboards_periodscore AS score
                (period_id, player_id, minus_days, ranked_ms)
            {select}
            ON CONFLICT (period_id, player_id) DO UPDATE SET
                minus_days = score.minus_days + EXCLUDED.minus_days,
                ranked_ms = score.ranked_ms + EXCLUDED.ranked_ms
            """,
            params,
        )
    _has_changed(period)


def _has_changed(period: Period) -> None:
    period.version += 1
    period.players = period.scores.count()
    period.save()
