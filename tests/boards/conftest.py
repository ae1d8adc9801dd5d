"""A deal whose boards are filled by the tests, and a Valkey that they may do anything to."""

import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import redis
from pytest_django import Settings

from tests import services

if TYPE_CHECKING:  # pytest reads this file before Django is set up
    from games.models import DailyDeal
    from tests.conftest import Database, SimulatedClock


@pytest.fixture
def deal(db: None, clock: "SimulatedClock") -> "DailyDeal":
    """In a transaction: here the sorted sets are not asked."""
    return _published()


@pytest.fixture
def played(committed_db: "Database", clock: "SimulatedClock", valkey: "Valkey") -> "DailyDeal":
    """A deal whose boards have sorted sets."""
    return _published()


def _published() -> "DailyDeal":
    from tests import builders

    return builders.publish_short()


@dataclass
class Valkey:
    """One of the test's own: to flush that of all tests would meet those that run beside it."""

    url: str
    process: subprocess.Popen[bytes]
    client: redis.Redis

    def stand_still(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self.process.send_signal(signal.SIGCONT)


@pytest.fixture(scope="module")
def own_valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Valkey]]:
    """One that is running, started anew where a test has killed it."""
    from pyramid_site.management.commands.run import connects, valkey_command

    with ExitStack() as stack:
        started: list[Valkey] = []

        def running() -> Valkey:
            if not started or started[-1].process.poll() is not None:
                home = tmp_path_factory.mktemp("valkey")
                started.append(_started(stack, home))
            return started[-1]

        def _started(stack: ExitStack, home: Path) -> Valkey:
            path = home / "s"
            process = services.spawn(
                stack.callback, valkey_command(path), is_up=lambda: connects(path), home=home
            )
            url = f"unix://{path}"
            client = redis.Redis.from_url(url)
            stack.callback(client.close)
            return Valkey(url, process, client)

        yield running


@pytest.fixture
def valkey(
    own_valkey: Callable[[], Valkey], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Valkey]:
    """Empty, and the one that the boards use."""
    from leaderboards import live
    from pyramid_site.circuit import Circuit

    running = own_valkey()
    running.client.flushall()
    settings.REDIS_URL = running.url
    for name in ("circuit", "building"):
        monkeypatch.setattr(live, name, Circuit(getattr(live, name).otherwise))
    yield running
    running.go_on()
