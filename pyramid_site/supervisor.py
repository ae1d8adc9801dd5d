"""Keeping the processes of one server running on one machine, and ending all of them in order."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from django.conf import settings

LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1  # from linux/prctl.h
GRACE = 8.0  # s that children have to end by themselves; Docker allows a container 10
YOUNG = 60.0  # s: a child that dies before this age is started again more and more slowly


class Child:
    """A command that is kept running; its output is passed on line by line under its name."""

    def __init__(self, name: str, command: Sequence[str], pass_fds: Sequence[int] = ()) -> None:
        self.name = name
        self.command = command
        self.pass_fds = pass_fds
        self.pause = 0.5  # s before the next start, doubled while it dies young
        self.has_died = False  # and has not lived for long since
        self.start()

    def start(self) -> None:
        self.next_start: float | None = None
        self.started = time.monotonic()
        self.process = subprocess.Popen(  # noqa: S603 a command of this module
            self.command,
            cwd=settings.ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            pass_fds=self.pass_fds,
            start_new_session=True,  # Ctrl-C reaches this process alone, which ends them in order
            preexec_fn=end_with_parent,
        )
        self.relay = threading.Thread(target=relay, args=(self.name, self.process.stdout))
        self.relay.daemon = True
        self.relay.start()

    def revive(self) -> None:
        """Starts it again some time after it has died."""
        code = self.process.poll()
        now = time.monotonic()
        if code is None:
            self.has_died &= now - self.started < YOUNG
        elif self.next_start is None:
            self.has_died = True
            self.kill()
            self.pause = min(2 * self.pause, 60) if now - self.started < YOUNG else 1
            self.next_start = now + self.pause
            say("run", f"{self.name} died (exit code {code}), starting again in {self.pause:g} s")
        elif now >= self.next_start:
            self.start()

    def finish(self, deadline: float) -> None:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(max(0, deadline - time.monotonic()))
        self.kill()
        self.process.wait()
        self.relay.join(timeout=1)

    def kill(self) -> None:
        """Ends at once whatever is left of it and of its own children."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)


def note_down(children: Sequence[Child]) -> None:
    """Write down which children have just died, for the web processes to tell."""
    names = [child.name for child in children if child.has_died]
    if names != down():
        with suppress(OSError):  # of a full disk
            _note().write_text(" ".join(names))


def down() -> list[str]:
    """The parts of `manage.py run` that died within the last minute."""
    with suppress(OSError):
        return _note().read_text(errors="replace").split()
    return []


def _note() -> Path:
    return Path(settings.DATA_DIR / "down")


def stop(children: Sequence[Child]) -> None:
    """Asks all to end, and ends those that have not when their time is over."""
    for child in children:
        child.process.terminate()
    deadline = time.monotonic() + GRACE
    for child in children:
        child.finish(deadline)


def run_to_end(name: str, command: Sequence[str]) -> bool:
    """Whether it succeeded."""
    child = Child(name, command)
    try:
        return child.process.wait() == 0
    finally:
        stop([child])


def end_with_parent() -> None:
    """Called in a new child. However this thread ends, on Linux the kernel then ends the child."""
    if sys.platform == "linux":
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def say(name: str, line: str) -> None:
    sys.stdout.write(f"{name:<7} | {line.rstrip()}\n")
    sys.stdout.flush()


def relay(name: str, output: IO[str]) -> None:
    with output:
        for line in output:
            say(name, line)


def came_up(process: subprocess.Popen[Any], is_up: Callable[[], bool], within: float = 60) -> bool:
    """Waits until `is_up`; False when the process has ended, or after `within` s."""
    deadline = time.monotonic() + within
    while process.poll() is None and time.monotonic() < deadline:
        if is_up():
            return True
        time.sleep(0.05)  # no event tells that another program has begun to listen
    return False
