"""A real browser on a real site, on a database and a clock of the test's own."""

import os
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    ViewportSize,
    expect,
    sync_playwright,
)
from pytest_django import DjangoDbBlocker

from tests import programs
from tests.web.playing import Table

if TYPE_CHECKING:
    from tests.conftest import Database, SimulatedClock

SWITCHES = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
PHONE, TABLET, DESKTOP = (360, 740), (768, 1024), (1440, 900)
PATIENCE = 20_000  # ms that a test waits for what must come: a busy machine is no fault
NeedsContext = Callable[..., BrowserContext]


def pytest_configure(config: pytest.Config) -> None:
    """Playwright runs a loop in this thread, and Django would take the tests for async code."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip before the databases and sites of a test are made, where there is no browser for it."""
    if "browser" in getattr(item, "fixturenames", ()):
        chromium()


def chromium() -> str:
    """Without the windows of the browser it takes a third less time; the engine is the same."""
    return programs.needed(
        "chromium-headless-shell", "chromium", "chromium-browser", package="chromium-headless-shell"
    )


def launch(playwright: Playwright) -> Browser:
    """Launch Debian's Chromium; none is downloaded."""
    return playwright.chromium.launch(executable_path=chromium(), args=SWITCHES.split())


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of a process; each test has contexts of its own."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = launch(playwright)
        yield chromium
        chromium.close()


class Quiet(WSGIRequestHandler):
    def log_message(self, *args: Any) -> None:
        """Says nothing."""


@pytest.fixture
def site(committed_db: "Database", clock: "SimulatedClock") -> Iterator[str]:
    """The address of the whole site, served by threads of this process and so by its clock."""
    from django.core.handlers.wsgi import WSGIHandler

    server = ThreadedWSGIServer(("127.0.0.1", 0), Quiet)
    server.set_app(WSGIHandler())
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="session")
def furnished_db(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[str, dict[str, str]]]:
    """The name of a furnished database, one a process, and what `furnish` tells of it."""
    from django.db import connection

    from games import queries
    from pyramid_site import clock as the_clock
    from tests.conftest import SimulatedClock, copied_database, leave
    from tests.web import furnished

    own = connection.settings_dict["NAME"]
    with django_db_blocker.unblock(), copied_database() as database:
        with pytest.MonkeyPatch.context() as patch:
            queries.cached_deal.cache_clear()  # of a test before this fixture
            simulated = SimulatedClock()
            patch.setattr(the_clock, "sql", simulated.sql)
            made = furnished.furnish(simulated)
            queries.cached_deal.cache_clear()
        leave(database.name)
        connection.settings_dict["NAME"] = own
        yield database.name, made
        connection.settings_dict["NAME"] = database.name


@pytest.fixture
def made(
    site: str,
    clock: "SimulatedClock",
    django_db_blocker: DjangoDbBlocker,
    furnished_db: tuple[str, dict[str, str]],
) -> Iterator[dict[str, str]]:
    """The site on a copy of the furnished database, at the hour at which it was left."""
    from django.db import connection

    from tests.conftest import copied_database

    furnished, made = furnished_db
    own = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = furnished
    with django_db_blocker.unblock(), copied_database():
        clock.set(made["now"])
        yield made
    connection.settings_dict["NAME"] = own


@pytest.fixture
def visitor(browser: Browser, site: str) -> Iterator[NeedsContext]:
    """Opens contexts, which are visitors with storage of their own; their pages must have no fault.

    An uncaught error and a breach of the content security policy fail the test.
    """
    faults: list[str] = []
    contexts = []

    def heard(message: Any) -> None:
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            faults.append(message.text)

    def watch(page: Page) -> None:
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", heard)

    def visit(size: tuple[int, int] = DESKTOP, **options: Any) -> BrowserContext:
        viewport: ViewportSize = {"width": size[0], "height": size[1]}
        options = {"locale": "en-GB", "reduced_motion": "reduce", **options}
        context = browser.new_context(base_url=site, viewport=viewport, **options)
        context.set_default_timeout(PATIENCE)
        context.on("page", watch)
        contexts.append(context)
        return context

    yield visit
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def context(visitor: NeedsContext) -> BrowserContext:
    """A visitor to whom the certified deal of the default rules is open: its pages are tabs."""
    from tests import builders

    builders.publish()
    return visitor(DESKTOP)


@pytest.fixture
def table(context: BrowserContext) -> Table:
    """That deal, started by a guest."""
    return Table(context.new_page()).enter("one-pass")
