"""Redis holds nothing that is missed when it is emptied or gone (C4)."""

import json
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import redis

from games.models import Attempt
from pyramid_site.management.commands.run import connects, valkey_command
from pyramid_site.supervisor import came_up, end_with_parent
from tests import recomputation
from tests.attacks.servers import Caller, web
from tests.builders import publish_today
from tests.conftest import Database


class Valkey:
    """One of the test's own, which it may empty and kill."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "socket"
        self.process = subprocess.Popen(
            valkey_command(self.path), cwd=folder, preexec_fn=end_with_parent,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        assert came_up(self.process, lambda: connects(self.path))

    def flush(self) -> int:
        """How many keys it held."""
        with redis.Redis(unix_socket_path=str(self.path)) as client:
            held: int = client.dbsize()
            client.flushall()
            return held

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@pytest.fixture
def valkey() -> Iterator[Valkey]:
    with tempfile.TemporaryDirectory(prefix="pyramid-") as folder:  # a socket's path is short
        valkey = Valkey(Path(folder))
        yield valkey
        valkey.kill()


def test_c4_boards_are_the_same_when_redis_is_emptied_and_when_it_is_gone(
    committed_db: Database, valkey: Valkey
) -> None:
    publish_today()
    limits = {f"THROTTLE_{name}": "10000/min" for name in ("PLAYER", "ADDRESS", "NETWORK")}
    with ExitStack() as stack:
        url = f"unix://{valkey.path}"
        server = stack.enter_context(web(committed_db.url, REDIS_URL=url, **limits))
        anyone = Caller(server.port)
        finishes(server.port)
        before = board(anyone)
        assert valkey.flush() > 0
        assert board(anyone) == before
        finishes(server.port)
        grown = board(anyone)
        assert (before["total"], grown["total"]) == (1, 2)
        valkey.kill()
        assert board(anyone) == grown
        finishes(server.port)
        assert board(anyone)["total"] == 3
        with urlopen(f"http://127.0.0.1:{server.port}/readyz", timeout=30) as reply:
            assert "redis" in json.load(reply)["degraded"]
    assert Attempt.objects.count() == 3
    recomputation.check()


def finishes(port: int) -> None:
    """A new player, who clears the deal."""
    player = Caller(port).sign_up()
    player.play(player.start(), ["D", "U", "b1b2", "a1"])


def board(anyone: Caller) -> Any:
    """But for the time at which it was read."""
    told = anyone.insist("GET", "/deals/today/one-pass/leaderboard").body
    return {name: value for name, value in told.items() if name != "as_of"}
