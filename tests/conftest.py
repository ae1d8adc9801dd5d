"""Fixtures. A test takes `db` and is rolled back, or `committed_db` where it needs real commits."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import django
import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.db import connection
from django.test.utils import setup_databases, teardown_databases
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from pytest_django import DjangoDbBlocker, Settings
from whitenoise.base import WhiteNoise

from pyramid_site import clock as the_clock
from tests import services

# How long an example takes says more about the machine than about the code.
hypothesis_settings.register_profile(
    "untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("untimed")


def pytest_configure(config: pytest.Config) -> None:
    """Names the settings here and not in pyproject.toml: they are to be read after the start."""
    services.start(config.add_cleanup)
    os.environ["DJANGO_SETTINGS_MODULE"] = "pyramid_site.settings"
    django.setup()
    del os.environ[
        "DJANGO_SETTINGS_MODULE"
    ]  # processes of xdist would read them before their start
    if "PYTEST_XDIST_WORKER" not in os.environ:
        call_command("collectstatic", interactive=False, verbosity=0)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how much was skipped and why: what is missing here may be easy to get."""
    for line in skipped(terminalreporter.stats.get("skipped", [])):
        terminalreporter.write_line(line, yellow=True)


def skipped(reports: Iterable[pytest.TestReport | pytest.CollectReport]) -> list[str]:
    """Return a line for each reason, the most frequent first."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in reports
        if isinstance(report.longrepr, tuple)
    )
    return [
        f"{count} test{'s' if count > 1 else ''} skipped: {reason}"
        for reason, count in reasons.most_common()
    ]


@pytest.fixture(scope="session", autouse=True)
def static_files_read_once() -> Iterator[None]:
    """Let WhiteNoise read the static files once a process instead of once a client.

    Each client loads the middleware anew, and that took most of the time of a short test.
    """
    read, known = WhiteNoise.update_files_dictionary, {}

    def update(self: WhiteNoise, root: str, prefix: str) -> None:
        if (root, prefix) not in known:
            read(self, root, prefix)
            known[root, prefix] = dict(self.files)
        self.files.update(known[root, prefix])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoise, "update_files_dictionary", update)
        yield


@pytest.fixture(scope="session", autouse=True)
def cheap_hashes() -> Iterator[int]:
    """Hash passwords with 8 KiB of memory and not with the real cost, which this yields.

    A tenth of a second for each account and each login would be a tenth of all tests.
    """
    from players.passwords import Argon2  # not before the settings can be read

    real = Argon2.memory_cost
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Argon2, "memory_cost", 8)
        yield real


@pytest.fixture
def real_hashes(cheap_hashes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords as the server does, for tests of what that costs."""
    from players.passwords import Argon2

    monkeypatch.setattr(Argon2, "memory_cost", cheap_hashes)


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[None]:
    """The migrated database, one a process: tests roll back in it, or take a copy.

    In the place of pytest-django's, which makes none where no test is to roll back. On SQLite it
    is a file, which threads can share.
    """
    name = f"test_pyramid_{os.getpid()}"
    if connection.vendor == "sqlite":
        name = str(tmp_path_factory.mktemp("database") / f"{name}.sqlite3")
    django_settings.DATABASES["default"]["TEST"]["NAME"] = name
    with django_db_blocker.unblock():
        made = setup_databases(
            verbosity=0, interactive=False, aliases={"default": None}, serialized_aliases=set()
        )
    yield
    with django_db_blocker.unblock():
        teardown_databases(made, verbosity=0)


@dataclass(frozen=True)
class Database:
    name: str

    @property
    def url(self) -> str:
        """The DATABASE_URL of a process that is to use this database."""
        if connection.vendor == "sqlite":
            return f"sqlite:///{self.name}"
        given = urlsplit(os.environ["DATABASE_URL"])
        return given._replace(path=f"{given.path.rpartition('/')[0]}/{self.name}").geturl()


