"""What dies in the middle of its work takes no acknowledged move along, and leaves no half (C2)."""

import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import environ
import pytest
from django.core.management import call_command
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from games.models import Attempt, LoggedMove
from leaderboards.models import Result
from pyramid_site import clock as the_clock
from tests import recomputation, services
from tests.attacks.servers import PATIENCE, Caller, NoAnswerError, Web, web
from tests.builders import publish_today
from tests.threads import somebody_waits_for_a_lock

THERE_AND_BACK = ["D", "D", "U", "U"]


def dies_unanswered(player: Caller, path: str, body: Any = None) -> None:
    """The request is done and committed, and then its server is no more."""
    with pytest.raises(NoAnswerError):
        player.once("POST", path, body, **{"X-Then-Die": "1"})


def test_b3_a_start_whose_server_dies_before_the_reply_has_started_the_clock(
    player: Caller,
) -> None:
    dies_unanswered(player, "/deals/today/one-pass/attempts")
    died_at = the_clock.now()
    started = Attempt.objects.latest("started_at")
    Event().wait(0.2)
    again = player.insist("POST", "/deals/today/one-pass/attempts")
    assert (again.status, again.body["id"]) == (200, str(started.pk))
    assert datetime.fromisoformat(again.body["started_at"]) == started.started_at <= died_at
    assert again.body["elapsed_ms"] >= 200
    recomputation.check()


def test_c2_a_server_that_dies_between_commit_and_reply_has_done_it_once(
    server: Web, player: Caller
) -> None:
    attempt = player.start()
    for ply, move in enumerate(["U", "b1b2", "a1"], start=1):
        attempt = player.play(attempt, ["D"]) if ply == 1 else attempt
        body = {"move": move, "ply": ply}
        dies_unanswered(player, f"/attempts/{attempt['id']}/moves", body)
        again = player.move(attempt["id"], move, ply)
        assert (again.status, again.headers["Idempotent-Replayed"]) == (200, "true")
    assert Result.objects.filter(attempt_id=attempt["id"]).count() == 1

    quitter = Caller(server.port).sign_up()
    path = f"/attempts/{quitter.start()['id']}/resign"
    dies_unanswered(quitter, path)
    assert quitter.insist("POST", path).body["status"] == "resigned"
    recomputation.check({attempt["id"]: player.acknowledged})


def test_c2_a_server_that_dies_in_a_move_has_not_done_it(server: Web, player: Caller) -> None:
    attempt = player.start()
    path = f"/attempts/{attempt['id']}/moves"
    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        Attempt.objects.select_for_update().get(pk=attempt["id"])
        moving = pool.submit(player.once, "POST", path, {"move": "D", "ply": 0})
        wait_for(somebody_waits_for_a_lock)
        server.kill_workers()
        with pytest.raises(NoAnswerError):
            moving.result(timeout=PATIENCE)
    assert not LoggedMove.objects.filter(attempt=attempt["id"]).exists()
    answer = player.move(attempt["id"], "D", 0)
    assert (answer.status, answer.headers["Idempotent-Replayed"]) == (200, None)
    recomputation.check({attempt["id"]: player.acknowledged})


def test_c2_every_web_worker_is_killed_in_the_middle_of_play(server: Web, player: Caller) -> None:
    played(player, kill=server.kill_workers)


def test_c2_every_connection_is_ended_in_the_middle_of_play(player: Caller) -> None:
    def end() -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    played(player, kill=end)


def test_c2_the_database_crashes_in_the_middle_of_play(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> None:
    """Of a process of PostgreSQL that is killed all the others end too, and begin anew."""

    def crash() -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pid FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            os.kill(cursor.fetchone()[0], signal.SIGKILL)
        connection.close()

    with cluster_of_its_own(django_db_blocker) as url:
        publish_today()
        with web(url) as server:
            played(Caller(server.port).sign_up(), kill=crash)


@contextmanager
def cluster_of_its_own(blocker: DjangoDbBlocker) -> Iterator[str]:
    """The URL of a migrated database whose server no other test uses; all inside is done in it."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no server that could be killed")
    with ExitStack() as stack:
        stack.enter_context(blocker.unblock())
        folder = Path(tempfile.mkdtemp(prefix="pyramid-"))
        stack.callback(shutil.rmtree, folder)
        url = services.start_postgres(stack.callback, folder, speed=["fsync=off"])
        connection.close()
        stack.callback(connection.settings_dict.update, connection.settings_dict.copy())
        stack.callback(connection.close)
        connection.settings_dict.update(environ.Env.db_url_config(url))
        call_command("migrate", verbosity=0)
        yield url


def played(player: Caller, *, kill: Callable[[], None]) -> None:
    """Play that goes on while something is killed, and after some moves again."""
    attempt = player.start()
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(player.play, attempt, THERE_AND_BACK * 40)
        for moves in (30, 90):
            wait_for(lambda: playing.done() or len(player.acknowledged) >= moves)  # noqa: B023
            assert not playing.done()
            kill()
        attempt = playing.result(timeout=2 * PATIENCE)
    assert attempt["ply"] == len(player.acknowledged) == 160
    recomputation.check({attempt["id"]: player.acknowledged})


def wait_for(something: Callable[[], bool]) -> None:
    deadline = monotonic() + PATIENCE
    while not something():
        assert monotonic() < deadline
        Event().wait(0.005)
