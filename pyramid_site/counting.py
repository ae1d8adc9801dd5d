"""Counters that all processes share: in Redis, or in the database where there is none."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from django.db import connection
from django.db.models.functions import Now
from django.utils.functional import cached_property

from pyramid_site.models import Counter


def count(ends: Mapping[str, int]) -> dict[str, int]:
    """How often each key was counted, this call included. Atomic for each, in one round trip.

    A counter goes after the end (Unix s) of its key, so a key must not be used again after it.
    """
    cache = caches["default"]
    if isinstance(cache, CountingRedisCache):
        return cache.count(ends)
    rows = ", ".join(["(%s, 1, %s)"] * len(ends))
    values: list[str | datetime] = []
    for key, end in sorted(ends.items()):  # in one order, so that no two wait for each other
        values += [key, datetime.fromtimestamp(end, UTC)]
    with connection.cursor() as cursor:
        cursor.execute(ONE_MORE.format(rows=rows), values)
        return dict(cursor.fetchall())


def forget_lapsed() -> None:
    """Removes the database's counters that are over; Redis does it by itself."""
    Counter.objects.filter(lapses_at__lt=Now()).delete()


ONE_MORE = """
INSERT INTO pyramid_site_counter AS counter (key, total, lapses_at) VALUES {rows}
ON CONFLICT (key) DO UPDATE SET total = counter.total + 1 RETURNING key, total
"""


class CountingRedisCache(RedisCache):
    """Django's, with a count in one round trip: its `incr` takes two, and a third to begin."""

    @cached_property
    def client(self) -> Any:
        return self._cache.get_client(write=True)

    def count(self, ends: Mapping[str, int]) -> dict[str, int]:
        names = {key: self.make_and_validate_key(key) for key in ends}
        counting = self.client.pipeline(transaction=False)
        for name in names.values():
            counting.incr(name)
        totals = dict(zip(ends, counting.execute(), strict=True))
        for key in ends:
            if totals[key] == 1:
                self.client.expireat(names[key], ends[key])
        return totals