@pytest.fixture
def committed_db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Database]:
    """A database of the test's own, a copy of the migrated one, for commits, threads, processes.

    A thread closes its connection at its end. Emptying the tables between tests, as Django does
    it, is no way here: the append-only ones refuse.
    """
    with django_db_blocker.unblock(), copied_database() as copy:
        yield copy


@contextmanager
def copied_database() -> Iterator[Database]:
    """A copy of the database that is used, in its place."""
    suffix = uuid4().hex[:12]  # of a copy of a copy, too, the name has less than 63 characters
    assert not connection.in_atomic_block, "take either db or committed_db"
    template = connection.settings_dict["NAME"]
    leave(template)
    with file_copies():
        connection.creation.clone_test_db(suffix, verbosity=0)
    clone = connection.creation.get_test_db_clone_settings(suffix)["NAME"]
    connection.settings_dict["NAME"] = clone
    forget_deals()
    try:
        yield Database(clone)
    finally:
        leave(clone)
        connection.settings_dict["NAME"] = template
        connection.creation.destroy_test_db(suffix=suffix, verbosity=0)


@contextmanager
def file_copies() -> Iterator[None]:
    """Let PostgreSQL copy the files of a database instead of logging each block: half the time."""
    if connection.vendor != "postgresql":
        yield
        return
    creation: Any = connection.creation
    suffix = creation._get_database_create_suffix
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            creation,
            "_get_database_create_suffix",
            lambda **given: f"{suffix(**given)} STRATEGY FILE_COPY",
        )
        yield


def forget_deals() -> None:
    """Those of another database: the copies hand out the same ids again."""
    from games import queries  # not before the settings can be read

    queries.cached_deal.cache_clear()


def leave(name: str) -> None:
    """Ends every connection to a database: PostgreSQL neither copies nor drops one in use."""
    connection.close()
    if connection.vendor == "postgresql":
        with connection._nodb_cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s",
                [name],
            )


class SimulatedClock:
    """It stands still until a test moves it."""

    def __init__(self) -> None:
        self.set("2026-11-30T12:00:00.000Z")

    def set(self, instant: str) -> None:
        self.instant = datetime.fromisoformat(instant)

    def advance(self, *, ms: int = 0, **span: float) -> None:
        """By `ms` and by what `timedelta` takes: `advance(hours=2)`."""
        self.instant += timedelta(milliseconds=ms, **span)

    def sql(self) -> str:
        """The standing instant as the database writes it."""
        text = self.instant.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
        return f"timestamptz '{text}+00'" if connection.vendor == "postgresql" else f"'{text}'"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimulatedClock:
    """Replaces the database's clock in every thread of this process."""
    simulated = SimulatedClock()
    monkeypatch.setattr(the_clock, "sql", simulated.sql)
    return simulated


@pytest.fixture(autouse=True)
def unlimited(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test asks as often as it likes; those of the limits set them again."""
    from players import passwords  # not before the settings can be read
    from pyramid_site import checks

    monkeypatch.setattr(passwords, "PATIENCE", 60.0)  # s, of a machine that is very busy
    for limit in checks.THROTTLES:
        setattr(settings, f"THROTTLE_{limit}", "")


@pytest.fixture(autouse=True)
def fresh_cache(settings: Settings) -> None:
    """A prefix of the test's own: to clear the cache would clear it under the other processes."""
    forget_deals()
    own = {"KEY_PREFIX": uuid4().hex}
    settings.CACHES = {name: {**cache, **own} for name, cache in settings.CACHES.items()}


@pytest.fixture
def asked_by_the_test_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask for the health of services in this thread: another would not see what is rolled back."""
    from pyramid_site import health  # not before the settings can be read

    def begin(question: health.Question[object]) -> "Future[object]":
        answered: Future[object] = Future()
        answered.set_result(question.ask())
        return answered

    monkeypatch.setattr(health.Question, "begin", begin)
