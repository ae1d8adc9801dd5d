"""Whether the server says truly how it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings as django_settings
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from pytest_django import Settings

from games import tasks
from pyramid_site import clock as the_clock
from pyramid_site import health
from pyramid_site.models import Heartbeat
from tests.conftest import SimulatedClock

pytestmark = [
    pytest.mark.core,
    pytest.mark.django_db,
    pytest.mark.usefixtures("asked_by_the_test_itself"),
]
NO_REDIS = [] if django_settings.REDIS_URL else ["redis"]


def ready(client: Client) -> tuple[int, Any]:
    response = client.get("/readyz")
    return response.status_code, response.json()


def degraded(client: Client) -> list[str]:
    """Of a server that is ready."""
    status, body = ready(client)
    assert (status, body["status"]) == (200, "ready")
    return list(body["degraded"])


@pytest.fixture(autouse=True)
def a_queue_of_its_own(settings: Settings) -> None:
    """Other tests send tasks on the same broker."""
    settings.CELERY_TASK_DEFAULT_QUEUE = f"health-{uuid4().hex}"


@pytest.fixture
def broker(settings: Settings) -> None:
    if not settings.REDIS_URL:
        pytest.skip("there is no broker")


@pytest.fixture
def beating(clock: SimulatedClock) -> SimulatedClock:
    """Scheduler and worker live; the clock stands at their last beat."""
    health.beat("beat")
    health.beat("sweep")
    return clock


@contextmanager
def without_a_database() -> Iterator[None]:
    def fail(*args: object) -> None:
        raise OperationalError("the server closed the connection")

    with connection.execute_wrapper(fail):
        yield


def test_healthz_asks_nobody(client: Client) -> None:
    with without_a_database():
        response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "up"})


def test_ready_with_all_that_belongs_to_it(client: Client, beating: SimulatedClock) -> None:
    beating.advance(seconds=59, ms=999)
    waiting = 0 if django_settings.REDIS_URL else None
    assert ready(client) == (
        200,
        {
            "status": "ready",
            "degraded": NO_REDIS,
            "sweep_age_s": 59,
            "beat_age_s": 59,
            "queue_length": waiting,
        },
    )


def test_what_never_was_has_no_age(client: Client, clock: SimulatedClock) -> None:
    body = ready(client)[1]
    assert (body["sweep_age_s"], body["beat_age_s"]) == (None, None)


def test_the_sweep_itself_beats_and_says_how_long_it_took(
    client: Client, clock: SimulatedClock
) -> None:
    tasks.sweep()
    assert "sweep" not in degraded(client)
    clock.advance(minutes=1)
    tasks.sweep()
    beat = Heartbeat.objects.get(task="sweep")
    assert beat.beat_at == clock.instant
    took = beat.took_ms
    assert took is not None
    assert 0 <= took < 60_000


def test_a_task_that_fails_does_not_beat(clock: SimulatedClock) -> None:
    with pytest.raises(ZeroDivisionError), health.timed("sweep"):
        raise ZeroDivisionError
    assert not Heartbeat.objects.exists()


@pytest.mark.parametrize("task", ["sweep", "beat"])
def test_a_task_that_never_came_degrades(
    task: str, client: Client, beating: SimulatedClock, broker: None
) -> None:
    Heartbeat.objects.filter(task=task).delete()
    assert degraded(client) == [task]


@pytest.mark.parametrize("task", ["sweep", "beat"])
def test_it_is_late_after_three_minutes(
    task: str, client: Client, beating: SimulatedClock, broker: None
) -> None:
    beating.advance(minutes=3, ms=-1)
    assert degraded(client) == []
    health.beat({"sweep": "beat", "beat": "sweep"}[task])
    beating.advance(ms=1)
    assert degraded(client) == [task]


def test_lateness_is_told_by_the_clock_of_the_database(client: Client) -> None:
    health.beat("sweep")
    assert "sweep" not in degraded(client)
    Heartbeat.objects.update(beat_at=the_clock.now() - timedelta(minutes=4))
    assert "sweep" in degraded(client)


def test_a_long_queue_degrades(
    client: Client, beating: SimulatedClock, broker: None, settings: Settings
) -> None:
    def send(count: int) -> None:
        for _ in range(count):
            tasks.sweep.apply_async(queue=settings.CELERY_TASK_DEFAULT_QUEUE)

    send(20)
    assert ready(client)[1]["queue_length"] == 20
    assert degraded(client) == []
    send(1)
    assert degraded(client) == ["queue"]


def test_play_goes_on_without_redis(
    client: Client, beating: SimulatedClock, settings: Settings
) -> None:
    """Nor is there a scheduler then, and the run command sweeps itself."""
    settings.REDIS_URL = ""
    Heartbeat.objects.filter(task="beat").delete()
    assert degraded(client) == ["redis"]


def test_c4_play_goes_on_when_redis_is_lost(
    client: Client, clock: SimulatedClock, settings: Settings, broker: None
) -> None:
    lost = {**settings.CACHES["default"], "LOCATION": "unix:///nowhere/socket"}
    settings.CACHES = {"default": lost}
    assert degraded(client) == ["redis", "sweep", "beat"]


def test_not_ready_without_a_database(client: Client) -> None:
    with without_a_database():
        answer = ready(client)
    assert answer == (503, {"status": "not ready", "reason": "database"})


def test_not_ready_while_a_migration_is_missing(client: Client) -> None:
    leaves = MigrationExecutor(connection).loader.graph.leaf_nodes("leaderboards")
    MigrationRecorder(connection).record_unapplied(*leaves[0])
    assert ready(client) == (503, {"status": "not ready", "reason": "migrations"})


@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_the_probes_are_read_only(address: str, client: Client) -> None:
    assert client.head(address).status_code == 200
    assert client.head(address).content == b""
    for send in (client.post, client.put, client.patch, client.delete):
        assert send(address, content_type="application/json").status_code == 405
