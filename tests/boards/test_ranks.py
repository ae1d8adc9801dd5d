"""Ranks: equal results share one, and two boards rank each result."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from games.models import DailyDeal
from leaderboards import boards
from leaderboards.boards import Board
from leaderboards.models import Result
from tests import builders
from tests.boards.table import LONGEST, Finish, Row, Shown, finalize, finish, page, record

pytestmark = pytest.mark.core


def test_f2_equal_results_share_a_rank(deal: DailyDeal) -> None:
    record(deal, [(1000, 0), (2000, 1), (2000, 1), (3000, 0)])
    assert page(deal).ranks == [1, 2, 2, 4]


def test_f2_equal_times_are_told_apart_by_undos(deal: DailyDeal) -> None:
    record(deal, [(2000, 2), (2000, 0), (2000, 1)])
    assert [(row.rank, row.undos) for row in page(deal).rows] == [(1, 0), (2, 1), (3, 2)]


def test_each_undo_adds_the_penalty(deal: DailyDeal) -> None:
    record(deal, [(5000, 3)], undo_penalty_ms=10_000)
    result = Result.objects.get()
    assert (result.ranked_ms, result.elapsed_ms) == (35_000, 5000)


def test_the_clean_board_ranks_runs_without_undo_among_themselves(deal: DailyDeal) -> None:
    record(deal, [(1000, 1), (2000, 0), (2500, 4), (3000, 0), (3000, 0), (4000, 0)])
    assert page(deal).ranks == [1, 2, 3, 4, 4, 6]
    assert [(row.rank, row.ms) for row in page(deal, Board.CLEAN).rows] == [
        (1, 2000),
        (2, 3000),
        (2, 3000),
        (4, 4000),
    ]
    assert page(deal, Board.OVERALL).total == 6
    assert page(deal, Board.CLEAN).total == 4


def test_an_empty_board(deal: DailyDeal) -> None:
    assert page(deal) == Shown([], None, None, total=0)


def test_a_board_is_of_one_deal(deal: DailyDeal) -> None:
    other = builders.publish_short("double")
    record(other, [(10, 0)])
    [player] = record(deal, [(1000, 0)])
    assert page(deal).rows == [Row(1, 1000, 0, player)]


def test_f2_the_extremes_are_exact(deal: DailyDeal) -> None:
    ids = record(deal, [(0, 0), (LONGEST, 0)])
    ids += record(deal, [(LONGEST, 4_999), (LONGEST, 5_000)], undo_penalty_ms=600_000)
    most = LONGEST + 600_000 * 5_000
    assert page(deal).rows == [
        Row(1, 0, 0, ids[0]),
        Row(2, LONGEST, 0, ids[1]),
        Row(3, most - 600_000, 4_999, ids[2]),
        Row(4, most, 5_000, ids[3]),
    ]
    assert most * 2**20 + 5_000 < 2**53


@pytest.mark.parametrize("finish", [(-1, 0), (0, -1)])
def test_nothing_is_recorded_below_the_extremes(deal: DailyDeal, finish: Finish) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        record(deal, [finish])
    assert not Result.objects.exists()


def test_b2_a_player_has_one_result_a_deal(deal: DailyDeal) -> None:
    [player] = record(deal, [(1000, 0)])
    with builders.nothing_changes(), pytest.raises(IntegrityError), transaction.atomic():
        finish(deal, player, 1)


def test_the_placing_of_an_attempt(deal: DailyDeal) -> None:
    record(deal, [(1000, 0), (2000, 1), (2000, 1), (3000, 0)])
    for final in (False, True):
        if final:
            finalize(deal)
        found = [
            boards.placing(attempt_id=result.pk)
            for result in Result.objects.order_by(*boards.ORDER.columns)
        ]
        assert [(it.rank, it.of) for it in found if it] == [(1, 4), (2, 4), (2, 4), (4, 4)]
    assert boards.placing(attempt_id=uuid4()) is None
