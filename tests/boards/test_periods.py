"""The boards of weeks, months and all time."""

from datetime import date, timedelta
from functools import partial
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.models import DailyDeal
from leaderboards import periods, standings
from leaderboards.models import Period, PeriodScore, Result
from pyramid_site.refusals import Refusal
from tests import builders
from tests.boards.table import STAFF, finalize, finish, players, rolled_back
from tests.conftest import SimulatedClock

pytestmark = [pytest.mark.core, pytest.mark.usefixtures("db", "clock")]

SUNDAY = date(2026, 11, 29)
MONDAY = date(2026, 11, 30)
TUESDAY = date(2026, 12, 1)

Rows = list[tuple[int, UUID, int, int]]
"""Rank, player, days, ms."""


def day(when: date, finishes: dict[UUID, int], challenge: str = "one-pass") -> DailyDeal:
    """A sealed day that is counted."""
    deal = builders.publish_short(challenge, when)
    for player, ms in finishes.items():
        finish(deal, player, ms)
    finalize(deal)
    assert count(deal)
    return deal


def count(deal: DailyDeal) -> bool:
    return periods.count(deal_id=deal.pk, challenge=deal.challenge_id, day=deal.date)


def board(name: str, challenge: str = "one-pass", *, limit: int = 100) -> Rows:
    """All of it, page by page."""
    cursor, found = None, []
    while True:
        shown = periods.page(challenge=challenge, name=name, cursor=cursor, limit=limit)
        found += shown.page.items
        cursor = shown.page.next
        if cursor is None:
            rows = [
                (it.rank, it.score.player_id, it.score.days_cleared, it.score.ranked_ms)
                for it in found
            ]
            assert shown.total == len(rows)
            return rows


def test_most_days_then_least_time_and_equals_share_a_rank() -> None:
    ada, ben, cyd, dot = players(4)
    day(MONDAY, {ada: 5000, ben: 1000, cyd: 3000, dot: 2000})
    day(TUESDAY, {ada: 5000, cyd: 1000, dot: 2000})
    assert board("2026-W49") == [
        (1, cyd, 2, 4000),
        (1, dot, 2, 4000),
        (3, ada, 2, 10_000),
        (4, ben, 1, 1000),
    ]
    assert board("2026-W49", limit=1) == board("2026-W49")


def test_a_day_counts_for_its_week_its_month_and_all_time() -> None:
    [ada] = players(1)
    for when in (SUNDAY, MONDAY, TUESDAY):
        day(when, {ada: 1000})
    found = {it.name: board(it.name)[0][2] for it in Period.objects.all()}
    assert found == {"2026-W48": 1, "2026-W49": 2, "2026-11": 2, "2026-12": 1, "all-time": 3}


def test_each_challenge_has_boards_of_its_own() -> None:
    ada, ben = players(2)
    day(MONDAY, {ada: 1000})
    day(MONDAY, {ben: 2000}, "double")
    assert board("all-time") == [(1, ada, 1, 1000)]
    assert board("all-time", "double") == [(1, ben, 1, 2000)]


@pytest.mark.parametrize(
    ("when", "week"),
    [(date(2026, 12, 31), "2026-W53"), (date(2027, 1, 3), "2026-W53"),
     (date(2027, 1, 4), "2027-W01"), (date(2024, 12, 30), "2025-W01")],
)  # fmt: skip
def test_weeks_are_those_of_iso_8601(when: date, week: str) -> None:
    [ada] = players(1)
    day(when, {ada: 1000})
    assert board(week) == [(1, ada, 1, 1000)]
    period = Period.objects.get(name=week)
    periods.recompute(period_id=period.pk)
    assert board(week) == [(1, ada, 1, 1000)]


def test_c3_a_day_is_counted_once() -> None:
    [ada] = players(1)
    deal = day(MONDAY, {ada: 1000})
    with builders.nothing_changes():
        assert not count(deal)


