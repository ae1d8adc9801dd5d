"""Counters that all processes share: in Redis, or in the database where there is none."""

from datetime import UTC, datetime
from typing import Any

from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from django.db import connection
from django.db.models.functions import Now
from django.utils.functional import cached_property

from pyramid_site.models import Counter


def count(key: str, *, until: int) -> int:
    """How often the key was counted, this call included. Atomic.

    The counter goes after `until` (Unix s), so a key must not be used again after it.
    """
    cache = caches["default"]
    if isinstance(cache, CountingRedisCache):
        return cache.count(key, until)
    with connection.cursor() as cursor:
        cursor.execute(ONE_MORE, [key, datetime.fromtimestamp(until, UTC)])
        total: int = cursor.fetchone()[0]
        return total


def forget_lapsed() -> None:
    """Removes the database's counters that are over; Redis does it by itself."""
    Counter.objects.filter(lapses_at__lt=Now()).delete()


ONE_MORE = """
INSERT INTO pyramid_site_counter AS counter (key, total, lapses_at) VALUES (%s, 1, %s)
ON CONFLICT (key) DO UPDATE SET total = counter.total + 1 RETURNING total
"""


class CountingRedisCache(RedisCache):
    """Django's, with a count in one round trip: its `incr` takes two, and a third to begin."""

    @cached_property
    def client(self) -> Any:
        return self._cache.get_client(write=True)

    def count(self, key: str, until: int) -> int:
        name = self.make_and_validate_key(key)
        total: int = self.client.incr(name)
        if total == 1:
            self.client.expireat(name, until)
        return total
