"""The ledger of outages: when nobody could play, and what is no proof of that."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime
from threading import Event
from time import monotonic
from typing import Any

import pytest
from django.db import connection
from gunicorn.workers.gthread import ThreadWorker
from pytest_django import Settings

from games import tasks
from games.models import DailyDeal
from pyramid_site import clock as the_clock
from pyramid_site import gunicorn_worker, health, outages
from pyramid_site.models import Heartbeat, Outage
from tests.api.client import Client, sign_up
from tests.attacks import servers
from tests.builders import DAY, publish_short, publish_today
from tests.conftest import Database, SimulatedClock
from tests.threads import at_once

pytestmark = pytest.mark.core


@pytest.fixture
def deal(db: None, clock: SimulatedClock) -> DailyDeal:
    return publish_short()


def written() -> list[tuple[str, str]]:
    """The outages, each by the time of day of its two ends."""
    rows = Outage.objects.order_by("began_at").values_list("began_at", "ended_at")
    return [(f"{began:%H:%M:%S.%f}"[:-3], f"{ended:%H:%M:%S.%f}"[:-3]) for began, ended in rows]


def test_marks_a_minute_apart_are_no_outage_and_a_gap_of_three_minutes_is_one(
    deal: DailyDeal, clock: SimulatedClock
) -> None:
    outages.mark()
    clock.advance(minutes=3, ms=-1)
    outages.mark()
    assert written() == []
    clock.advance(minutes=3)
    outages.mark()
    assert written() == [("12:02:59.999", "12:05:59.999")]
    clock.advance(minutes=1)
    outages.mark()
    assert len(written()) == 1


def test_c3_a_worker_that_fails_or_stands_still_while_people_play_is_no_outage(
    deal: DailyDeal, clock: SimulatedClock, settings: Settings
) -> None:
    """Nor is one that comes back: an outage would bridge everybody's streaks."""
    tasks.sweep()
    outages.mark()
    for _ in range(200):
        clock.advance(minutes=2, seconds=30)
        outages.mark()
    tasks.sweep()
    health.beat("sweep")
    assert written() == []
    assert outages.days_down() == set()


@pytest.mark.parametrize("swept", [True, False])
def test_c3_a_web_server_that_is_down_is_an_outage_whether_the_worker_lives_or_not(
    deal: DailyDeal, clock: SimulatedClock, swept: bool
) -> None:
    outages.mark()
    for _ in range(8):
        clock.advance(hours=1)
        if swept:
            tasks.sweep()
    outages.mark()
    assert written() == [("12:00:00.000", "20:00:00.000")]
    assert outages.days_down() == {DAY}


