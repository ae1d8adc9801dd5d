"""Whether the server says truly how it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from pytest_django import Settings

from games import tasks
from pyramid_site import clock as the_clock
from pyramid_site import health
from pyramid_site.models import Heartbeat
from tests.conftest import SimulatedClock

pytestmark = [pytest.mark.core, pytest.mark.django_db]


def ready(client: Client) -> tuple[int, Any]:
    response = client.get("/readyz")
    return response.status_code, response.json()


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


def test_ready_with_all_that_belongs_to_it(client: Client, clock: SimulatedClock) -> None:
    health.beat("sweep")
    assert ready(client) == (200, {"status": "ready", "degraded": []})


def test_the_sweep_itself_beats(client: Client, clock: SimulatedClock) -> None:
    tasks.sweep()
    assert ready(client) == (200, {"status": "ready", "degraded": []})
    clock.advance(minutes=1)
    tasks.sweep()
    assert list(Heartbeat.objects.values_list("task", "beat_at")) == [("sweep", clock.instant)]


def test_a_sweep_that_never_came_degrades(client: Client) -> None:
    assert ready(client) == (200, {"status": "ready", "degraded": ["sweep"]})


def test_a_sweep_is_late_after_three_minutes(client: Client, clock: SimulatedClock) -> None:
    health.beat("sweep")
    clock.advance(minutes=3, ms=-1)
    assert ready(client)[1]["degraded"] == []
    clock.advance(ms=1)
    assert ready(client)[1]["degraded"] == ["sweep"]


def test_another_task_s_beat_is_not_the_sweep_s(client: Client, clock: SimulatedClock) -> None:
    health.beat("other")
    assert ready(client)[1]["degraded"] == ["sweep"]


def test_lateness_is_told_by_the_clock_of_the_database(client: Client) -> None:
    health.beat("sweep")
    assert ready(client)[1]["degraded"] == []
    Heartbeat.objects.update(beat_at=the_clock.now() - timedelta(minutes=4))
    assert ready(client)[1]["degraded"] == ["sweep"]


def test_play_goes_on_without_redis(
    client: Client, clock: SimulatedClock, settings: Settings
) -> None:
    health.beat("sweep")
    settings.REDIS_URL = ""
    assert ready(client) == (200, {"status": "ready", "degraded": ["redis"]})


def test_c4_play_goes_on_when_redis_is_lost(
    client: Client, clock: SimulatedClock, settings: Settings
) -> None:
    lost = {**settings.CACHES["default"], "LOCATION": "unix:///nowhere/socket"}
    settings.CACHES = {"default": lost}
    assert ready(client) == (200, {"status": "ready", "degraded": ["redis", "sweep"]})


def test_not_ready_without_a_database(client: Client) -> None:
    with without_a_database():
        answer = ready(client)
    assert answer == (503, {"status": "not ready", "reason": "database"})


def test_not_ready_while_a_migration_is_missing(client: Client) -> None:
    MigrationRecorder(connection).record_unapplied("leaderboards", "0008_groups")
    assert ready(client) == (503, {"status": "not ready", "reason": "migrations"})


@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_the_probes_are_read_only(address: str, client: Client) -> None:
    assert client.head(address).status_code == 200
    assert client.head(address).content == b""
    for send in (client.post, client.put, client.patch, client.delete):
        assert send(address).status_code == 405
