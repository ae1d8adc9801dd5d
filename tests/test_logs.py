"""What the log says of a request, and of what it sets off; and what it never says."""

import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
import structlog
from django.test import Client
from pytest_django import Settings

from pyramid_site import logs

LOGGED = pytest.LogCaptureFixture


def events(caplog: LOGGED) -> list[dict[str, Any]]:
    """What structlog was told."""
    return [record.msg for record in caplog.records if isinstance(record.msg, dict)]


@pytest.mark.django_db
def test_a_request_is_one_line_under_the_id_that_its_client_gets(
    client: Client, caplog: LOGGED
) -> None:
    with caplog.at_level(logging.INFO):
        response = client.get("/api/v1/attempts/17?cursor=secret", headers={"X-Request-Id": "mine"})
    [event] = events(caplog)
    assert event["event"] == "GET /api/v1/attempts/17"
    assert event["status"] == response.status_code == 400
    assert event["ms"] > 0
    assert event["request_id"] == response.headers["X-Request-Id"]
    assert UUID(event["request_id"]).version == 4
    assert "secret" not in str(event)


def test_probes_are_not_worth_a_line(client: Client, caplog: LOGGED) -> None:
    with caplog.at_level(logging.INFO):
        assert "X-Request-Id" in client.get("/healthz").headers
    assert events(caplog) == []


def test_browsers_may_read_the_id(client: Client) -> None:
    response = client.get("/api/v1/me", headers={"Origin": "https://a.example"})
    assert "X-Request-Id" in response.headers["Access-Control-Expose-Headers"]
    assert response.headers["X-Request-Id"]


def test_the_id_goes_with_a_task_and_ends_with_it(settings: Settings) -> None:
    headers: dict[str, Any] = {}
    with structlog.contextvars.bound_contextvars(request_id="abc"):
        logs.send_request_id(headers)
    assert headers == {"request_id": "abc"}
    logs.receive_request_id(SimpleNamespace(request=SimpleNamespace(**headers)))
    assert structlog.contextvars.get_contextvars() == {"request_id": "abc"}
    logs.receive_request_id(SimpleNamespace(request=SimpleNamespace()))
    assert structlog.contextvars.get_contextvars() == {}


PROGRAM = """
import django, logging
django.setup()
logging.getLogger("games.tasks").info("sealed %d deals", 2)
def fail():
    token = "a-secret-of-the-frame"
    raise ValueError("the deal is odd")
try:
    fail()
except ValueError:
    logging.getLogger("games.tasks").exception("it failed")
"""
EVIL = "a\r\n12:00:00 [info] forged\x1b[2J\x07\x7f\x85\x9b\u2028\u202e\ud800 \u0142"
ESCAPED = r"a\r\n12:00:00 [info] forged\x1b[2J\x07\x7f\x85\x9b\u2028\u202e\ud800" + " \u0142"
LOGS_EVIL = f"""
import django, logging, structlog
django.setup()
evil = {EVIL!r}
logging.getLogger("a").warning("%s", evil)
structlog.get_logger("a").warning("event", agent=evil, path=[evil])
try:
    raise ValueError(evil)
except ValueError:
    logging.getLogger("a").exception("it failed")
"""


def printed(tmp_path: Path, log_format: str, program: str = PROGRAM) -> str:
    environment = {
        **os.environ,
        "DATA_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "pyramid_site.settings",
        "LOG_FORMAT": log_format,
    }
    command = [sys.executable, "-c", program]
    root = Path(__file__).parent.parent
    done = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=True
    )
    return done.stderr


def test_json_is_one_object_a_line_and_tells_no_variables(tmp_path: Path) -> None:
    text = printed(tmp_path, "json")
    told, failed = map(json.loads, text.splitlines())
    assert told["event"] == "sealed 2 deals"
    assert told["level"] == "info"
    assert told["logger"] == "games.tasks"
    assert told["timestamp"].endswith("Z")
    assert "ValueError: the deal is odd" in failed["exception"]
    assert "a-secret-of-the-frame" not in text.replace('token = "a-secret-of-the-frame"', "")


def test_plain_lines_are_for_people(tmp_path: Path) -> None:
    lines = printed(tmp_path, "plain").splitlines()
    assert lines[0].endswith("[info] sealed 2 deals [games.tasks]")
    assert "  ValueError: the deal is odd" in lines


def test_d_control_characters_are_written_out_in_plain_lines(tmp_path: Path) -> None:
    text = printed(tmp_path, "plain", LOGS_EVIL)
    assert all(it.isprintable() for it in text.split("\n"))
    told, event, failed, *traceback = text.splitlines()
    assert told.endswith(f"[warning] {ESCAPED} [a]")
    assert f"agent='{ESCAPED}'" in event.replace("\\\\", "\\")
    assert failed.endswith("[error] it failed [a]")
    assert all(line.startswith("  ") or not line for line in traceback)


def test_d_control_characters_are_written_out_in_json(tmp_path: Path) -> None:
    lines = printed(tmp_path, "json", LOGS_EVIL).split("\n")
    assert all(it.isascii() and it.isprintable() for it in lines)
    told, event, failed = map(json.loads, filter(None, lines))
    assert told["event"] == event["agent"] == EVIL
    assert failed["exception"].endswith(f"ValueError: {EVIL}")
