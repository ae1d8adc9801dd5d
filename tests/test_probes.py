"""Health is told in time, whatever else is silent: real servers, asked as a probe asks (C4)."""

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import closing
from threading import Event
from time import monotonic
from typing import Any

import pytest

from pyramid_site import health
from tests.attacks.servers import web
from tests.conftest import Database


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a service that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listener:
        yield f"127.0.0.1:{listener.getsockname()[1]}"


def told_by(port: int) -> tuple[int, Any, float]:
    """Status and body of /readyz, and how long it took."""
    start = monotonic()
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as line:
        line.request("GET", "/readyz")
        reply = line.getresponse()
        return reply.status, json.load(reply), monotonic() - start


def test_c4_a_silent_redis_keeps_no_probe_waiting(committed_db: Database, silent: str) -> None:
    check_ready_in_time(committed_db, f"redis://{silent}")


def test_c4_a_redis_that_refuses_keeps_no_probe_waiting(committed_db: Database) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    check_ready_in_time(committed_db, f"redis://127.0.0.1:{port}")


def check_ready_in_time(database: Database, redis_url: str) -> None:
    """On a busy machine not each time; each of two processes has to read its migrations once."""
    with web(database.url, REDIS_URL=redis_url) as server:
        asked = [told_by(server.port) for _ in range(8)]
    told = [(body, seconds) for status, body, seconds in asked if status == 200]
    assert all("redis" in body["degraded"] and body["queue_length"] is None for body, _ in told)
    assert min(seconds for _, seconds in told) < 2


@pytest.mark.parametrize("pool", ["0", "2"])
def test_c4_a_silent_database_keeps_no_probe_waiting(silent: str, pool: str) -> None:
    url = f"postgres://nobody@{silent}/nothing"
    with web(url, REDIS_URL="", DATABASE_POOL=pool) as server:
        asked = [told_by(server.port) for _ in range(3)]
    assert [(status, body["reason"]) for status, body, _ in asked] == [(503, "database")] * 3
    assert min(seconds for _, _, seconds in asked) < 2


def test_a_question_is_not_asked_again_while_it_waits() -> None:
    heard, goes_on = Event(), Event()
    asked = []

    def ask() -> bool:
        asked.append(True)
        heard.set()
        return goes_on.wait(60)

    question = health.Question(ask)
    first = question.begin()
    assert heard.wait(60)
    assert question.begin() is first
    goes_on.set()
    assert first.result(60) is True
    assert question.begin().result(60) is True
    assert len(asked) == 2


def test_what_a_question_raises_is_told() -> None:
    def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        health.Question(fail).begin().result(60)


def test_who_asks_what_has_long_been_silent_does_not_wait_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Or a few that ask would keep all threads of a server whose Redis says nothing."""
    now = 1000.0
    waited = []
    monkeypatch.setattr(health, "monotonic", lambda: now)
    monkeypatch.setattr(health, "wait", lambda asked, seconds: waited.append(seconds))
    goes_on = Event()
    question = health.Question(lambda: goes_on.wait(60))
    assert health.answers(question) == [None]
    now += health.PATIENCE + 1
    assert health.answers(question) == [None]
    assert waited == [pytest.approx(health.PATIENCE), 0]
    goes_on.set()
    assert question.begin().result(60) is True
