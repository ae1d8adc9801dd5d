"""One stack for all these tests: it takes longer to start than each of them takes.

Each leaves it running. They are kept together on one process of xdist.
"""

from collections.abc import Iterator

import pytest

from tests.e2e.stack import UNLIMITED, Stack


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "stack" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("e2e"))


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    """Only today's deals are made, and those when somebody asks for them."""
    stack = Stack(DEALS_AHEAD_DAYS="0", **UNLIMITED)
    try:
        stack.up()
        yield stack
    finally:
        stack.down()
