"""One stack for all these tests: it takes longer to start than each of them takes.

Each leaves it running.
"""

from collections.abc import Iterator

import pytest

from tests.e2e.stack import UNLIMITED, Stack


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    """Only today's deals are made, and those when somebody asks for them."""
    stack = Stack(DEALS_AHEAD_DAYS="0", **UNLIMITED)
    try:
        stack.up()
        yield stack
    finally:
        stack.down()