def test_c3_of_processes_that_come_back_together_one_writes_the_outage_down(
    committed_db: Database, clock: SimulatedClock
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time: there is nothing to race")
    publish_short()
    outages.mark()
    clock.advance(hours=8)
    at_once(*[outages.mark] * 8)
    assert written() == [("12:00:00.000", "20:00:00.000")]


def test_c3_one_process_of_two_that_marks_on_is_enough(
    deal: DailyDeal, clock: SimulatedClock
) -> None:
    """What one process restarts makes no gap in what the other marks."""
    outages.mark()
    for _ in range(30):
        clock.advance(minutes=2, seconds=59)
        outages.mark()
    assert written() == []


def test_c3_an_outage_begins_when_somebody_last_played(
    deal: DailyDeal, clock: SimulatedClock
) -> None:
    outages.mark()
    ada = sign_up()
    clock.advance(hours=1)
    attempt = ada.begin()
    clock.advance(hours=1)
    assert ada.resign(attempt["id"]).status == 200
    clock.advance(hours=6)
    outages.mark()
    assert written() == [("14:00:00.000", "20:00:00.000")]


def test_c3_who_plays_before_the_first_mark_after_an_outage_does_not_undo_it(
    deal: DailyDeal, clock: SimulatedClock
) -> None:
    ada = sign_up()
    outages.mark()
    clock.advance(hours=8)
    ada.begin()
    clock.advance(seconds=5)
    outages.mark()
    assert written() == [("12:00:00.000", "20:00:05.000")]


def test_c3_play_until_the_end_without_marks_leaves_a_few_minutes_at_most(
    deal: DailyDeal, clock: SimulatedClock
) -> None:
    """As where the heartbeat could not be written and everything else could."""
    outages.mark()
    for minutes in (60, 7 * 60 - 4, 3):
        clock.advance(minutes=minutes)
        sign_up().begin()
    clock.advance(minutes=1)
    outages.mark()
    assert written() == [("19:56:00.000", "20:00:00.000")]


def test_c3_while_there_is_no_deal_nobody_can_play(db: None, clock: SimulatedClock) -> None:
    """However well the server answers: the worker was down for longer than it had made ahead."""
    publish_short()
    outages.mark()
    clock.set("2026-12-01T00:00:00.000Z")
    outages.mark()
    clock.set("2026-12-01T10:00:00.000Z")
    outages.mark()
    publish_short(day=date(2026, 12, 1))
    outages.mark()
    assert written() == [("12:00:00.000", "10:00:00.000")]
    assert outages.days_down() == {DAY, date(2026, 12, 1)}


def test_a_server_that_never_had_a_deal_has_no_outage(db: None, clock: SimulatedClock) -> None:
    outages.mark()
    clock.advance(days=2)
    publish_short(day=the_clock.today())
    outages.mark()
    assert written() == []


def test_a_clock_that_is_set_back_is_no_outage(deal: DailyDeal, clock: SimulatedClock) -> None:
    outages.mark()
    clock.advance(hours=-2)
    outages.mark()
    clock.advance(hours=2, minutes=1)
    outages.mark()
    assert written() == []


def test_an_outage_is_shared_out_to_its_days(db: None, settings: Settings) -> None:
    Outage.objects.create(began_at="2026-11-27T18:00:00.000Z", ended_at="2026-11-29T06:00:00.001Z")
    settings.OUTAGE_SHARE = 0.25
    assert outages.days_down() == {date(2026, 11, 28), date(2026, 11, 29)}
    settings.OUTAGE_SHARE = 0.2
    assert outages.days_down() == {date(2026, 11, 27), date(2026, 11, 28), date(2026, 11, 29)}
    settings.OUTAGE_SHARE = 1
    assert outages.days_down() == set()


# Who marks


def test_c3_a_web_process_marks_without_any_request(committed_db: Database) -> None:
    publish_today()
    before = the_clock.now()
    with servers.web(committed_db.url):
        assert marked_at() >= before


def marked_at() -> datetime:
    deadline = monotonic() + 60
    while (found := Heartbeat.objects.filter(task=outages.PLAY).first()) is None:
        assert monotonic() < deadline
        Event().wait(0.05)
    return found.beat_at


def worker(threads: ThreadPoolExecutor) -> Any:
    """gunicorn's worker without its sockets."""
    made = gunicorn_worker.Worker.__new__(gunicorn_worker.Worker)
    made.alive, made.tpool = True, threads
    return made


def test_c3_a_process_whose_threads_are_all_stuck_does_not_mark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And it does not pile up marks for the time after."""
    marks: list[int] = []
    let_go = Event()
    monkeypatch.setattr(ThreadWorker, "notify", lambda self: None)
    monkeypatch.setattr(gunicorn_worker.Worker, "mark", lambda self: marks.append(1))
    monkeypatch.setattr(gunicorn_worker, "MARKED_EVERY", 0.0)
    with ThreadPoolExecutor(2) as threads:
        for _ in range(2):
            threads.submit(let_go.wait, 30)
        process = worker(threads)
        for _ in range(5):
            process.notify()
        assert marks == []
        let_go.set()
        process.marking.result(timeout=30)
        assert marks == [1]
        process.notify()
        process.marking.result(timeout=30)
        assert marks == [1, 1]


def test_a_process_marks_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    marks: list[int] = []
    monkeypatch.setattr(ThreadWorker, "notify", lambda self: None)
    monkeypatch.setattr(gunicorn_worker.Worker, "mark", lambda self: marks.append(1))
    now = [100.0]
    monkeypatch.setattr(gunicorn_worker, "monotonic", lambda: now[0])
    with ThreadPoolExecutor(1) as threads:
        process = worker(threads)
        for seconds in range(121):
            now[0] = 100.0 + seconds
            process.notify()
            process.marking.result(timeout=30)
    assert len(marks) == 3


def test_a_day_without_marks_can_still_be_played(deal: DailyDeal) -> None:
    """The marks are no condition of anything."""
    assert not Heartbeat.objects.exists()
    assert Client(sign_up().token).start().status == 201
