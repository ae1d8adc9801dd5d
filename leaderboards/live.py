"""Copies of the boards that are still played, as sorted sets in Redis, to count ranks from.

A set holds the results of one board as of one version of its deal's tally, and carries that
version in itself, as the score of a member that stands before all results. So it is never taken
to be whole: whoever reads names the version that he has seen in the database, and is answered by
a set of that very version or by none.

Nobody else writes. A reader who finds a set behind adds the changes that are missing, each batch
in one step with the version that it leads to. A finish that nobody told Redis of, a process that
died before it did and a set that was lost are all the same to the next reader: a set behind.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any
from uuid import UUID

import redis
from django.conf import settings
from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet, Value
from redis.backoff import NoBackoff
from redis.commands.core import Script
from redis.retry import Retry

from leaderboards.models import Result, Tally, Verdict
from leaderboards.ranking import Counts
from leaderboards.rows import Row
from pyramid_site.circuit import Circuit

TIMEOUT = 0.25  # s, to connect and for each answer, while somebody waits for a rank
PATIENCE = 10.0  # s, of the worker
BATCH = 1000  # changes that a reader makes and waits for, at most
BUILT = 10_000  # that the worker makes in one step
LIFE = 3 * 24 * 3600  # s after the last change; boards are played for 26 hours

circuit = Circuit("Ranks are counted in the database")
building = Circuit("Sets are not built")

# The version is the score, negative, of the member that is the empty text.
COUNT = """
local version = redis.call('ZSCORE', KEYS[1], '')
if not version then return {0, 0, 0} end
local ahead = redis.call('ZCOUNT', KEYS[1], 0, '(' .. ARGV[1])
return {-version, ahead, (redis.call('ZRANK', KEYS[1], ARGV[2]) or 0) - 1}
"""
ADVANCE = """
local version = -(redis.call('ZSCORE', KEYS[1], '') or 0)
if version ~= tonumber(ARGV[1]) then return version end
if version == 0 then redis.call('DEL', KEYS[1]) end
for i = 4, #ARGV, 2 do
    if ARGV[i] == '' then redis.call('ZREM', KEYS[1], ARGV[i + 1])
    else redis.call('ZADD', KEYS[1], ARGV[i], ARGV[i + 1]) end
end
redis.call('ZADD', KEYS[1], -ARGV[2], '')
redis.call('EXPIRE', KEYS[1], ARGV[3])
return tonumber(ARGV[2])
"""
FORGET = "return redis.call('DEL', KEYS[1])"


def score(ranked_ms: int, undo_count: int) -> int:
    """The rank key as one number. Exact, since the longest ranked time is less than 2^32 ms."""
    return (ranked_ms << 20) + undo_count


def counts(tally: Tally, result: Row | Result, *, clean: bool) -> Counts | None:
    """How many stand before a result on its board of the tally's version; None if no set says."""
    asked = score(result.ranked_ms, result.undo_count), result.player_id.bytes
    answer = _run(COUNT, tally, clean, asked)
    if answer and answer[0] < tally.version <= answer[0] + BATCH:
        _advance(tally, clean=clean, held=answer[0])
        answer = _run(COUNT, tally, clean, asked)
    if not answer or answer[0] != tally.version:
        return None
    return Counts(ahead=answer[1], before=answer[2])


def played() -> list[Tally]:
    """The tallies of the boards that have sets: those that no seal has made final."""
    return list(Tally.objects.filter(final_at=None).select_related("deal").order_by("deal"))


def catch_up(
    tally: Tally, *, clean: bool, progress: Callable[[int], None] = lambda version: None
) -> int | None:
    """Brings a set up to the tally, or builds it; its version then, None without a Redis."""
    version = _version(tally, clean=clean)
    if version is not None and version > tally.version:
        tally.refresh_from_db()
        if version > tally.version:  # of a database that was set back since
            version = forget(tally, clean=clean)
    while version is not None and version < tally.version:
        progress(version)
        version = _advance(tally, clean=clean, held=version, build=True)
    return version


def forget(tally: Tally, *, clean: bool) -> int | None:
    """Removes a set; 0, or None without a Redis."""
    answer = _run(FORGET, tally, clean, (), build=True)
    return None if answer is None else 0


def _version(tally: Tally, *, clean: bool) -> int | None:
    answer = _run(COUNT, tally, clean, (0, ""), build=True)
    return None if answer is None else int(answer[0])


def _advance(tally: Tally, *, clean: bool, held: int, build: bool = False) -> int | None:
    """Adds a batch to a set of the version `held`; to any other, nothing. Its version then."""
    reached = min(held + (BUILT if build else BATCH), tally.version)
    words: list[Any] = [held, reached, LIFE]
    for _, ranked_ms, undo_count, player_id, on_it in _changes(tally, clean, held, reached):
        words += (score(ranked_ms, undo_count) if on_it else "", player_id.bytes)
    version: int | None = _run(ADVANCE, tally, clean, words, build=build)
    return version


def _changes(
    tally: Tally, clean: bool, held: int, reached: int
) -> "QuerySet[Any, tuple[int, int, int, UUID, bool]]":
    """Changes of a board in their order: number, time, undos, player, put on or taken off.

    All up to the tally's version are committed, since each waited for the one before it.
    """
    numbers = {"deal": tally.pk, "number__gt": held, "number__lte": reached}
    results = Result.objects.filter(**numbers)
    verdicts = Verdict.objects.filter(**numbers)
    if clean:
        results, verdicts = results.filter(undo_count=0), verdicts.filter(result__undo_count=0)
    columns = ("ranked_ms", "undo_count", "player_id")
    finishes = results.values_list("number", *columns, Value(True))
    on_it = ExpressionWrapper(Q(disqualified=False), BooleanField())
    judged = verdicts.values_list("number", *(f"result__{it}" for it in columns), on_it)
    return finishes.union(judged, all=True).order_by("number")


def _run(
    script: str, tally: Tally, clean: bool, words: Sequence[Any], *, build: bool = False
) -> Any:
    """The answer of a script on a set; None without a Redis."""
    if not settings.REDIS_URL:
        return None
    name = f"board:{tally.key}:{'clean' if clean else 'overall'}"
    ask = _script(settings.REDIS_URL, script, PATIENCE if build else TIMEOUT)
    return (building if build else circuit).call(partial(ask, [name], words))


@lru_cache
def _script(url: str, text: str, timeout: float) -> Script:
    return _client(url, timeout).register_script(text)


@lru_cache
def _client(url: str, timeout: float) -> redis.Redis:
    """One that does not try again, as the library would by itself, three times."""
    return redis.Redis.from_url(
        url,
        socket_timeout=timeout,
        socket_connect_timeout=timeout,
        retry=Retry(NoBackoff(), 0),
    )
