"""How kernels are compiled, and where their machine code is kept."""

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numba

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
    users = Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser()
    folders = [Path(named)] if named else [HERE / "__pycache__", users / "pyramid-daily"]
    for folder in folders:
        try:
            (folder / name).mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder / name, os.W_OK):
            return folder / name
    return None


_FOLDER = cache_folder()
if _FOLDER is not None:
    numba.config.CACHE_DIR = str(_FOLDER)


def kernel(function: Function) -> Function:
    """Compiled when first called, and kept for the next process: what Python calls."""
    compiled: Function = numba.njit(error_model="numpy", cache=_FOLDER is not None)(function)
    return compiled


def part(function: Function) -> Function:
    """Compiled into the kernels that call it."""
    compiled: Function = numba.njit(error_model="numpy")(function)
    return compiled
