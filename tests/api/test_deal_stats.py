"""The statistics of a sealed deal."""

import pytest

from games import deals
from games.models import DailyDeal
from leaderboards import standings, statistics
from leaderboards.models import Result, Tally
from tests.api.client import Client, Reply, sign_up
from tests.boards.table import finalize, finish, players
from tests.builders import SHORT_LINE, nothing_changes, publish_short, seal
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core


@pytest.fixture
def deal(db: None, clock: SimulatedClock) -> DailyDeal:
    return publish_short()


def stats(client: Client, day: str = "2026-11-30") -> Reply:
    return client.get(f"/deals/{day}/one-pass/stats")


def sealed(deal: DailyDeal, clock: SimulatedClock) -> None:
    clock.instant = deal.seals_at
    seal(deal)


def test_a3_there_are_none_before_the_seal(
    anyone: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    sign_up().begin("one-pass", *SHORT_LINE)
    with nothing_changes():
        for instant in (deal.opens_at, deal.closes_at, deal.seals_at):
            clock.instant = instant
            assert stats(anyone).refusal == (403, "not_sealed")


def test_times_clear_rate_undos_and_percentiles(
    anyone: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    for ms, undos in ((1000, 0), (1500, 1), (2500, 0)):
        client = sign_up()
        attempt = client.begin("one-pass", *["D", "U"] * undos)
        clock.advance(ms=ms)
        client.play(attempt, *SHORT_LINE)
    sign_up().begin()
    sealed(deal, clock)
    assert stats(anyone).body == {
        "date": "2026-11-30",
        "challenge": "one-pass",
        "players": 4,
        "cleared": 3,
        "clear_rate": 0.75,
        "times": [
            {"from_ms": 1000, "to_ms": 2000, "count": 2},
            {"from_ms": 2000, "to_ms": 3000, "count": 1},
        ],
        "percentiles": [
            {
                "percent": percent,
                "elapsed_ms": 1000 if percent < 34 else 1500 if percent < 67 else 2500,
            }
            for percent in (1, 5, 10, 25, 50, 75, 90, 95, 99)
        ],
        "undo_counts": [{"undo_count": 0, "count": 2}, {"undo_count": 1, "count": 1}],
    }


def test_a_deal_that_nobody_played(anyone: Client, deal: DailyDeal, clock: SimulatedClock) -> None:
    sealed(deal, clock)
    body = stats(anyone).body
    assert (body["players"], body["clear_rate"], body["times"]) == (0, None, [])
    assert (body["percentiles"], body["undo_counts"]) == ([], [])


def test_the_disqualified_are_not_in_them(
    anyone: Client, deal: DailyDeal, clock: SimulatedClock
) -> None:
    sign_up().begin("one-pass", *SHORT_LINE)
    sealed(deal, clock)
    before = stats(anyone)
    assert len(before.body["times"]) == 1
    standings.disqualify(
        attempt_id=Result.objects.get().pk, by=standings.Staff(1, "root"), why="a bot"
    )
    after = anyone.get(
        "/deals/2026-11-30/one-pass/stats", headers={"If-None-Match": before.headers["ETag"]}
    )
    assert (after.status, after.body["times"], after.body["cleared"]) == (200, [], 1)


def test_a_void_day_has_none(anyone: Client, deal: DailyDeal, clock: SimulatedClock) -> None:
    sign_up().begin("one-pass", *SHORT_LINE)
    sealed(deal, clock)
    deals.void(deal_id=deal.pk, reason="Two cards stood twice.")
    body = stats(anyone).body
    assert (body["times"], body["percentiles"], body["undo_counts"]) == ([], [], [])


def test_a_future_deal_is_not_found(anyone: Client, deal: DailyDeal) -> None:
    assert stats(anyone, "2026-12-01").refusal == (404, "not_found")


def test_many_results_make_at_most_twenty_bars_and_the_last_is_open(deal: DailyDeal) -> None:
    for number, player in enumerate(players(200)):
        finish(deal, player, 60_000 + 7_000 * number, number % 30)
    finish(deal, players(1)[0], 80_000_000)
    finalize(deal)
    found = statistics.of_deal(Tally.objects.get())
    assert sum(bar.count for bar in found.times) == 201
    assert len(found.times) <= statistics.BARS
    assert found.times[-1].to_ms is None
    assert all(bar.to_ms for bar in found.times[:-1])
    assert dict(found.undo_counts)[20] == sum(1 for n in range(200) if n % 30 >= 20)
    assert dict(found.percentiles)[50] == 60_000 + 7_000 * 100
