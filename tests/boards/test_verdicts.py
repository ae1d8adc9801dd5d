"""Verdicts of staff: disqualified results are on no board, and reinstated ones on all again."""

from collections.abc import Callable
from functools import partial
from uuid import UUID, uuid4

import pytest
from django.db import connection

from games.models import DailyDeal
from leaderboards import boards, periods, standings
from leaderboards.boards import Board
from leaderboards.models import PeriodScore, Result, Tally, Verdict
from pyramid_site import clock as the_clock
from pyramid_site.refusals import Refusal
from tests import builders
from tests.boards.table import (
    STAFF,
    Finish,
    Row,
    Shown,
    around,
    finalize,
    finish,
    page,
    players,
    record,
    walk,
)  # fmt: skip
from tests.conftest import Database, SimulatedClock
from tests.threads import at_once

pytestmark = pytest.mark.core

FINISHES: list[Finish] = [(1000, 0), (2000, 1), (2000, 1), (3000, 0), (4000, 0), (5000, 2)]


def attempt_of(player: UUID) -> UUID:
    return Result.objects.get(player=player).pk


def disqualify(player: UUID, why: str = "a bot") -> None:
    standings.disqualify(attempt_id=attempt_of(player), by=STAFF, why=why)


def reinstate(player: UUID, why: str = "a fast human") -> None:
    standings.reinstate(attempt_id=attempt_of(player), by=STAFF, why=why)


def seal(deal: DailyDeal) -> None:
    """Makes the ranks final and counts the day."""
    finalize(deal)
    assert periods.count(deal_id=deal.pk, challenge=deal.challenge_id, day=deal.date)


@pytest.fixture(params=["live", "judged before the seal", "judged after the seal"])
def judged(request: pytest.FixtureRequest, deal: DailyDeal) -> list[UUID]:
    """Players of whom the first and the fifth are disqualified."""
    ids = record(deal, FINISHES)
    if request.param == "judged after the seal":
        seal(deal)
    disqualify(ids[0])
    disqualify(ids[4])
    if request.param == "judged before the seal":
        seal(deal)
    return ids


def test_f4_the_disqualified_are_on_no_board_and_the_others_move_up(
    deal: DailyDeal, judged: list[UUID]
) -> None:
    expected = [
        Row(1, 2000, 1, judged[1]),
        Row(1, 2000, 1, judged[2]),
        Row(3, 3000, 0, judged[3]),
        Row(4, 5000, 2, judged[5]),
    ]
    for limit in (1, 2, 4):
        assert walk(deal, limit=limit) == expected
        assert walk(deal, limit=limit, backwards=True) == expected
    assert page(deal, Board.CLEAN) == Shown([Row(1, 3000, 0, judged[3])], None, None, total=1)
    assert around(deal, judged[5], limit=2).rows == expected[2:]
    assert page(deal).total == 4
    for player, rank in [(judged[1], 1), (judged[3], 3), (judged[5], 4)]:
        placing = boards.placing(attempt_id=attempt_of(player))
        assert placing is not None
        assert (placing.rank, placing.of) == (rank, 4)


def test_f4_the_disqualified_have_no_rank(deal: DailyDeal, judged: list[UUID]) -> None:
    assert boards.placing(attempt_id=attempt_of(judged[0])) is None
    with pytest.raises(Refusal) as refused:
        around(deal, judged[0])
    assert refused.value.code == "not_ranked"


def test_f4_reinstated_is_as_if_never_disqualified(deal: DailyDeal, judged: list[UUID]) -> None:
    reinstate(judged[0])
    reinstate(judged[4])
    assert page(deal).ranks == [1, 2, 2, 4, 5, 6]
    assert page(deal, Board.CLEAN).ranks == [1, 2, 3]
    disqualify(judged[0])
    assert page(deal).ranks == [1, 1, 3, 4, 5]


def test_a_verdict_says_who_when_and_why(deal: DailyDeal, clock: SimulatedClock) -> None:
    [player] = record(deal, [(1000, 0)])
    disqualify(player, "no gap between its moves")
    clock.advance(hours=1)
    reinstate(player, "it was a replayed log")
    told = [
        (it.disqualified, it.by_id, it.by_name, it.why, it.at)
        for it in Verdict.objects.order_by("number")
    ]
    now = the_clock.now()
    assert told == [
        (True, 1, "root", "no gap between its moves", now.replace(hour=12)),
        (False, 1, "root", "it was a replayed log", now),
    ]
    tally = Tally.objects.get()
    assert (tally.version, tally.overall, tally.clean_results, tally.disqualified) == (3, 1, 1, 0)


@pytest.mark.parametrize(
    ("judge", "why", "code"),
    [
        (standings.reinstate, "why not", "invalid_request"),
        (standings.disqualify, "", "invalid_request"),
        (standings.disqualify, " \n", "invalid_request"),
    ],
)
def test_a_verdict_that_changes_nothing_or_has_no_reason_is_refused(
    deal: DailyDeal, judge: Callable[..., None], why: str, code: str
) -> None:
    [player] = record(deal, [(1000, 0)])
    with builders.nothing_changes(), pytest.raises(Refusal) as refused:
        judge(attempt_id=attempt_of(player), by=STAFF, why=why)
    assert refused.value.code == code
    disqualify(player)
    with builders.nothing_changes(), pytest.raises(Refusal):
        disqualify(player)


def test_a_verdict_about_no_result_is_refused(deal: DailyDeal) -> None:
    with builders.nothing_changes(), pytest.raises(Refusal) as refused:
        standings.disqualify(attempt_id=uuid4(), by=STAFF, why="a bot")
    assert refused.value.code == "not_found"


def test_f4_verdicts_reach_the_sorted_sets(played: DailyDeal) -> None:
    ids = record(played, FINISHES)
    assert around(played, ids[5], limit=1).ranks == [6]
    assert around(played, ids[4], Board.CLEAN, limit=1).ranks == [3]
    disqualify(ids[0])
    assert around(played, ids[5], limit=1).ranks == [5]
    assert around(played, ids[4], Board.CLEAN, limit=1).ranks == [2]
    reinstate(ids[0])
    disqualify(ids[1])
    assert around(played, ids[5], limit=1).ranks == [5]
    assert around(played, ids[4], Board.CLEAN, limit=1).ranks == [3]
    assert around(played, ids[2], limit=1).ranks == [2]


def test_f4_verdicts_finishes_and_the_counting_of_a_day_at_once(
    committed_db: Database, clock: SimulatedClock
) -> None:
    """Whatever comes first, the week holds what the board of the day holds."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite lets one write at a time")
    deal = builders.publish_short()
    ids = record(deal, FINISHES * 2)
    late = players(4)
    at_once(
        *(partial(finish, deal, it, 500) for it in late),
        *(partial(disqualify, it) for it in ids[:3]),
    )
    finalize(deal)
    count = partial(periods.count, deal_id=deal.pk, challenge="one-pass", day=deal.date)
    counted = at_once(
        count, count, *(partial(disqualify, it) for it in ids[3:7]), partial(reinstate, ids[0])
    )
    assert sorted([*counted[:2], count()]) == [False, False, True]
    assert page(deal).total == len(ids) + 4 - 6
    on_board = {(row.player, row.ms) for row in page(deal).rows}
    for name in ("2026-W49", "2026-11", "all-time"):
        scores = PeriodScore.objects.filter(period__name=name)
        assert set(scores.values_list("player", "ranked_ms")) == on_board
