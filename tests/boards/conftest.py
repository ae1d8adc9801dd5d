"""A deal whose boards are filled by the tests."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # pytest reads this file before Django is set up
    from games.models import DailyDeal
    from tests.conftest import SimulatedClock


@pytest.fixture
def deal(db: None, clock: "SimulatedClock") -> "DailyDeal":
    from tests import builders

    return builders.publish_short()
