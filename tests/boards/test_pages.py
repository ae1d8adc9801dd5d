"""Pages of a board, and the window around a player."""

from uuid import uuid4

import pytest

from games.models import DailyDeal
from leaderboards.boards import Board
from pyramid_site.refusals import Refusal
from tests.boards.table import Row, around, page, plainly, record, walk

pytestmark = pytest.mark.core


def test_f3_a_tie_goes_on_over_the_border_of_a_page(deal: DailyDeal) -> None:
    record(deal, [(1000, 0), *[(2000, 0)] * 5, (3000, 0)])
    first = page(deal, limit=3)
    second = page(deal, limit=3, cursor=first.next)
    third = page(deal, limit=3, cursor=second.next)
    assert [it.ranks for it in (first, second, third)] == [[1, 2, 2], [2, 2, 2], [7]]
    assert first.previous is None
    assert third.next is None
    assert page(deal, limit=3, cursor=third.previous).rows == second.rows
    assert page(deal, limit=3, cursor=second.previous).rows == first.rows


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
    assert [(row.rank, row.ms) for row in page(deal, cursor=first.next).rows] == [(5, 3000)]


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
    assert window.rows == [plainly(finishes, ids, Board.OVERALL)[i] for i in shown]
    assert (window.previous is not None, window.next is not None) == (earlier, later)


def test_the_pages_beside_a_window_join_it(deal: DailyDeal) -> None:
    ids = record(deal, [(1000 * second, 0) for second in range(10)])
    window = around(deal, ids[5], limit=3)
    before = page(deal, limit=3, cursor=window.previous)
    after = page(deal, limit=3, cursor=window.next)
    assert [it.ranks for it in (before, window, after)] == [[2, 3, 4], [5, 6, 7], [8, 9, 10]]


def test_around_a_player_in_the_midst_of_a_tie(deal: DailyDeal) -> None:
    ids = record(deal, [(1000, 0), *[(2000, 1)] * 7, (3000, 0)])
    window = around(deal, ids[4], limit=3)
    assert window.rows == [Row(2, 2000, 1, player) for player in ids[3:6]]


def test_who_is_not_on_a_board_is_refused(deal: DailyDeal) -> None:
    [with_undo] = record(deal, [(1000, 1)])
    for player, board in [(uuid4(), Board.OVERALL), (with_undo, Board.CLEAN)]:
        with pytest.raises(Refusal) as refused:
            around(deal, player, board)
        assert refused.value.code == "not_ranked"
