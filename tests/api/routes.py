"""Every route of the API, read off the URL conf, so that a new one cannot be forgotten."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from uuid import UUID

from django.urls import URLPattern, URLResolver, get_resolver

from pyramid_site.api.endpoint import Endpoint

SAMPLES = {
    "<str:day>": "today",
    "<str:challenge>": "one-pass",
    "<str:attempt_id>": str(UUID(int=0)),
    "<str:group_id>": str(UUID(int=0)),
    "<str:player_id>": str(UUID(int=0)),
    "<str:period>": "week",
    "<name:name>": "Nobody",
}


class Route(NamedTuple):
    """An address with samples filled in, and the methods that it answers."""

    path: str
    template: str
    """The address with `{}` for each sample."""
    methods: frozenset[str]
    readers: frozenset[str]
    """The methods whose query or body may name something."""


def endpoints() -> list[Route]:
    return [
        Route(
            sample(path),
            re.sub(r"<[^>]+>", "{}", path),
            frozenset(view.answers),
            frozenset(view.query_forms) | frozenset(view.body_forms),
        )
        for path, view in _views("/", get_resolver().url_patterns)
    ]


def sample(path: str) -> str:
    for part, value in SAMPLES.items():
        path = path.replace(part, value)
    assert "<" not in path, f"{path}: say what stands for this part, in SAMPLES"
    return path


def _views(
    prefix: str, patterns: list[URLPattern | URLResolver]
) -> Iterator[tuple[str, type[Endpoint]]]:
    for pattern in patterns:
        path = f"{prefix}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from _views(path, pattern.url_patterns)
        else:
            view = getattr(pattern.callback, "view_class", None)
            if isinstance(view, type) and issubclass(view, Endpoint):
                yield path, view
