"""A great many results at once, made by PostgreSQL itself."""

from django.db import connection

from games.models import DailyDeal
from leaderboards.models import Tally

PLAYERS = """
INSERT INTO players_player (id, name, name_key, skeleton, joined_at, password, email)
SELECT md5('player ' || n)::uuid, 'Player ' || n, 'player ' || n, 'player ' || n,
       clock_timestamp(), '', ''
FROM generate_series(1, %s) AS n
"""
# A tenth of the results are extremes, and as many are equals of others.
RESULTS = """
INSERT INTO leaderboards_result (attempt_id, deal_id, number, player_id, ranked_ms, undo_count,
                                 elapsed_ms, ply, finished_at)
SELECT md5('attempt ' || n)::uuid, %s, n, md5('player ' || n)::uuid, ms, undos, ms, 60,
       clock_timestamp()
FROM (
    SELECT n, CASE n %% 20
               WHEN 0 THEN (ARRAY[0, 1, 93600000, 3093599999, 3093600000])[1 + n / 20 %% 5]
               WHEN 1 THEN 300000
               ELSE floor(60000 + 7000000 * random() ^ 3)
           END::bigint AS ms,
           CASE n %% 20
               WHEN 0 THEN (ARRAY[0, 1, 4999, 5000])[1 + n / 100 %% 4]
               ELSE floor(6 * random() ^ 2)
           END::int AS undos
    FROM generate_series(1, %s) AS n
) AS finish
ORDER BY n
"""


def fill(deal: DailyDeal, count: int) -> None:
    """So many players, each with a result of the deal."""
    with connection.cursor() as cursor:
        cursor.execute(PLAYERS, [count])
        cursor.execute(RESULTS, [deal.pk, count])
    tally(deal)


def tally(deal: DailyDeal) -> Tally:
    """Counts the results that were put in past the services."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*), count(*) FILTER (WHERE undo_count = 0) FROM leaderboards_result"
            " WHERE deal_id = %s",
            [deal.pk],
        )
        overall, clean_results = cursor.fetchone()
    return Tally.objects.create(
        deal=deal,
        key=f"{deal.pk:032}",
        version=overall,
        overall=overall,
        clean_results=clean_results,
    )
