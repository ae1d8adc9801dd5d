"""The one clock: the database's. All processes read the same one, whatever their machines say."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import DateTimeField, Func


def sql() -> str:
    """The expression that reads the clock, cut to whole ms; tests put another in its place.

    It tells the instant of the call, not the start of the transaction as now() does.
    """
    return {
        "postgresql": "date_trunc('milliseconds', clock_timestamp())",
        "sqlite": "strftime('%Y-%m-%d %H:%M:%f000', 'now')",  # compares as text
    }[connection.vendor]


class Now(Func):
    """The clock inside a query of the ORM."""

    output_field = DateTimeField()

    def as_sql(
        self, compiler: Any, connection: BaseDatabaseWrapper, *args: Any, **kwargs: Any
    ) -> tuple[str, tuple[str | int, ...]]:
        return sql().replace("%", "%%"), ()


def now() -> datetime:
    """The instant of this call, UTC. Read it after the last lock is held."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {sql()}")
        return read(cursor.fetchone()[0])


def read(value: datetime | str) -> datetime:
    """What a database answers for `sql()`: SQLite has no type for it and sends text."""
    if isinstance(value, str):
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    return value.astimezone(UTC)


def today() -> date:
    """The present day of UTC."""
    return now().date()


def midnight(day: date) -> datetime:
    """The first instant of `day`, UTC."""
    return datetime.combine(day, time.min, tzinfo=UTC)


def ms_between(start: datetime, end: datetime) -> int:
    """Whole ms from `start` to `end`, negative if the clock was set back in between."""
    return (end - start) // timedelta(milliseconds=1)
