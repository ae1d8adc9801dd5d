"""The order of a sorted set is that of the database, to the last tie and the greatest numbers."""

import pytest
from django.db import connection

from games.models import DailyDeal
from leaderboards import boards, live, queries, ranking
from leaderboards.models import Tally
from tests.boards import bulk
from tests.boards.conftest import Valkey


@pytest.mark.skipif(connection.vendor != "postgresql", reason="PostgreSQL makes the results")
@pytest.mark.parametrize("count", [50_000, pytest.param(1_000_000, marks=pytest.mark.exhaustive)])
def test_f2_the_order_of_a_set_is_that_of_the_database(
    played: DailyDeal, valkey: Valkey, count: int
) -> None:
    bulk.fill(played, count)
    tally = Tally.objects.get()
    for clean in (False, True):
        assert live.catch_up(tally, clean=clean) == count
        name = f"board:{tally.key}:{'clean' if clean else 'overall'}"
        in_set = valkey.client.zrange(name, 1, -1, withscores=True)
        order = "ranked_ms", "undo_count", "player_id"
        rows = queries.recorded(played.pk, clean=clean).order_by(*order).values_list(*order)
        in_order = [(player.bytes, ms * 2**20 + undos) for ms, undos, player in rows]
        assert in_set == in_order
        everyone = queries.recorded(played.pk, clean=clean)
        for result in everyone.filter(number__in=range(1, count, count // 97)):
            by_sql = ranking.counts(everyone, boards.ORDER, result)
            assert live.counts(tally, result, clean=clean) == by_sql


def test_f2_no_rank_key_is_too_great_for_a_set() -> None:
    """A double is exact up to 2^53: 26 hours and 5,000 undos at 10 minutes each are less."""
    most = 26 * 3_600_000 + 5_000 * 600_000
    assert live.score(most, 5_000) < 2**53
    assert live.score(most, 5_000) - 1 == live.score(most, 4_999)
    assert float(live.score(most, 5_000)) - 1 == float(live.score(most, 4_999))
