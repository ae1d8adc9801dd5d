"""The real worker on the real broker: what is due gets done, however often it is asked for (C3)."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from threading import Event
from time import monotonic
from unittest.mock import patch
from uuid import uuid4

import pytest
from celery.beat import Scheduler
from django.conf import settings
from django.db import connection, transaction

from games import queries, tasks
from games.models import Attempt, AttemptStatus, DailyDeal, Seal
from leaderboards.models import Standing
from pyramid_site import clock as the_clock
from pyramid_site.celery import app
from pyramid_site.models import Heartbeat
from pyramid_site.supervisor import end_with_parent
from tests import recomputation
from tests.api.client import sign_up
from tests.builders import SHORT_LINE, everything_stored, publish_short
from tests.conftest import Database, SimulatedClock
from tests.threads import somebody_waits_for_a_lock

LONG_AGO = date(2020, 1, 1)


@pytest.fixture
def queue() -> str:
    """A queue of this test's own: others run beside it on the same broker."""
    if not settings.REDIS_URL:
        pytest.skip("without a broker there is no worker")
    return f"test-{uuid4().hex}"


@dataclass
class Worker:
    """Does one task after the other, in the order in which they were sent; its clock is real."""

    queue: str
    database: Database
    log: Path
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        options = ["--pool=solo", f"--queues={self.queue}", f"--hostname={self.queue}@worker",
                   "--without-gossip", "--without-mingle", "--loglevel=INFO"]  # fmt: skip
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "celery", "-A", "pyramid_site", "worker", *options],
                cwd=settings.ROOT,
                env={**os.environ, "DATABASE_URL": self.database.url, "DEALS_AHEAD_DAYS": "0"},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                preexec_fn=end_with_parent,
            )

    def await_done(self, count: int) -> None:
        """Waits until so many tasks are done, a minute at most."""
        deadline = monotonic() + 60
        while (done := len(re.findall(r"Task \S+ succeeded", self.log.read_text()))) < count:
            assert monotonic() < deadline, f"{done} tasks done:\n{self.log.read_text()}"
            Event().wait(0.05)

    def kill(self) -> None:
        assert self.process
        self.process.kill()
        self.process.wait()
        self.process = None

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            assert self.process.wait(timeout=20) == 0, self.log.read_text()
            assert "Traceback" not in self.log.read_text()


@pytest.fixture
def worker(committed_db: Database, queue: str, tmp_path: Path) -> Iterator[Worker]:
    worker = Worker(queue, committed_db, tmp_path / "worker.log")
    yield worker
    worker.stop()


def test_c3_tasks_that_come_late_and_often_are_done_once(worker: Worker, queue: str) -> None:
    played_long_ago()
    today = the_clock.today()
    for day in (today, today + timedelta(days=1)):  # midnight may pass meanwhile
        for challenge in ("one-pass", "three-pass", "full-clear"):
            publish_short(challenge, day)
    for task in (tasks.sweep, tasks.make_deals):
        for _ in range(2):
            task.apply_async(queue=queue)
    before = the_clock.now()
    worker.start()
    worker.await_done(4)

    assert list(Attempt.objects.order_by("player__name").values_list("status", flat=True)) == [
        "cleared",
        "expired",
    ]
    assert list(Seal.objects.values_list("deal__date", "players", "cleared")) == [(LONG_AGO, 2, 1)]
    assert list(Standing.objects.values_list("result__player__name", "rank")) == [("Ada", 1)]
    assert DailyDeal.objects.filter(challenge="double").count() == 1
    assert Heartbeat.objects.get(task="sweep").beat_at > before

    stored = everything_stored()
    for task in (tasks.make_deals, tasks.sweep):
        for _ in range(10):
            task.apply_async(queue=queue)
    worker.await_done(24)
    assert everything_stored() == stored


def test_c3_a_worker_killed_in_the_middle_of_a_seal_has_sealed_nothing(
    worker: Worker, queue: str
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no lock of a row to hold the seal up with")
    played_long_ago()
    with transaction.atomic():
        queries.lock_deal_against_sealing(DailyDeal.objects.get().pk)
        tasks.sweep.apply_async(queue=queue)
        worker.start()
        deadline = monotonic() + 60
        while not somebody_waits_for_a_lock():
            assert monotonic() < deadline
            Event().wait(0.05)
        worker.kill()
    await_the_end_of_other_connections()
    assert not Seal.objects.exists()
    assert not Standing.objects.exists()

    tasks.sweep.apply_async(queue=queue)  # the next beat
    worker.start()
    worker.await_done(1)
    assert Attempt.objects.filter(status=AttemptStatus.EXPIRED).count() == 1
    assert Seal.objects.get().cleared == Standing.objects.count() == 1
    recomputation.check()


def await_the_end_of_other_connections() -> None:
    """That of a killed client ends when the server comes to write to it."""
    deadline = monotonic() + 60
    while True:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT 1 FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            if cursor.fetchone() is None:
                return
        assert monotonic() < deadline
        Event().wait(0.05)


def test_c3_two_schedulers_send_each_task_twice_and_it_is_done_once(
    worker: Worker, queue: str
) -> None:
    played_long_ago()
    for _ in range(2):
        scheduler = Scheduler(app)
        for entry in scheduler.schedule.values():
            entry.options["queue"] = queue
            entry.last_run_at -= timedelta(days=1)
        assert len(scheduler.schedule) >= 2
        scheduler.schedule["make-deals"].options["queue"] = f"{queue}-nobody"  # that takes long
        for _ in scheduler.schedule:
            scheduler.tick()
    worker.start()
    worker.await_done(2)
    assert Seal.objects.count() == Standing.objects.count() == 1
    recomputation.check()


def played_long_ago() -> None:
    """A deal of a day long ago that nobody sealed: cleared by Ada, left open by Ben."""
    simulated = SimulatedClock()
    simulated.set("2020-01-01T12:00:00.000Z")
    with patch.object(the_clock, "sql", simulated.sql):
        publish_short(day=LONG_AGO)
        sign_up("Ada").begin("one-pass", *SHORT_LINE)
        sign_up("Ben").begin()
