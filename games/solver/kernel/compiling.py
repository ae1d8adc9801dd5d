"""How kernels are compiled, and where their machine code is kept."""

import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import caching

Function = TypeVar("Function", bound=Callable[..., Any])

HERE = Path(__file__).parent


def cache_folder() -> Path | None:
    """The first folder that can be written: the one named in NUMBA_CACHE_DIR, beside, the user's.

    Below it one for these very sources: Numba on its own looks at one file, and would run stale
    code after a change in another that the first one calls. None where nothing can be written.
    """
    sources = b"".join(path.read_bytes() for path in sorted(HERE.glob("*.py")))
    name = f"kernels-{sha256(sources).hexdigest()[:16]}"
    named = os.environ.get("NUMBA_CACHE_DIR")
    for folder in [Path(named)] if named else [HERE / "__pycache__", *_users_folder()]:
        try:
            (folder / name).mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder / name, os.W_OK):
            return folder / name
    return None


def _users_folder() -> Iterator[Path]:
    with suppress(RuntimeError):  # a user without a home
        yield Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "pyramid-daily"


def check(name: str, kept: bytes) -> None:
    """Raise ValueError where what was kept does not end with its own SHA-256."""
    if sha256(kept[:-32]).digest() != kept[-32:]:
        raise ValueError(f"{name} is not as it was written")


class CheckedFile(caching.IndexDataCacheFile):  # type: ignore[misc]
    """Machine code with its SHA-256 behind it: Numba on its own would run what a crash has cut."""

    def _dump(self, thing: object) -> bytes:
        pickled: bytes = super()._dump(thing)
        return pickled + sha256(pickled).digest()  # which the pickle ends before

    def _load_index(self) -> Any:
        with suppress(FileNotFoundError), Path(self._index_path).open("rb") as index:
            pickle.load(index)  # noqa: S301 the version, which Numba reads as well
            check(self._index_path, index.read())
        return super()._load_index()

    def _load_data(self, name: str) -> Any:
        check(name, Path(self._data_path(name)).read_bytes())
        return super()._load_data(name)


class Kept(caching.FunctionCache):  # type: ignore[misc]
    """Machine code that outlives the process. What is damaged goes, and is compiled anew."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file.__class__ = CheckedFile

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            for path in Path(self._cache_path).glob(f"{self._impl.filename_base}.*"):
                with suppress(OSError):
                    path.unlink()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(Exception):  # of a full disk, or of one that nobody may write to any more
            super().save_overload(sig, data)


_FOLDER = cache_folder()
if _FOLDER is not None:
    numba.config.CACHE_DIR = str(_FOLDER)


def kernel(function: Function) -> Function:
    """Compiled when first called, and kept for the next process: what Python calls."""
    compiled: Any = numba.njit(error_model="numpy")(function)
    if _FOLDER is not None:
        compiled._cache = Kept(function)  # noqa: SLF001 as its `enable_caching` does
    kept: Function = compiled
    return kept


def part(function: Function) -> Function:
    """Compiled into the kernels that call it."""
    compiled: Function = numba.njit(error_model="numpy")(function)
    return compiled
