"""What a seal makes of the boards."""

from functools import partial

import pytest
from django.db import IntegrityError, transaction
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from games.models import DailyDeal
from leaderboards import ranking
from leaderboards.boards import Board
from leaderboards.models import Standing
from tests import builders
from tests.boards.table import (
    Finish,
    around,
    finalize,
    page,
    plainly,
    record,
    rolled_back,
    walk,
    window,
)
from tests.conftest import Database, SimulatedClock
from tests.threads import at_once

pytestmark = pytest.mark.core


def test_f1_final_ranks_are_the_live_ones(deal: DailyDeal) -> None:
    record(deal, [(1000, 1), (2000, 0), (2000, 0), (2500, 4), (2500, 4), (3000, 0), (3000, 2)])
    live = [page(deal, board).rows for board in Board]
    finalize(deal)
    assert [page(deal, board).rows for board in Board] == live
    assert set(Standing.objects.values_list("rank", "clean_rank")) == {
        (1, None),
        (2, 1),
        (4, None),
        (6, 3),
        (7, None),
    }


def test_final_ranks_are_of_their_deal_alone(deal: DailyDeal) -> None:
    other = builders.publish_short("double")
    record(other, [(10, 0)])
    record(deal, [(1000, 0)])
    finalize(deal)
    assert list(Standing.objects.values_list("result__deal", "rank")) == [(deal.pk, 1)]


def test_final_ranks_are_written_once(deal: DailyDeal) -> None:
    record(deal, [(1000, 0)])
    finalize(deal)
    with builders.nothing_changes(), pytest.raises(IntegrityError), transaction.atomic():
        finalize(deal)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    finishes=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=12),
    limit=st.integers(1, 5),
    board=st.sampled_from(Board),
)
@example(finishes=[], limit=1, board=Board.CLEAN)
@example(finishes=[(1, 0)] * 12, limit=5, board=Board.CLEAN)
def test_f4_any_board_is_its_plain_recomputation(
    deal: DailyDeal, finishes: list[Finish], limit: int, board: Board
) -> None:
    with rolled_back():
        ids = record(deal, finishes)
        expected = plainly(finishes, ids, board)
        for final in (False, True):
            if final:
                finalize(deal)
            assert walk(deal, board, limit=limit) == expected
            assert walk(deal, board, limit=limit, backwards=True) == expected
            for place, row in enumerate(expected):
                shown = around(deal, row.player, board, limit=limit)
                assert shown.rows == window(expected, place, limit)
                assert shown.total == len(expected)


def test_f3_a_board_and_its_ranks_are_of_one_instant(
    committed_db: Database, clock: SimulatedClock
) -> None:
    deal = builders.publish_short()
    record(deal, [(20_000, 0)])
    with ranking.snapshot():
        assert page(deal).total == 1
        at_once(partial(record, deal, [(10_000, 0)]))
        assert page(deal).ranks == [1]
    assert page(deal).ranks == [1, 2]
