"""Periodic work in units that fail alone: one poisonous row stops no other."""

import logging
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from django.db import connection

logger = logging.getLogger(__name__)

PATIENCE = "10s"  # for which a unit waits for one lock: whoever holds it may hold it for ever

_failed: ContextVar[Counter[str] | None] = ContextVar("failed", default=None)


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """Count the units that fail in the block, by name."""
    failed: Counter[str] = Counter()
    token = _failed.set(failed)
    try:
        yield failed
    finally:
        _failed.reset(token)


@contextmanager
def unit(name: str, key: object = "") -> Iterator[None]:
    """Do one unit of a periodic task; log and count its failure, and leave it for the next run.

    A unit that writes is a transaction of its own. Raises only where the database is away: no
    other unit would succeed then.
    """
    with impatient():
        try:
            yield
        except Exception as error:  # whatever is wrong with this one
            if (failed := _failed.get()) is not None:
                failed[name] += 1
            # Without the error's own words: they may quote a row, hidden cards and all.
            logger.error(  # noqa: TRY400
                "%s %s failed and is left for the next run: %s at %s",
                name,
                key,
                type(error).__name__,
                _places(error),
            )


@contextmanager
def impatient() -> Iterator[None]:
    """Wait no longer than PATIENCE for any lock. SQLite's `timeout` does the same."""
    if connection.vendor != "postgresql":
        yield
        return
    before = _set_lock_timeout(PATIENCE)
    try:
        yield
    finally:
        if connection.errors_occurred:  # this unit may have lost the connection
            connection.close_if_unusable_or_obsolete()
        _set_lock_timeout(before)


def _set_lock_timeout(wanted: str) -> str:
    """Set it for the session; what it was before."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('lock_timeout'), set_config('lock_timeout', %s, false)",
            [wanted],
        )
        before: str = cursor.fetchone()[0]
        return before


def _places(error: BaseException) -> str:
    """Where it was raised, innermost first."""
    frames = reversed(traceback.extract_tb(error.__traceback__, limit=-5))
    return ", ".join(f"{Path(it.filename).name}:{it.lineno} ({it.name})" for it in frames)
