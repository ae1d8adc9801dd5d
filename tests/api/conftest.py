"""Callers, on a day on which the clock stands still."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # pytest reads this file before Django is set up
    from tests.api.client import Client
    from tests.conftest import SimulatedClock


@pytest.fixture
def anyone(db: None, clock: "SimulatedClock") -> "Client":
    """A caller without a token."""
    from tests.api.client import Client

    return Client()


@pytest.fixture
def ada(db: None, clock: "SimulatedClock") -> "Client":
    return _signed_up("Ada")


@pytest.fixture
def ben(db: None, clock: "SimulatedClock") -> "Client":
    return _signed_up("Ben")


def _signed_up(name: str) -> "Client":
    from tests.api.client import sign_up

    return sign_up(name)
