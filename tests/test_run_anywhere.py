"""`manage.py run` where paths are awkward, the environment is bare and a crash left its traces."""

import os
import shutil
import subprocess
import sys
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from threading import Event
from time import monotonic

import pytest
from pytest_django import Settings

from pyramid_site.management.commands import run
from tests.test_run import ROOT, Server, Start
from tests.test_run import start as start

AWKWARD = "a #b?c%25d 'e\" \u00fc+;"
CODE = ("games", "leaderboards", "players", "pyramid_site", "web", "manage.py", "gunicorn.conf.py")
PUBLISH = """
from datetime import timedelta
from pyramid_site import clock
from tests import builders
for challenge in builders.CERTIFIED:
    for days in (0, 1):
        builders.publish(challenge, clock.today() + timedelta(days=days))
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The code in a folder of an awkward name."""
    folder = tmp_path / AWKWARD
    folder.mkdir()
    for name in CODE:
        if (ROOT / name).is_dir():
            left = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, folder / name, ignore=left)
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


BARE = {
    "PATH": os.environ["PATH"],
    "HOME": "/nowhere",
    "TMPDIR": "/nowhere/tmp",
    "LC_ALL": "C",
    "TZ": "Pacific/Apia",
    "DEALS_AHEAD_DAYS": "0",
}
"""No user, no locale, no folders but those of the server itself."""


def damage(data: Path) -> None:
    """What may be left where a machine lost its power: files that are empty, cut or garbage."""
    for name, left in {
        "secret_key": b"",
        "run.lock": b"\0" * 20,
        "valkey.sock": b"no socket",
        "beat": b"garbage",
        "beat.dat": b"garbage",
        "beat.dir": b"'entries', (0,",
        "pyramid.sqlite3-shm": b"\xff" * 4096,
        "pyramid.sqlite3-wal": b"\xff" * 100,
        "metrics/counter_1.db": b"\xff" * 10,
        "static/staticfiles.json": b'{"paths": {"web/',
        "static/web/css/site.css": b"bod",
    }.items():
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_bytes(left)


def test_c3_it_runs_in_an_awkward_folder_and_heals_what_a_crash_left(
    start: Start, checkout: Path
) -> None:
    data = checkout / "var"
    for words in (["migrate", "--verbosity=0"], ["shell", "--verbosity=0", "--command", PUBLISH]):
        command = [sys.executable, "manage.py", *words]
        subprocess.run(command, cwd=checkout, env={**BARE, "PYTHONPATH": str(ROOT)}, check=True)
    damage(data)

    server: Server = start(data, 0, checkout, {**BARE, "PORT": "0"})
    server.wait_until_it_listens()
    today = server.get("/api/v1/deals/today")
    assert [deal["status"] for deal in today["items"]] == ["open"] * 4
    with urllib.request.urlopen(f"{server.address}/static/web/css/site.css", timeout=60) as style:
        assert style.read() == (checkout / "web/static/web/css/site.css").read_bytes()
    deadline = monotonic() + 120
    while degraded := server.get("/readyz")["degraded"]:
        assert monotonic() < deadline, degraded
        Event().wait(0.2)

    assert [path.name for path in checkout.parent.iterdir()] == [AWKWARD]
    socket = data / "valkey.sock"  # elsewhere, where the test's own folder has a long name
    assert run.connects(socket) or len(os.fsencode(socket)) > run.SOCKET_NAME
    open_to_others = {path for path in data.rglob("*") if path.stat().st_mode & 0o077}
    assert {path.relative_to(data).parts[0] for path in open_to_others} == {"static"}
    assert data.stat().st_mode & 0o777 == 0o700


def test_the_socket_lies_where_its_name_is_short_enough(tmp_path: Path, settings: Settings) -> None:
    with ExitStack() as stack:
        settings.DATA_DIR = tmp_path / ("ü" * 60)
        short = run.socket_path(stack)
        assert len(os.fsencode(short)) <= run.SOCKET_NAME
        assert short.parent.stat().st_mode & 0o777 == 0o700
    assert not short.parent.exists()


@pytest.mark.parametrize("name", [".", "static/here", "../elsewhere"])
def test_in_a_folder_that_the_operator_names_only_the_manifest_is_forgotten(
    name: str, tmp_path: Path, settings: Settings
) -> None:
    settings.DATA_DIR = tmp_path / "data"
    settings.STATIC_ROOT = (settings.DATA_DIR / name).resolve()
    settings.STATIC_ROOT.mkdir(parents=True)
    for kept in ("pyramid.sqlite3", "staticfiles.json"):
        (settings.STATIC_ROOT / kept).touch()
    run.forget_static()
    assert [path.name for path in settings.STATIC_ROOT.iterdir()] == ["pyramid.sqlite3"]
    run.forget_static()
