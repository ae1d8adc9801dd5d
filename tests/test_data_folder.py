"""Other users read nothing of what the server keeps (A5), and a crash breaks nothing (C3)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings as django_settings

from pyramid_site import data_folder

pytestmark = pytest.mark.core


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """As an older server left it, on a machine with the usual umask."""
    for path in (tmp_path / "data", tmp_path / "data/metrics"):
        path.mkdir()
        path.chmod(0o755)
    for name in ("pyramid.sqlite3", "pyramid.sqlite3-wal", "run.lock", "metrics/1.db"):
        (tmp_path / "data" / name).touch()
        (tmp_path / "data" / name).chmod(0o644)
    return tmp_path / "data"


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def manage(*words: str, umask: int = 0o022, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=django_settings.ROOT,
        env={"PATH": os.environ["PATH"], **environment},
        umask=umask,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a5_every_command_closes_what_it_finds_open_and_what_it_writes(folder: Path) -> None:
    done = manage("migrate", "pyramid_site", umask=0, DATA_DIR=str(folder))
    assert done.returncode == 0, done.stderr
    assert mode(folder) == 0o700
    files = {path.name: mode(path) for path in folder.iterdir() if path.is_file()}
    assert {"pyramid.sqlite3", "run.lock", "secret_key"} <= files.keys()
    assert set(files.values()) == {0o600}


def test_a5_a_database_that_lies_elsewhere_is_closed_too(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.sqlite3"
    elsewhere.touch(0o666)
    url = f"sqlite:///{elsewhere}"
    done = manage("migrate", "pyramid_site", DATA_DIR=str(folder), DATABASE_URL=url)
    assert done.returncode == 0, done.stderr
    assert mode(elsewhere) == 0o600
    assert mode(tmp_path) == 0o700, "as pytest makes it"


def test_files_of_pages_are_for_everybody(folder: Path, tmp_path: Path) -> None:
    """A proxy that serves STATIC_ROOT is another user."""
    public = tmp_path / "public"
    where = {"DATA_DIR": str(folder), "STATIC_ROOT": str(public)}
    done = manage("collectstatic", "--no-input", umask=0o077, **where)
    assert done.returncode == 0, done.stderr
    modes = {(path.is_dir(), mode(path)) for path in (public, *public.rglob("*"))}
    assert modes == {(True, 0o755), (False, 0o644)}
    assert list(public.rglob("*.gz"))


def refusal(folder: Path) -> str:
    with pytest.raises(SystemExit) as refused:
        data_folder.close(folder)
    return str(refused.value)


@pytest.fixture(autouse=True)
def own_umask() -> None:
    """What the settings have set for this process stays so."""
    assert os.umask(0o077) == 0o077


def test_a5_a_folder_that_cannot_be_closed_is_refused_with_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On file systems without modes a change of one is silently left out."""
    monkeypatch.setattr(Path, "chmod", lambda path, mode: None)
    assert refusal(folder) == (
        f"{folder} cannot be kept from other users: its file system keeps it open to all users."
        " Set DATA_DIR to a folder that is the server's own."
    )


def test_a5_a_folder_of_another_user_is_refused_with_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted", str(path))

    monkeypatch.setattr(Path, "chmod", fail)
    assert refusal(folder).startswith(f"{folder} cannot be kept from other users: Operation not")


def test_a_folder_that_all_users_share_is_refused_and_stays_shared(folder: Path) -> None:
    folder.chmod(0o1777)
    done = manage("check", DATA_DIR=str(folder), SECRET_KEY="0123456789" * 5)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "it is shared by all users" in done.stderr
    assert folder.stat().st_mode & 0o7777 == 0o1777


def test_a_link_in_the_folder_is_not_followed(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch()
    other.chmod(0o644)
    (folder / "link").symlink_to(other)
    (folder / "broken").symlink_to(tmp_path / "nothing")
    data_folder.close(folder)
    assert mode(other) == 0o644


@pytest.mark.parametrize("left", [b"", b"\0" * 67, b"q" * 49, b"\xff\xfe" * 40])
def test_c3_a_secret_that_a_crash_has_cut_is_made_anew_and_kept(left: bytes, folder: Path) -> None:
    path = folder / "secret_key"
    path.write_bytes(left)
    secret = data_folder.kept_secret(path)
    assert len(secret) == 67
    assert data_folder.kept_secret(path) == path.read_text() == secret


def test_a_secret_of_the_operator_s_own_is_kept(folder: Path) -> None:
    path = folder / "secret_key"
    path.write_text("own" * 20 + "\n")
    assert data_folder.kept_secret(path) == "own" * 20


def test_a_secret_that_cannot_be_kept_is_refused_with_one_line(folder: Path) -> None:
    """As in a checkout that is read-only: there a folder would have to be made."""
    done = manage("check", DATA_DIR=str(folder / "run.lock/data"))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "Set DATA_DIR to a folder" in done.stderr
