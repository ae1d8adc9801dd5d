"""Boards: shared ranks, pages, the window around a player, and what a seal makes of them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Q
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from games.models import DailyDeal
from leaderboards import boards, standings
from leaderboards.boards import Board
from leaderboards.models import Result, Standing
from players.models import Player
from pyramid_site import clock as the_clock
from pyramid_site.paging import Page
from pyramid_site.refusals import Refusal
from tests import builders
from tests.conftest import Database, SimulatedClock
from tests.threads import at_once

pytestmark = pytest.mark.core

Finish = tuple[int, int]
"""Elapsed ms and undo count."""

HOUR = 3_600_000
LONGEST = 26 * HOUR  # of a ranked attempt: from midnight to the seal


@pytest.fixture
def deal(db: None, clock: SimulatedClock) -> DailyDeal:
    return builders.publish_short()


def record(deal: DailyDeal, finishes: Sequence[Finish], *, undo_penalty_ms: int = 0) -> list[UUID]:
    """Each finish by a player of its own; the players' ids, in the order in which they break ties.

    Recorded last to first: the order of a board is not that of its rows.
    """
    ids = sorted(uuid4() for _ in finishes)
    Player.objects.bulk_create(
        Player(id=it, name=it.hex[:24], name_key=it.hex, skeleton=it.hex, joined_at=the_clock.now())
        for it in ids
    )
    for player_id, (elapsed_ms, undo_count) in reversed(list(zip(ids, finishes, strict=True))):
        standings.record(
            attempt_id=uuid4(),
            deal_id=deal.pk,
            player_id=player_id,
            elapsed_ms=elapsed_ms,
            undo_count=undo_count,
            undo_penalty_ms=undo_penalty_ms,
            ply=30,
            finished_at=the_clock.now(),
        )
    return ids


class Row(NamedTuple):
    rank: int
    ms: int
    undos: int
    player: UUID


def rows(page: Page[boards.Entry]) -> list[Row]:
    return [
        Row(it.rank, it.result.ranked_ms, it.result.undo_count, it.result.player_id)
        for it in page.items
    ]


def ranks(page: Page[boards.Entry]) -> list[int]:
    return [row.rank for row in rows(page)]


def page(deal: DailyDeal, board: Board = Board.OVERALL, **options: Any) -> Page[boards.Entry]:
    asked = {"final": False, "cursor": None, "limit": 100, **options}
    return boards.page(deal_id=deal.pk, board=board, **asked)


def around(
    deal: DailyDeal, player: UUID, board: Board = Board.OVERALL, **options: Any
) -> Page[boards.Entry]:
    asked = {"final": False, "limit": 100, **options}
    return boards.around(deal_id=deal.pk, board=board, player=Q(player=player), **asked)


def walk(deal: DailyDeal, *, limit: int, backwards: bool = False, **options: Any) -> list[Row]:
    """All rows, page by page from one end to the other, in the order of the board."""
    here = page(deal, limit=limit, **options)
    if not backwards:
        found = rows(here)
        while here.next:
            here = page(deal, limit=limit, cursor=here.next, **options)
            found += rows(here)
        return found
    while here.next:
        here = page(deal, limit=limit, cursor=here.next, **options)
    found = rows(here)
    while here.previous:
        here = page(deal, limit=limit, cursor=here.previous, **options)
        found = rows(here) + found
    return found


def plainly(finishes: Sequence[Finish], ids: Sequence[UUID], board: Board) -> list[Row]:
    """The board, recomputed without a database."""
    on_it = [
        (ms, undos, player)
        for (ms, undos), player in zip(finishes, ids, strict=True)
        if board is Board.OVERALL or undos == 0
    ]
    return [
        Row(1 + sum(other[:2] < (ms, undos) for other in on_it), ms, undos, player)
        for ms, undos, player in sorted(on_it)
    ]


# Ranks


def test_f2_equal_results_share_a_rank(deal: DailyDeal) -> None:
    record(deal, [(1000, 0), (2000, 1), (2000, 1), (3000, 0)])
    assert ranks(page(deal)) == [1, 2, 2, 4]


def test_f2_equal_times_are_told_apart_by_undos(deal: DailyDeal) -> None:
    record(deal, [(2000, 2), (2000, 0), (2000, 1)])
    assert [(row.rank, row.undos) for row in rows(page(deal))] == [(1, 0), (2, 1), (3, 2)]


def test_each_undo_adds_the_penalty(deal: DailyDeal) -> None:
    record(deal, [(5000, 3)], undo_penalty_ms=10_000)
    [entry] = page(deal).items
    assert (entry.result.ranked_ms, entry.result.elapsed_ms) == (35_000, 5000)


def test_the_clean_board_ranks_runs_without_undo_among_themselves(deal: DailyDeal) -> None:
    record(deal, [(1000, 1), (2000, 0), (2500, 4), (3000, 0), (3000, 0), (4000, 0)])
    assert ranks(page(deal)) == [1, 2, 3, 4, 4, 6]
    assert [(row.rank, row.ms) for row in rows(page(deal, Board.CLEAN))] == [
        (1, 2000),
        (2, 3000),
        (2, 3000),
        (4, 4000),
    ]
    assert boards.total(deal_id=deal.pk, board=Board.OVERALL) == 6
    assert boards.total(deal_id=deal.pk, board=Board.CLEAN) == 4


def test_an_empty_board(deal: DailyDeal) -> None:
    assert page(deal) == Page([], None, None)
    assert boards.total(deal_id=deal.pk, board=Board.OVERALL) == 0


def test_a_board_is_of_one_deal(deal: DailyDeal) -> None:
    other = builders.publish_short("double")
    record(other, [(10, 0)])
    [player] = record(deal, [(1000, 0)])
    assert rows(page(deal)) == [Row(1, 1000, 0, player)]


def test_f2_the_extremes_are_exact(deal: DailyDeal) -> None:
    ids = record(deal, [(0, 0), (LONGEST, 0)])
    ids += record(deal, [(LONGEST, 4_999), (LONGEST, 5_000)], undo_penalty_ms=600_000)
    most = LONGEST + 600_000 * 5_000
    assert rows(page(deal)) == [
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
        standings.record(
            attempt_id=uuid4(),
            deal_id=deal.pk,
            player_id=player,
            elapsed_ms=1,
            undo_count=0,
            undo_penalty_ms=0,
            ply=30,
            finished_at=the_clock.now(),
        )


def test_the_placing_of_an_attempt(deal: DailyDeal) -> None:
    record(deal, [(1000, 0), (2000, 1), (2000, 1), (3000, 0)])
    for final in (False, True):
        if final:
            standings.finalize(deal_id=deal.pk)
        found = [
            boards.placing(attempt_id=result.pk, final=final)
            for result in boards.ORDER.following(Result.objects.all(), limit=4)
        ]
        assert [(it.rank, it.of) for it in found if it] == [(1, 4), (2, 4), (2, 4), (4, 4)]
    assert boards.placing(attempt_id=uuid4(), final=False) is None


# Pages


def test_f3_a_tie_goes_on_over_the_border_of_a_page(deal: DailyDeal) -> None:
    record(deal, [(1000, 0), *[(2000, 0)] * 5, (3000, 0)])
    first = page(deal, limit=3)
    second = page(deal, limit=3, cursor=first.next)
    third = page(deal, limit=3, cursor=second.next)
    assert [ranks(it) for it in (first, second, third)] == [[1, 2, 2], [2, 2, 2], [7]]
    assert first.previous is None
    assert third.next is None
    assert rows(page(deal, limit=3, cursor=third.previous)) == rows(second)
    assert rows(page(deal, limit=3, cursor=second.previous)) == rows(first)


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8])
def test_f3_both_ways_through_a_board_meet_every_row_once(deal: DailyDeal, limit: int) -> None:
    finishes = [(1000, 0), (1000, 0), (1500, 2), (2000, 1), (2000, 1), (2000, 1), (9000, 0)]
    expected = plainly(finishes, record(deal, finishes), Board.OVERALL)
    assert walk(deal, limit=limit) == expected
    assert walk(deal, limit=limit, backwards=True) == expected


def test_f3_a_rank_on_a_later_page_is_that_of_the_moment(deal: DailyDeal) -> None:
    record(deal, [(1000, 0), (2000, 0), (3000, 0)])
    first = page(deal, limit=2)
    record(deal, [(500, 0), (600, 0)])
    assert [(row.rank, row.ms) for row in rows(page(deal, cursor=first.next))] == [(5, 3000)]


# The window around a player


@pytest.mark.parametrize(
    ("place", "limit", "shown", "earlier", "later"),
    [
        (0, 5, range(5), False, True),
        (1, 5, range(5), False, True),
        (2, 5, range(5), False, True),
        (3, 5, range(1, 6), True, True),
        (5, 5, range(3, 8), True, True),
        (7, 5, range(5, 10), True, False),
        (8, 5, range(5, 10), True, False),
        (9, 5, range(5, 10), True, False),
        (5, 4, range(3, 7), True, True),
        (0, 1, range(1), False, True),
        (5, 1, range(5, 6), True, True),
        (9, 1, range(9, 10), True, False),
        (4, 10, range(10), False, False),
        (4, 100, range(10), False, False),
    ],
)
def test_around_a_player(
    deal: DailyDeal, place: int, limit: int, shown: range, earlier: bool, later: bool
) -> None:
    finishes = [(1000 * second, 0) for second in range(10)]
    ids = record(deal, finishes)
    window = around(deal, ids[place], limit=limit)
    assert rows(window) == [plainly(finishes, ids, Board.OVERALL)[i] for i in shown]
    assert (window.previous is not None, window.next is not None) == (earlier, later)


def test_the_pages_beside_a_window_join_it(deal: DailyDeal) -> None:
    ids = record(deal, [(1000 * second, 0) for second in range(10)])
    window = around(deal, ids[5], limit=3)
    before = page(deal, limit=3, cursor=window.previous)
    after = page(deal, limit=3, cursor=window.next)
    assert [ranks(it) for it in (before, window, after)] == [[2, 3, 4], [5, 6, 7], [8, 9, 10]]


def test_around_a_player_in_the_midst_of_a_tie(deal: DailyDeal) -> None:
    ids = record(deal, [(1000, 0), *[(2000, 1)] * 7, (3000, 0)])
    window = around(deal, ids[4], limit=3)
    assert rows(window) == [Row(2, 2000, 1, player) for player in ids[3:6]]


def test_who_is_not_on_a_board_is_refused(deal: DailyDeal) -> None:
    [with_undo] = record(deal, [(1000, 1)])
    for player, board in [(uuid4(), Board.OVERALL), (with_undo, Board.CLEAN)]:
        with pytest.raises(Refusal) as refused:
            around(deal, player, board)
        assert refused.value.code == "not_ranked"


# The seal


def test_f1_final_ranks_are_the_live_ones(deal: DailyDeal) -> None:
    record(deal, [(1000, 1), (2000, 0), (2000, 0), (2500, 4), (2500, 4), (3000, 0), (3000, 2)])
    live = [rows(page(deal, board)) for board in Board]
    standings.finalize(deal_id=deal.pk)
    assert [rows(page(deal, board, final=True)) for board in Board] == live
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
    standings.finalize(deal_id=deal.pk)
    assert list(Standing.objects.values_list("result__deal", "rank")) == [(deal.pk, 1)]


def test_final_ranks_are_written_once(deal: DailyDeal) -> None:
    record(deal, [(1000, 0)])
    standings.finalize(deal_id=deal.pk)
    with builders.nothing_changes(), pytest.raises(IntegrityError), transaction.atomic():
        standings.finalize(deal_id=deal.pk)


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
                standings.finalize(deal_id=deal.pk)
            assert walk(deal, board=board, limit=limit, final=final) == expected
            assert walk(deal, board=board, limit=limit, final=final, backwards=True) == expected
            for place, row in enumerate(expected):
                window = rows(around(deal, row.player, board, limit=limit, final=final))
                first = max(0, min(place - limit // 2, len(expected) - limit))
                assert window == expected[first : first + limit]


@contextmanager
def rolled_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def test_f3_a_board_and_its_ranks_are_of_one_instant(
    committed_db: Database, clock: SimulatedClock
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite would keep its writers waiting: there a page is read without")
    deal = builders.publish_short()
    record(deal, [(20_000, 0)])
    with boards.snapshot():
        assert boards.total(deal_id=deal.pk, board=Board.OVERALL) == 1
        at_once(partial(record, deal, [(10_000, 0)]))
        assert ranks(page(deal)) == [1]
    assert ranks(page(deal)) == [1, 2]
