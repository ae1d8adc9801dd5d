"""How pages find their modules under the hashed names that never change."""

import json
import re
from functools import cache
from pathlib import Path
from posixpath import join, normpath

from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils.safestring import SafeString, mark_safe

FOLDER = Path(__file__).parent / "static"
VENDORED = {"lit-html": "web/vendor/lit-html/lit-html.js"}
"""By the name that modules import: the file in its place."""

IMPORT = re.compile(r"""^(?:import|export)\b[^"';=]*["']([^"']+)["'];""", re.MULTILINE)


@cache
def import_map(entry: str) -> SafeString:
    """The plain address of all that a module imports -> the hashed one: no storage rewrites it.

    It works where modules import each other in a circle, which a rewrite by hashes cannot.
    """
    needed = sorted(_needed(entry))
    imports = {f"/static/{name}": staticfiles_storage.url(name) for name in needed}
    bare = {name: staticfiles_storage.url(it) for name, it in VENDORED.items() if it in needed}
    return mark_safe(json.dumps({"imports": imports | bare}, separators=(",", ":")))  # noqa: S308 names of our own files


@cache
def preloads(entry: str) -> list[str]:
    """The hashed addresses of a module and all that it imports: fetched at once, not in a chain."""
    return [staticfiles_storage.url(name) for name in _needed(entry)]


def _needed(entry: str) -> list[str]:
    """The names of a module and of all that it imports, its own first."""
    found: list[str] = []
    waiting = [f"web/js/{entry}.js"]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.append(name)
            text = (FOLDER / name).read_text("utf-8")
            waiting += [
                VENDORED.get(it) or normpath(join(name, "..", it)) for it in IMPORT.findall(text)
            ]
    return found
