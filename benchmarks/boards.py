"""What the boards cost with a million results on one day, beside the bare commands below them.

    .venv/bin/python -m benchmarks.boards [--results 1000000] [--rounds 300]

PostgreSQL and Valkey are started for it. Bare commands and service calls alternate, so that what
else the machine does meets both, and neither asks for what the other has just brought into memory;
medians are compared.
"""

import argparse
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple
from uuid import UUID

from tests import services

SMALL = 10_000  # results of the deal that the great one is compared with
PAGE = 20

NEIGHBOURS = """
SELECT r.attempt_id, r.player_id, r.ranked_ms, r.undo_count, r.elapsed_ms, r.ply, r.finished_at,
       p.name
FROM leaderboards_result r JOIN players_player p ON p.id = r.player_id
WHERE r.deal_id = %s AND (r.ranked_ms, r.undo_count, r.player_id) > (%s, %s, %s)
ORDER BY r.ranked_ms, r.undo_count, r.player_id LIMIT 20
"""
BY_ID = """
SELECT r.*, p.name FROM leaderboards_result r JOIN players_player p ON p.id = r.player_id
WHERE r.attempt_id = %s
"""
RANKS = """
INSERT INTO bare_standing (result_id, rank, clean_rank)
SELECT attempt_id, RANK() OVER (ORDER BY ranked_ms, undo_count),
       CASE WHEN undo_count = 0 THEN
           RANK() OVER (PARTITION BY undo_count = 0 ORDER BY ranked_ms, undo_count)
       END
FROM leaderboards_result WHERE deal_id = %s
"""


class Line(NamedTuple):
    """A row of the table: what was measured, beside what, and how much more it may be."""

    what: str
    figure: str
    beside: str
    ratio: float
    target: float

    def __str__(self) -> str:
        kept = "kept" if self.ratio <= self.target else "MISSED"
        return (
            f"{self.what:26}{self.figure:>10}{self.beside:>34}{self.ratio:8.2f}"
            f"{self.target:8.2f}  {kept}"
        )


class AskedResult(NamedTuple):
    """A result to ask for."""

    attempt: UUID
    player: UUID
    ms: int
    undos: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=300)
    options = parser.parse_args()
    with ExitStack() as stack:
        services.start(stack.callback)
        os.environ.update(DATABASE_POOL="0", DJANGO_SETTINGS_MODULE="pyramid_site.settings")
        import django

        django.setup()
        print(f"{'':26}{'measured':>10}{'beside':>34}{'ratio':>8}{'target':>8}")
        measure(options.results, options.rounds)


def measure(results: int, rounds: int) -> None:
    from django.core.management import call_command

    from tests import builders

    call_command("migrate", verbosity=0)
    small = builders.publish_short("double")
    great = builders.publish_short("one-pass")
    sys.stderr.write(f"making {results:,} players and results, which takes minutes\n")
    fill(small, great, results)
    rebuild(great, results)
    build(small)
    read(small, great, results, rounds)
    without_redis(great)
    seal(great)


def fill(small: Any, great: Any, results: int) -> None:
    from django.db import connection

    from tests.boards import bulk

    with connection.cursor() as cursor:
        cursor.execute(bulk.PLAYERS, [max(results, SMALL)])
        for deal, count in ((great, results), (small, SMALL)):
            cursor.execute(bulk.RESULTS.replace("'attempt '", f"'{deal.pk} '"), [deal.pk, count])
            bulk.tally(deal)
    vacuum()


def vacuum() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")


def build(deal: Any) -> float:
    """s for both sets of a deal."""
    from leaderboards import live
    from leaderboards.models import Tally

    tally = Tally.objects.get(pk=deal.pk)
    start = time.perf_counter()
    for clean in (False, True):
        assert live.catch_up(tally, clean=clean) == tally.version
    return time.perf_counter() - start


def rebuild(deal: Any, results: int) -> None:
    from leaderboards import live
    from leaderboards.models import Tally

    tally = Tally.objects.get(pk=deal.pk)
    start = time.perf_counter()
    assert live.catch_up(tally, clean=False) == results
    took = time.perf_counter() - start
    size = redis_client().memory_usage(f"board:{tally.key}:overall", samples=0) / 1e6
    scale = results / 1_000_000
    say(Line("rebuilding a set", f"{took:.1f} s", f"{30 * scale:.1f} s", took / 30 / scale, 1))
    say(Line("a set's memory", f"{size:.0f} MB", f"{150 * scale:.0f} MB", size / 150 / scale, 1))
    build(deal)


class Call(NamedTuple):
    """A service call, and the bare commands that it cannot beat."""

    what: str
    service: Callable[[AskedResult], Any]
    beside: str
    bare: Callable[[AskedResult], Any]


def read(small: Any, great: Any, results: int, rounds: int) -> None:
    few, many = some_of(small, SMALL, rounds), some_of(great, results, rounds)
    for before, now in zip(calls(small, few), calls(great, many), strict=True):
        earlier, later, bare = alternately(
            [(before.service, few), (now.service, many), (now.bare, many[::-1])]
        )
        what = f"{now.what} of {results:,}"
        say(Line(what, ms(later), f"{now.beside}: {ms(bare)}", later / bare, 2))
        say(Line(what, ms(later), f"of {SMALL:,}: {ms(earlier)}", later / earlier, 1.5))