def test_a_day_that_is_not_final_is_not_counted() -> None:
    deal = builders.publish_short()
    finish(deal, players(1)[0], 1000)
    with builders.nothing_changes():
        assert not count(deal)


def test_f4_a_verdict_changes_the_boards_of_its_periods_and_no_others() -> None:
    ada, ben = players(2)
    day(SUNDAY, {ada: 1000, ben: 2000})
    monday = day(MONDAY, {ada: 1000, ben: 500})
    attempt = Result.objects.get(deal=monday, player=ben).pk
    standings.disqualify(attempt_id=attempt, by=STAFF, why="a bot")
    assert board("2026-W49") == [(1, ada, 1, 1000)]
    assert board("all-time") == [(1, ada, 2, 2000), (2, ben, 1, 2000)]
    assert board("2026-W48") == [(1, ada, 1, 1000), (2, ben, 1, 2000)]
    standings.reinstate(attempt_id=attempt, by=STAFF, why="no bot")
    assert board("2026-W49") == [(1, ben, 1, 500), (2, ada, 1, 1000)]
    assert board("all-time") == [(1, ada, 2, 2000), (2, ben, 2, 2500)]


def test_around_a_player() -> None:
    ids = players(9)
    day(MONDAY, {player: 1000 * place for place, player in enumerate(ids)})
    around = partial(periods.around, challenge="one-pass", name="all-time", limit=3)
    shown = around(player_id=ids[5])
    assert [it.rank for it in shown.page.items] == [5, 6, 7]
    with pytest.raises(Refusal) as refused:
        around(player_id=players(1)[0])
    assert refused.value.code == "not_ranked"


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    days=st.lists(
        st.dictionaries(st.integers(0, 4), st.integers(1, 3), max_size=5), min_size=1, max_size=9
    ),
    verdicts=st.lists(st.tuples(st.integers(0, 8), st.integers(0, 4)), max_size=8),
)
def test_f4_any_period_is_its_plain_recomputation(
    clock: SimulatedClock, days: list[dict[int, int]], verdicts: list[tuple[int, int]]
) -> None:
    with rolled_back():
        ids = players(5)
        deals = [
            day(SUNDAY + timedelta(days=n), {ids[it]: ms for it, ms in finishes.items()})
            for n, finishes in enumerate(days)
        ]
        out: set[tuple[int, int]] = set()
        for number, player in verdicts:
            if number < len(days) and player in days[number]:
                judge = standings.reinstate if (number, player) in out else standings.disqualify
                attempt = Result.objects.get(deal=deals[number], player=ids[player]).pk
                judge(attempt_id=attempt, by=STAFF, why="to and fro")
                out ^= {(number, player)}
        for period in Period.objects.all():
            expected = plainly(period.name, days, out, ids)
            assert board(period.name, limit=2) == expected
            stored = set(scores(period))
            periods.recompute(period_id=period.pk)
            assert board(period.name, limit=2) == expected
            assert set(scores(period)) == stored


def scores(period: Period) -> "list[tuple[UUID, int, int]]":
    return list(period.scores.values_list("player", "minus_days", "ranked_ms"))


def plainly(
    name: str, days: list[dict[int, int]], out: set[tuple[int, int]], ids: list[UUID]
) -> Rows:
    sums: dict[int, tuple[int, int]] = {}
    for number, finishes in enumerate(days):
        when = SUNDAY + timedelta(days=number)
        if name in (periods.week_of(when), periods.month_of(when), "all-time"):
            for player, ms in finishes.items():
                if (number, player) not in out:
                    cleared, total = sums.get(player, (0, 0))
                    sums[player] = cleared + 1, total + ms
    order = sorted((-cleared, ms, ids[player]) for player, (cleared, ms) in sums.items())
    return [
        (1 + sum(other[:2] < (minus, ms) for other in order), player, -minus, ms)
        for minus, ms, player in order
    ]


def test_an_empty_board_has_an_empty_page() -> None:
    assert board("2026-W49") == []
    assert not PeriodScore.objects.exists()
