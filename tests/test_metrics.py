"""What Prometheus is told, and where."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest
from django.db import OperationalError, connection
from django.test import Client as DjangoClient
from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from pytest_django import Settings

from games.models import DailyDeal
from pyramid_site import health, metrics
from tests import builders
from tests.api.client import sign_up
from tests.conftest import SimulatedClock

pytestmark = [pytest.mark.core, pytest.mark.django_db]


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0


@contextmanager
def counts_one_more(name: str, **labels: str) -> Iterator[None]:
    before = value(name, **labels)
    yield
    assert value(name, **labels) == before + 1


def looked_up() -> str:
    """The text of what is looked up at the reading."""
    registry = CollectorRegistry()
    registry.register(metrics.read)
    return generate_latest(registry).decode()


@pytest.fixture
def deal(clock: SimulatedClock) -> DailyDeal:
    return builders.publish_short()


def test_moves_are_counted_by_what_became_of_them(deal: DailyDeal) -> None:
    ada = sign_up()
    with counts_one_more("pyramid_attempts_started_total", challenge="one-pass"):
        attempt = ada.begin()
        ada.start()
    answers: list[tuple[str, str, int]] = [
        ("accepted", "D", 0),
        ("replayed", "D", 0),
        ("stale_ply", "D", 7),
        ("illegal_move", "a1", 1),
        ("invalid_notation", "z9", 1),
    ]
    for answer, move, ply in answers:
        with counts_one_more("pyramid_moves_total", answer=answer):
            ada.move(attempt["id"], move, ply)


def test_each_end_is_counted_once(deal: DailyDeal) -> None:
    ada, ben = sign_up(), sign_up()
    with counts_one_more("pyramid_attempts_finished_total", status="cleared"):
        ada.begin("one-pass", *builders.SHORT_LINE)
    attempt = ben.begin()
    with counts_one_more("pyramid_attempts_finished_total", status="resigned"):
        ben.resign(attempt["id"])
        ben.resign(attempt["id"])


def test_a_request_is_counted_by_the_pattern_of_its_address(client: DjangoClient) -> None:
    name = "pyramid_request_seconds_count"
    route = "api/v1/attempts/<str:attempt_id>"
    with counts_one_more(name, method="GET", route=route, status="404"):
        client.get("/api/v1/attempts/17")


def test_addresses_that_lead_nowhere_are_one(client: DjangoClient) -> None:
    name = "pyramid_request_seconds_count"
    for path in ("/nowhere", "/api/v1/else"):
        with counts_one_more(name, method="GET", route="none", status="404"):
            client.get(path)
    assert "nowhere" not in generate_latest(REGISTRY).decode()


def test_methods_that_nobody_knows_are_one(client: DjangoClient) -> None:
    name = "pyramid_request_seconds_count"
    for method in ("BREW", "QUERY"):
        with counts_one_more(name, method="other", route="healthz", status="405"):
            client.generic(method, "/healthz")
    assert "BREW" not in generate_latest(REGISTRY).decode()


def test_heartbeats_queue_and_missing_deals_are_looked_up(
    clock: SimulatedClock, settings: Settings
) -> None:
    health.beat("sweep", took_ms=1500)
    clock.advance(seconds=30)
    settings.DEALS_AHEAD_DAYS = 1
    text = looked_up()
    assert 'pyramid_task_age_seconds{task="sweep"} 30.0' in text
    assert 'pyramid_task_duration_seconds{task="sweep"} 1.5' in text
    assert "pyramid_deals_missing 8.0" in text
    assert ("pyramid_queue_length " in text) == bool(settings.REDIS_URL)
    assert "pyramid_database_up 1.0" in text


def test_without_a_database_the_rest_is_still_told(client: DjangoClient) -> None:
    def fail(*args: object) -> None:
        raise OperationalError("the server closed the connection")

    with connection.execute_wrapper(fail):
        text = looked_up()
    assert "pyramid_database_up 0.0" in text
    assert "pyramid_task_age_seconds{" not in text


class Socket:
    """The end of a connection that came to a port."""

    def __init__(self, port: int) -> None:
        self.port = port

    def getsockname(self) -> tuple[str, int]:
        return "127.0.0.1", self.port


def answered(application: Callable[..., Any], *, port: int) -> bytes:
    environ: dict[str, Any] = {}
    setup_testing_defaults(environ)
    environ.update({"gunicorn.socket": Socket(port), "HTTP_HOST": "elsewhere:9100"})
    return b"".join(application(environ, lambda *args: None))


def public(environ: object, start_response: object) -> list[bytes]:
    return [b"public"]


def test_metrics_are_on_their_own_port_alone(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the request says of the port that it came to."""
    monkeypatch.setattr(metrics, "exposition", lambda: lambda *args: [b"metrics"])
    settings.METRICS_PORT = 9100
    application = metrics.beside(public)
    assert answered(application, port=9100) == b"metrics"
    assert answered(application, port=8000) == b"public"


def test_by_default_there_is_no_such_port(settings: Settings, client: DjangoClient) -> None:
    assert settings.METRICS_PORT == 0
    assert metrics.beside(public) is public
    assert client.get("/metrics").status_code == 404


def test_every_name_is_the_project_s_and_explained() -> None:
    text = generate_latest(REGISTRY).decode()
    names = re.findall(r"^# HELP (pyramid_\w+) \w", text, re.MULTILINE)
    assert {"pyramid_moves_total", "pyramid_request_seconds"} <= set(names)