def calls(deal: Any, asked: Sequence[AskedResult]) -> list[Call]:
    from django.db import connection

    from leaderboards import boards, queries
    from leaderboards.boards import ORDER, Board
    from leaderboards.models import Tally

    key, redis = f"board:{Tally.objects.get(pk=deal.pk).key}:overall", redis_client()
    everyone = queries.recorded(deal.pk, clean=False)
    deep = {it: ORDER.around(everyone, everyone.get(pk=it.attempt), limit=1).next for it in asked}

    def select(statement: str, *values: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement, values)
            cursor.fetchall()

    def bare_rank(it: AskedResult) -> None:
        redis.zrank(key, it.player.bytes)
        select(BY_ID, it.attempt)

    def bare_around(it: AskedResult) -> None:
        place = redis.zrank(key, it.player.bytes)
        redis.zrange(key, max(1, place - PAGE // 2), place + PAGE // 2 - 1)
        select(NEIGHBOURS, deal.pk, it.ms, it.undos, it.player)

    def bare_page(it: AskedResult) -> None:
        select(NEIGHBOURS, deal.pk, -1, 0, it.player)

    def bare_deep_page(it: AskedResult) -> None:
        redis.zrank(key, it.player.bytes)
        select(NEIGHBOURS, deal.pk, it.ms, it.undos, it.player)

    on = {"deal_id": deal.pk, "board": Board.OVERALL, "limit": PAGE}
    return [
        Call("rank", lambda it: boards.placing(attempt_id=it.attempt), "ZRANK, row", bare_rank),
        Call("around me", lambda it: boards.around(**on, player_id=it.player),
             "ZRANK, ZRANGE, keyset", bare_around),
        Call("top page", lambda it: boards.page(**on, cursor=None), "keyset", bare_page),
        Call("deep page", lambda it: boards.page(**on, cursor=deep[it]),
             "ZRANK, keyset", bare_deep_page),
    ]  # fmt: skip


def alternately(
    calls: list[tuple[Callable[[AskedResult], Any], Sequence[AskedResult]]],
) -> list[float]:
    """The median of each call, in s; they take turns."""
    times: list[list[float]] = [[] for _ in calls]
    for number in range(min(len(asked) for _, asked in calls)):
        for (call, asked), spent in zip(calls, times, strict=True):
            start = time.perf_counter()
            call(asked[number])
            if number >= 10:  # the first ones warm caches and connections
                spent.append(time.perf_counter() - start)
    return [statistics.median(spent) for spent in times]


def some_of(deal: Any, size: int, count: int) -> list[AskedResult]:
    from leaderboards import queries

    numbers = random.Random(1).sample(range(1, size + 1), min(size, count))
    rows = queries.recorded(deal.pk, clean=False).filter(number__in=numbers)
    columns = ("attempt_id", "player_id", "ranked_ms", "undo_count")
    return [AskedResult(*row) for row in rows.values_list(*columns).order_by("attempt_id")]


def without_redis(deal: Any) -> None:
    """The rank of the last, counted by the database."""
    from django.conf import settings

    from leaderboards import boards
    from leaderboards.models import Result

    vacuum()
    worst = (f"-{column}" for column in boards.ORDER.columns)
    last = Result.objects.filter(deal=deal).order_by(*worst).first()
    assert last is not None
    given, settings.REDIS_URL = settings.REDIS_URL, ""
    times = []
    for _ in range(7):
        start = time.perf_counter()
        placing = boards.placing(attempt_id=last.pk)
        times.append(time.perf_counter() - start)
    settings.REDIS_URL = given
    assert placing is not None
    took = statistics.median(times)
    say(Line(f"rank {placing.rank:,} without Redis", ms(took), "500.00 ms", took / 0.5, 1))


def seal(deal: Any) -> None:
    """The final ranks, beside the same statement into a table with the same keys."""
    from django.db import connection, transaction

    from leaderboards import standings
    from pyramid_site import clock

    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(3):
        start = time.perf_counter()
        with transaction.atomic():
            standings.finalize(deal_id=deal.pk, at=clock.now())
            times[0].append(time.perf_counter() - start)
            transaction.set_rollback(True)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("CREATE TABLE bare_standing (LIKE leaderboards_standing INCLUDING ALL)")
            cursor.execute(
                "ALTER TABLE bare_standing ADD FOREIGN KEY (result_id)"
                " REFERENCES leaderboards_result DEFERRABLE INITIALLY DEFERRED"
            )
            start = time.perf_counter()
            cursor.execute(RANKS, [deal.pk])
            times[1].append(time.perf_counter() - start)
            transaction.set_rollback(True)
    slow, bare = map(min, times)
    say(Line("sealing", f"{slow:.1f} s", f"INSERT ... SELECT: {bare:.1f} s", slow / bare, 1.5))


def redis_client() -> Any:
    import redis
    from django.conf import settings

    return redis.Redis.from_url(settings.REDIS_URL)


def ms(seconds: float) -> str:
    return f"{1000 * seconds:.2f} ms"


def say(line: Line) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()
