"""gunicorn as it is started in earnest, and a client that sends again what was not answered."""

import http.client
import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event
from time import monotonic
from typing import Any

import psutil  # type: ignore[import-untyped]
from django.conf import settings

from pyramid_site.management.commands.run import answers, web_command
from pyramid_site.supervisor import came_up, end_with_parent

UNLIMITED = {f"THROTTLE_{name}": "" for name in ("ADDRESS", "NETWORK", "SIGNUP", "PLAYER")}
PATIENCE = 60  # s


@dataclass(frozen=True)
class Web:
    """A web server with two worker processes and a pool of connections, as in production."""

    process: subprocess.Popen[bytes]
    port: int

    def workers(self) -> list[Any]:
        return list(psutil.Process(self.process.pid).children())

    def kill_workers(self) -> None:
        """As when memory runs out; the master starts others."""
        for worker in self.workers():
            worker.send_signal(signal.SIGKILL)


@contextmanager
def web(
    database_url: str, *, application: str = "pyramid_site.wsgi", **environment: str
) -> Iterator[Web]:
    """A server on a free port. Its log goes to where pytest keeps what tests write."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        process = subprocess.Popen(
            [*web_command([listener.fileno()])[:-1], application],
            cwd=settings.ROOT,
            env={**os.environ, **UNLIMITED, "DATABASE_URL": database_url, "DATABASE_POOL": "4",
                 **environment},
            stdin=subprocess.DEVNULL,
            pass_fds=[listener.fileno()],
            preexec_fn=end_with_parent,
        )  # fmt: skip
    try:
        assert came_up(process, lambda: answers("127.0.0.1", port))
        yield Web(process, port)
    finally:
        process.send_signal(signal.SIGQUIT)  # at once, and not when all is answered
        process.wait(timeout=30)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Any
    body: Any


class NoAnswerError(Exception):
    """The line broke before the reply was whole."""


@dataclass
class Caller:
    """A player's client, through a port that may lose what is sent and what is answered.

    `acknowledged` are the moves that it was told are logged, each with its ply.
    """

    port: int
    token: str = ""
    acknowledged: list[tuple[int, str]] = field(default_factory=list)
    sent: int = 0

    def once(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Raises NoAnswerError."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        content = None if body is None else json.dumps(body)
        headers |= {"Content-Type": "application/json", "Connection": "close"}
        self.sent += 1
        try:
            line.request(method, f"/api/v1{path}", content, headers)
            reply = line.getresponse()
            return Answer(reply.status, reply.headers, json.loads(reply.read()))
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise NoAnswerError from error
        finally:
            line.close()

    def insist(self, method: str, path: str, body: Any = None) -> Answer:
        """The very same request again and again, until the server can answer it."""
        deadline = monotonic() + PATIENCE
        while True:
            try:
                answer = self.once(method, path, body)
            except NoAnswerError:
                answer = None
            if answer is not None and answer.status not in (500, 503):
                return answer
            assert monotonic() < deadline, f"no answer to {method} {path}, but {answer}"
            Event().wait(0.02)

    def sign_up(self) -> "Caller":
        self.token = self.insist("POST", "/players", {}).body["token"]
        return self

    def start(self) -> Any:
        return self.insist("POST", "/deals/today/one-pass/attempts").body

    def move(self, attempt_id: str, move: str, ply: int) -> Answer:
        """A move, insisted on; noted when it is acknowledged."""
        answer = self.insist("POST", f"/attempts/{attempt_id}/moves", {"move": move, "ply": ply})
        if answer.status == 200:
            self.acknowledged.append((ply, move))
        return answer

    def play(self, attempt: Any, moves: Sequence[str]) -> Any:
        """The attempt after moves, each of which must be taken."""
        for move in moves:
            answer = self.move(attempt["id"], move, attempt["ply"])
            assert answer.status == 200, answer.body
            assert answer.body["ply"] == attempt["ply"] + 1
            attempt = answer.body
        return attempt
