"""What all boards share: equal ranks for equal results, and reads from one snapshot."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.db.models.fields.tuple_lookups import Tuple, TupleLessThan

from pyramid_site.paging import Keys, Page

Item = TypeVar("Item")

NOT_RANKED = "This player has no result on this board."


@dataclass(frozen=True, slots=True)
class Counts:
    """`ahead` are better than a row; `before` are those and its equals that stand before it."""

    ahead: int
    before: int

    def __sub__(self, other: "Counts") -> "Counts":
        return Counts(self.ahead - other.ahead, self.before - other.before)


NONE_AHEAD = Counts(0, 0)


def row_to_count(page: Page[Item]) -> Item | None:
    """Return the row whose counts tell the ranks of a page; None where the board begins with it."""
    return page.items[0] if page.items and page.previous is not None else None


def ranks(items: Sequence[Item], order: Keys, first: Counts) -> list[int]:
    """Return the ranks of rows that follow each other, from the counts of the first one.

    The last column of `order` only tells equals apart; these share a rank (1, 2, 2, 4).
    """
    if not items:
        return []
    found = [first.ahead + 1]
    keys = [order.of(row)[:-1] for row in items]
    for position, (previous, key) in enumerate(pairwise(keys), start=first.before + 2):
        found.append(found[-1] if key == previous else position)
    return found


def counts(rows: "QuerySet[Any]", order: Keys, row: Any) -> Counts:
    """Count in the database how many of the rows stand before one; before None there is none."""
    if row is None:
        return NONE_AHEAD
    *columns, last = order.columns
    *key, tail = order.of(row)
    better = TupleLessThan(Tuple(*(F(column) for column in columns)), key)
    equals = dict(zip(columns, key, strict=True))
    ahead = rows.filter(better).count()
    return Counts(ahead, ahead + rows.filter(**equals, **{f"{last}__lt": tail}).count())


@contextmanager
def snapshot() -> Iterator[None]:
    """Give all reads inside one snapshot, so that a page and its ranks agree.

    Inside another transaction they see what that one sees. On SQLite it is one that reads, for
    those of the setting, IMMEDIATE, lock out all writers.
    """
    if connection.in_atomic_block:
        yield
        return
    database: Any = connection
    database.ensure_connection()
    if on_sqlite := database.vendor == "sqlite":
        given, database.transaction_mode = database.transaction_mode, "DEFERRED"
    try:
        with transaction.atomic():
            if not on_sqlite:
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    finally:
        if on_sqlite:
            database.transaction_mode = given
