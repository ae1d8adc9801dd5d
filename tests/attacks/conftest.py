"""A server for the tests of a module, each of which has players of its own."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from pytest_django import DjangoDbBlocker

if TYPE_CHECKING:  # pytest reads this file before Django is set up
    from tests.attacks.servers import Caller, Web


@pytest.fixture(scope="module")
def server(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> "Iterator[Web]":
    """A web server on a database of the module's own, with a deal for the real day."""
    from django.db import connection

    from tests.attacks.servers import web
    from tests.builders import publish_today
    from tests.conftest import copied_database

    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no server that could be killed, and one writer at a time")
    with django_db_blocker.unblock(), copied_database() as database:
        publish_today()
        with web(database.url, application="tests.attacks.mortal") as server:
            yield server


@pytest.fixture
def player(server: "Web") -> "Caller":
    from tests.attacks.servers import Caller

    return Caller(server.port).sign_up()
