"""The sorted sets: they answer for the version that they hold, and for no other."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games.models import DailyDeal
from leaderboards import boards, live, tasks
from leaderboards.boards import Board
from leaderboards.models import Result, Tally
from leaderboards.ranking import Counts
from pyramid_site import circuit
from tests.boards.conftest import Valkey
from tests.boards.table import (
    Finish,
    around,
    finalize,
    finish,
    page,
    plainly,
    players,
    record,
    walk,
    window,
)  # fmt: skip
from tests.conftest import Database

pytestmark = pytest.mark.core

SECONDS: list[Finish] = [(1000 * second, second % 3) for second in range(1, 10)]


@contextmanager
def counting_in(sql_or_set: str) -> Iterator[None]:
    """Whether ranks are counted in the database is seen by its statements."""
    with CaptureQueriesContext(connection) as queries:
        yield
    counted = any("COUNT(" in query["sql"] for query in queries)
    assert counted == (sql_or_set == "sql")


def key(deal: DailyDeal, board: Board = Board.OVERALL) -> str:
    return f"board:{Tally.objects.get(pk=deal.pk).key}:{board}"


def check(deal: DailyDeal, finishes: list[Finish], ids: list[object]) -> None:
    """Both boards, by every page and every window, are those that are computed plainly."""
    for board in Board:
        expected = plainly(finishes, ids, board)  # type: ignore[arg-type] # they are ids
        for limit, final in ((1, False), (4, True)):  # what is no more than a guess
            assert walk(deal, board, limit=limit, final=final) == expected
            for place, row in enumerate(expected):
                shown = around(deal, row.player, board, limit=limit, final=final)
                assert (shown.rows, shown.total) == (window(expected, place, limit), len(expected))


def test_ranks_are_counted_by_the_set(played: DailyDeal) -> None:
    ids = record(played, SECONDS)
    with counting_in("set"):
        assert around(played, ids[5], limit=3).ranks == [5, 6, 7]
        assert around(played, ids[5], Board.CLEAN, limit=1).ranks == [2]
        attempt = Result.objects.get(player=ids[8]).pk
        placing = boards.placing(attempt_id=attempt)
    assert placing is not None
    assert (placing.rank, placing.of) == (9, 9)
    check(played, SECONDS, [*ids])


def test_the_first_page_is_counted_by_nobody(played: DailyDeal, valkey: Valkey) -> None:
    record(played, SECONDS)
    with counting_in("set"):
        assert page(played, limit=4).ranks == [1, 2, 3, 4]
    assert valkey.client.dbsize() == 0


def test_f2_the_set_has_the_order_of_the_database(played: DailyDeal, valkey: Valkey) -> None:
    ids = record(played, [(5, 1), (5, 1), (5, 0), (0, 0), (2**31, 5_000), (2**31, 4_999)])
    around(played, ids[0])
    boards.placing(attempt_id=Result.objects.get(player=ids[0]).pk)
    in_set = valkey.client.zrange(key(played), 1, -1, withscores=True)
    in_order = Result.objects.order_by(*boards.ORDER.columns)
    assert in_set == [(it.player_id.bytes, it.ranked_ms * 2**20 + it.undo_count) for it in in_order]


def test_c4_a_set_of_one_after_a_flush_never_answers(played: DailyDeal, valkey: Valkey) -> None:
    ids = record(played, SECONDS)
    assert around(played, ids[8], limit=1).ranks == [9]
    valkey.client.flushall()
    [late] = players(1)
    attempt = finish(played, late, 60_000)
    placing = boards.placing(attempt_id=attempt)
    assert placing is not None
    assert (placing.rank, placing.of) == (10, 10)
    check(played, [*SECONDS, (60_000, 0)], [*ids, late])


def test_c4_a_set_without_its_mark_is_no_set(played: DailyDeal, valkey: Valkey) -> None:
    ids = record(played, SECONDS)
    around(played, ids[8], limit=1)
    valkey.client.zrem(key(played), "")
    valkey.client.zrem(key(played), ids[0].bytes)
    assert around(played, ids[8], limit=1).ranks == [9]
    assert valkey.client.zcard(key(played)) == 1 + 9


def test_c4_a_process_killed_after_its_commit_and_before_the_set_is_missed_by_nobody(
    played: DailyDeal, valkey: Valkey, committed_db: Database
) -> None:
    ids = record(played, SECONDS)
    assert around(played, ids[8], limit=1).ranks == [9]
    [quick] = players(1)
    program = f"""
