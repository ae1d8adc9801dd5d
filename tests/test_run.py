"""`manage.py run`, started for real: SQLite, embedded Valkey, worker, scheduler, web server."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest

from tests.services import free_port

ROOT = Path(__file__).parent.parent


class Server:
    """A run command on data of its own, of this checkout or another, and perhaps in a bare
    environment.
    """

    def __init__(
        self,
        data: Path,
        port: int = 0,
        root: Path = ROOT,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        tests_own = ("DATABASE_URL", "REDIS_URL", "PYTEST")
        kept = {name: v for name, v in os.environ.items() if not name.startswith(tests_own)}
        self.metrics = free_port()
        ports = {"PORT": str(port), "METRICS_PORT": str(self.metrics)}
        self.environment = environment or {
            **kept,
            "DATA_DIR": str(data),
            "DEALS_AHEAD_DAYS": "0",  # those of coming days take time
            **ports,
        }
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "run"],
            cwd=root,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def read_until(self, pattern: str) -> str:
        """What the first line with `pattern` has in its group."""
        assert self.process.stdout
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if match := re.search(pattern, line):
                return match[match.lastindex or 0]
        raise AssertionError(f"no line has {pattern}:\n{''.join(lines)}")

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.address + path, timeout=10) as response:
            return json.load(response)

    def wait_until_it_listens(self) -> None:
        self.address = self.read_until(r"run +\| listening on (http://[\d.]+:\d+)/")

    def refusal(self) -> str:
        output, _ = self.process.communicate()
        assert self.process.returncode == 1
        return output

    def family(self) -> list[Any]:
        return list(psutil.Process(self.process.pid).children(recursive=True))

    def stop(self, number: signal.Signals) -> int:
        """Its exit code. Nothing that it started may be left."""
        family = self.family()
        assert family
        self.process.send_signal(number)
        self.process.communicate()
        assert psutil.wait_procs(family, timeout=0)[1] == []
        return self.process.returncode


Start = Callable[..., Server]


@pytest.fixture
def data() -> Iterator[Path]:
    """A short path: the name of a socket has little room."""
    with tempfile.TemporaryDirectory(prefix="pyramid-") as folder:
        yield Path(folder)


@pytest.fixture
def start() -> Iterator[Start]:
    servers: list[Server] = []

    def start(*args: Any) -> Server:
        servers.append(Server(*args))
        return servers[-1]

    yield start
    for server in servers:
        with server.process as process:
            process.terminate()


def is_beat(command: str) -> bool:
    """Whether this is the scheduler's command line, or the title that it gave itself."""
    return "[celery beat]" in command or (" celery " in command and " beat " in command)


def test_it_serves_works_and_stops_when_told(start: Start, data: Path) -> None:
    server = start(data)
    server.wait_until_it_listens()
    assert server.get("/healthz") == {"status": "up"}
    today = server.get("/api/v1/deals/today")
    assert [deal["status"] for deal in today["items"]] == ["open"] * 4

    call_sweep = [sys.executable, "-m", "celery", "--app", "pyramid_site", "call"]
    broker = {"REDIS_URL": f"unix://{data / 'valkey.sock'}"}
    subprocess.run(
        [*call_sweep, "games.tasks.sweep"],
        cwd=ROOT,
        env={**server.environment, **broker},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    server.read_until(r"worker .* games\.tasks\.sweep\[.*\] succeeded")
    ready = server.get("/readyz")
    assert (ready["status"], ready["degraded"]) == ("ready", [])
    with urllib.request.urlopen(
        f"http://127.0.0.1:{server.metrics}/metrics", timeout=10
    ) as metrics:
        assert 'pyramid_task_duration_seconds{task="sweep"}' in metrics.read().decode()

    # As words of one text: Celery may write a title of its own over its command line.
    beat, *_ = (it for it in server.family() if is_beat(" ".join(it.cmdline())))
    beat.kill()
    server.read_until("beat died")
    deadline = monotonic() + 60
    while server.get("/readyz")["degraded"] != ["beat"]:
        assert monotonic() < deadline
        Event().wait(0.05)

    assert f"already runs on the data in {data}" in start(data).refusal()
    assert server.get("/healthz") == {"status": "up"}

    assert server.stop(signal.SIGTERM) == 0


def test_without_a_valkey_it_goes_on_without_a_worker(start: Start, data: Path) -> None:
    (data / "valkey.sock/in the way").mkdir(parents=True)
    server = start(data)
    server.read_until("Valkey does not start: going on without a worker")
    server.wait_until_it_listens()
    assert server.get("/readyz")["status"] == "ready"
    assert "redis" in server.get("/readyz")["degraded"]
    assert server.stop(signal.SIGINT) == 0


def test_a_taken_port_is_refused_before_anything_starts(start: Start, data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        refusal = start(data, other.getsockname()[1]).refusal()
    assert "Address already in use" in refusal
    assert "Set PORT" in refusal
    assert not (data / "pyramid.sqlite3").exists()
