"""Who looks at the admin, and at what; the models are not to be read before the settings."""

from typing import TYPE_CHECKING

import pytest
from django.test import Client

from tests.conftest import SimulatedClock

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from games.models import DailyDeal


@pytest.fixture
def deal(db: None, clock: SimulatedClock) -> "DailyDeal":
    """A deal of today that Ada has cleared by its winning line, and Ben is playing.

    Every model of the admin has a row.
    """
    from tests.admin import rows

    return rows.make(clock)


@pytest.fixture
def superuser(db: None) -> "User":
    from django.contrib.auth.models import User

    return User.objects.create_superuser("root")


@pytest.fixture
def root(client: Client, superuser: "User") -> Client:
    client.force_login(superuser)
    return client