import django, os, signal
django.setup()
from games.models import DailyDeal
from leaderboards import live
from tests.boards import table
live._advance = lambda *args, **options: os.kill(os.getpid(), signal.SIGKILL)
deal = DailyDeal.objects.get(pk={played.pk})
table.finish(deal, table.UUID("{quick}"), 500)
print("committed", flush=True)
table.around(deal, table.UUID("{quick}"), limit=1)
table.around(deal, table.UUID("{ids[8]}"), limit=1)
"""
    own = {"DATABASE_URL": committed_db.url, "REDIS_URL": valkey.url}
    environment = {**os.environ, **own, "DJANGO_SETTINGS_MODULE": "pyramid_site.settings"}
    killed = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert (killed.returncode, killed.stdout) == (-signal.SIGKILL, "committed\n"), killed.stderr
    assert valkey.client.zscore(key(played), "") == -9
    check(played, [*SECONDS, (500, 0)], [*ids, quick])
    with counting_in("set"):
        assert around(played, ids[8], limit=1).ranks == [10]


def test_c4_what_is_rolled_back_gets_into_no_set(played: DailyDeal) -> None:
    ids = record(played, SECONDS)
    [ghost, real] = players(2)
    with transaction.atomic():
        finish(played, ghost, 1)
        assert around(played, ids[8], limit=1).ranks == [10]
        transaction.set_rollback(True)
    assert around(played, ids[8], limit=1).ranks == [9]
    finish(played, real, 99_000)
    check(played, [*SECONDS, (99_000, 0)], [*ids, real])


def test_a_set_that_has_gone_on_does_not_answer_for_the_past(played: DailyDeal) -> None:
    record(played, SECONDS)
    past = Tally.objects.get(pk=played.pk)
    record(played, [(1, 0)])
    last = Result.objects.get(ranked_ms=9000)
    assert around(played, last.player_id, limit=1).ranks == [10]
    assert live.counts(past, last, clean=False) is None
    present = Tally.objects.get(pk=played.pk)
    assert live.counts(present, last, clean=False) == Counts(9, 9)


@pytest.mark.parametrize("trouble", ["hangs", "is gone"])
def test_c4_without_valkey_the_answers_are_the_same_and_wait_for_nothing(
    played: DailyDeal, valkey: Valkey, trouble: str
) -> None:
    ids = record(played, SECONDS)
    around(played, ids[8], limit=1)
    if trouble == "hangs":
        valkey.stand_still()
    else:
        valkey.process.kill()
        valkey.process.wait()
    start = monotonic()
    with counting_in("sql"):
        assert around(played, ids[8], limit=1).ranks == [9]
    assert monotonic() - start < 1  # of which it has waited live.TIMEOUT
    start = monotonic()
    for _ in range(10):
        assert around(played, ids[8], limit=1).ranks == [9]
    assert monotonic() - start < live.TIMEOUT * 10 / 2
    check(played, SECONDS, [*ids])


def test_c4_without_valkey_nothing_is_built_and_nothing_forgotten(
    played: DailyDeal, valkey: Valkey
) -> None:
    record(played, SECONDS)
    valkey.process.kill()
    valkey.process.wait()
    tally = Tally.objects.get(deal=played)
    assert live.catch_up(tally, clean=False) is None
    assert live.forget(tally, clean=False) is None


def test_c4_when_valkey_is_back_it_counts_again(
    played: DailyDeal, valkey: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = record(played, SECONDS)
    valkey.stand_still()
    around(played, ids[8], limit=1)
    valkey.go_on()
    with counting_in("sql"):
        assert around(played, ids[8], limit=1).ranks == [9]
    later = monotonic() + circuit.REST
    monkeypatch.setattr(circuit, "monotonic", lambda: later)
    with counting_in("set"):
        assert around(played, ids[8], limit=1).ranks == [9]


def test_no_reader_waits_for_more_than_a_batch(
    played: DailyDeal, valkey: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "BATCH", 4)
    ids = record(played, SECONDS)
    with counting_in("sql"):
        assert around(played, ids[8], limit=1).ranks == [9]
    assert valkey.client.dbsize() == 0
    tasks.rebuild_boards()
    with counting_in("set"):
        assert around(played, ids[8], limit=1).ranks == [9]
        assert around(played, ids[8], Board.CLEAN, limit=1).ranks == [3]
    tasks.rebuild_boards()
    check(played, SECONDS, [*ids])


def test_c3_a_build_that_was_broken_off_is_gone_on_with(
    played: DailyDeal, valkey: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "BATCH", 4)
    monkeypatch.setattr(live, "BUILT", 4)
    ids = record(played, SECONDS)

    def stop_halfway(version: int) -> None:
        if version == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        live.catch_up(Tally.objects.get(), clean=False, progress=stop_halfway)
    assert valkey.client.zscore(key(played), "") == -4
    with counting_in("sql"):
        assert around(played, ids[0], limit=2).ranks == [1, 2]
        assert around(played, ids[8], limit=1).ranks == [9]
    assert live.catch_up(Tally.objects.get(), clean=False) == 9
    check(played, SECONDS, [*ids])


def test_a_set_of_a_database_that_was_set_back_is_made_anew(
    played: DailyDeal, valkey: Valkey
) -> None:
    ids = record(played, SECONDS)
    around(played, ids[8], limit=1)
    valkey.client.zadd(key(played), {b"": -12, b"x" * 16: 5})
    assert around(played, ids[8], limit=1).ranks == [9]
    tasks.rebuild_boards()
    with counting_in("set"):
        assert around(played, ids[8], limit=1).ranks == [9]


def test_sealed_boards_never_ask_valkey(played: DailyDeal, valkey: Valkey) -> None:
    ids = record(played, SECONDS)
    finalize(played)
    valkey.stand_still()
    check(played, SECONDS, [*ids])
    boards.placing(attempt_id=Result.objects.get(player=ids[8]).pk)
    assert live.circuit.resting_until < 0


def test_the_sets_go_by_themselves(played: DailyDeal, valkey: Valkey) -> None:
    ids = record(played, SECONDS)
    around(played, ids[8], limit=1)
    assert 0 < valkey.client.ttl(key(played)) <= live.LIFE
