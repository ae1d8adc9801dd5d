"""Reading while others finish: each answer is of one instant, and pages shift nothing."""

from functools import partial
from itertools import pairwise
from threading import Event
from uuid import UUID

import pytest
from django.db import connection

from games.models import DailyDeal
from leaderboards import boards
from leaderboards.boards import Board, Excerpt
from leaderboards.models import Result
from tests.boards.table import Row, finish, page, players, record
from tests.threads import at_once

pytestmark = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite lets one write at a time"
)


def test_f3_each_answer_is_of_one_instant(played: DailyDeal) -> None:
    """An excerpt of n results is that of the first n: ranks, window and size together."""
    ids = record(played, [(1000 * (n % 7), 0) for n in range(20)])
    coming = players(300)
    over = Event()

    def finishers(mine: list[UUID]) -> None:
        for number, player in enumerate(mine):
            finish(played, player, 700 * (number % 11))
        over.set()

    def reader(player: UUID) -> list[Excerpt]:
        found = []
        while not over.is_set():
            found.append(
                boards.around(deal_id=played.pk, board=Board.OVERALL, player_id=player, limit=5)
            )
        return found

    answers = at_once(
        partial(finishers, coming[:150]),
        partial(finishers, coming[150:]),
        partial(reader, ids[6]),
        partial(reader, ids[19]),
    )
    by_number = list(Result.objects.order_by("number"))
    seen = [*answers[2], *answers[3]]
    assert len({excerpt.total for excerpt in seen}) > 10
    for excerpt in seen:
        then = by_number[: excerpt.total]
        order = sorted((it.ranked_ms, it.undo_count, it.player_id) for it in then)
        first = (
            excerpt.page.items[0].result.ranked_ms, 0, excerpt.page.items[0].result.player_id
        )  # fmt: skip
        place = order.index(first)
        expected = [
            (1 + sum(other[:2] < key[:2] for other in order), key[2])
            for key in order[place : place + 5]
        ]
        assert [(it.rank, it.result.player_id) for it in excerpt.page.items] == expected


@pytest.mark.parametrize("backwards", [False, True])
def test_f3_pages_walked_while_1000_finish(played: DailyDeal, backwards: bool) -> None:
    """Nothing twice, nothing lost that stood still, no rank going back within a page."""
    stood = set(record(played, [(1000 * (n % 97), n % 2) for n in range(300)]))
    coming = players(1000)

    def finishers(mine: list[UUID]) -> None:
        for number, player in enumerate(mine):
            finish(played, player, 977 * (number % 101), number % 3)

    def walker() -> list[list[Row]]:
        here = page(played, limit=10)
        pages = [here.rows]
        while here.next:
            here = page(played, limit=10, cursor=here.next)
            pages.append(here.rows)
        if backwards:
            pages = [here.rows]
            while here.previous:
                here = page(played, limit=10, cursor=here.previous)
                pages.insert(0, here.rows)
        return pages

    *_, pages = at_once(*(partial(finishers, coming[start::4]) for start in range(4)), walker)
    met = [row.player for rows in pages for row in rows]
    assert len(met) == len(set(met))
    assert stood <= set(met)
    keys = [row[1:] for rows in pages for row in rows]
    assert keys == sorted(keys)
    for rows in pages:
        for row, after in pairwise(rows):
            tied = row[1:3] == after[1:3]
            assert after.rank == row.rank if tied else after.rank > row.rank
    assert Result.objects.count() == 1300
