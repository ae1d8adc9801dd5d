"""The folder of what the server writes, closed to all other users of the machine."""

import fcntl
import os
import re
import stat
from collections.abc import Iterator
from errno import EPERM
from pathlib import Path
from secrets import token_urlsafe


def close(*paths: Path) -> None:
    """Close files, and folders with the files in them, to all users but the server's own.

    So is whatever is written from here on, by children too. Raises SystemExit, with one line,
    where something stays open.
    """
    os.umask(0o077)
    for path in paths:
        try:
            for held in (path, *_files(path)):
                _close(held)
        except OSError as error:
            raise _refusal(error) from error


def kept_secret(path: Path) -> str:
    """A random secret that the first start writes to `path`, so that none has a known default.

    One that a crash has cut or emptied is made anew. Raises SystemExit.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with path.open("a+b") as kept:
            fcntl.flock(kept, fcntl.LOCK_EX)  # of processes that start at once the first one writes
            kept.seek(0)
            secret = kept.read().strip()
            if not re.fullmatch(rb"[!-~]{50,}", secret):
                secret = token_urlsafe(50).encode()
                kept.truncate(0)
                kept.write(secret)
                kept.flush()
                os.fsync(kept.fileno())
            return secret.decode()
    except OSError as error:
        raise _refusal(error) from error


def _files(folder: Path) -> Iterator[Path]:
    """Those right in a folder, symbolic links left out."""
    if folder.is_dir():
        yield from (it for it in folder.iterdir() if it.is_file() and not it.is_symlink())


def _close(path: Path) -> None:
    try:
        mode = path.stat().st_mode
        if mode & stat.S_ISVTX:
            raise PermissionError(EPERM, "it is shared by all users", str(path))
        if mode & 0o077:
            path.chmod(0o700 if stat.S_ISDIR(mode) else 0o600)
            mode = path.stat().st_mode
    except FileNotFoundError:  # SQLite's come and go
        return
    if mode & 0o077:
        raise PermissionError(EPERM, "its file system keeps it open to all users", str(path))


def _refusal(error: OSError) -> SystemExit:
    return SystemExit(
        f"{error.filename} cannot be kept from other users: {error.strerror}."
        " Set DATA_DIR to a folder that is the server's own."
    )
