"""Every address that the server answers, read off the URL conf: a new one joins by itself."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver

PART = re.compile(r"<(?:\w+:)?(\w+)>")


class Address(NamedTuple):
    """An address with `<name>` for each part that may vary."""

    template: str

    @property
    def parts(self) -> list[str]:
        return PART.findall(self.template)

    @property
    def of_the_admin(self) -> bool:
        return self.template.startswith("/admin")

    def filled(self, values: Mapping[str, str]) -> str:
        return PART.sub(lambda part: values[part[1]], self.template)


def addresses() -> list[Address]:
    """All of them, in the order of the URL conf."""
    found = [Address(it) for it in _templates("/", get_resolver().url_patterns)]
    assert len(found) > 80, "the admin alone has as many"
    return found


def _templates(prefix: str, patterns: Sequence[URLPattern | URLResolver]) -> Iterator[str]:
    for pattern in patterns:
        template = prefix + _plain(str(pattern.pattern))
        if isinstance(pattern, URLResolver):
            yield from _templates(template, pattern.url_patterns)
        else:
            yield template


def _plain(pattern: str) -> str:
    """A pattern as a template: of a regular expression each named group is a part."""
    return re.sub(r"\(\?P(<\w+>)[^()]*\)", r"\1", pattern).removeprefix("^").removesuffix("$")
