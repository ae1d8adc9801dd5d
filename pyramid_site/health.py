"""Whether the server is up, is ready, and what it has to do without."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from time import perf_counter

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from pyramid_site import clock, isolation, supervisor
from pyramid_site.models import Heartbeat
from pyramid_site.outages import LATE

LONG = 20  # tasks that wait: the scheduler sends one a minute


@dataclass(frozen=True, slots=True)
class Beat:
    """A periodic task that has run to its end, or the scheduler: how long ago, and how long.

    `failed`: how many of its units failed alone, by the name of their kind.
    """

    task: str
    age: timedelta
    took_ms: int | None
    failed: Mapping[str, int]


@transaction.atomic
def beat(task: str, took_ms: int | None = None, failed: Mapping[str, int] | None = None) -> None:
    """A periodic task has run to its end."""
    now = clock.now()
    Heartbeat.objects.get_or_create(task=task, defaults={"beat_at": now})
    last = Heartbeat.objects.select_for_update().get(task=task)
    last.beat_at, last.took_ms, last.failed = max(last.beat_at, now), took_ms, failed
    last.save()


@contextmanager
def timed(task: str) -> Iterator[None]:
    """Beats, with the time that it took and what failed, when the block has run to its end."""
    start = perf_counter()
    with isolation.counted() as failed:
        yield
    with isolation.unit("beat", task):  # a heartbeat that somebody locked ends no task
        beat(task, round(1000 * (perf_counter() - start)), failed)


def heartbeats() -> list[Beat]:
    """Of the scheduler and of each task that ever ran."""
    now = clock.now()
    return [
        Beat(row.task, now - row.beat_at, row.took_ms, row.failed or {})
        for row in Heartbeat.objects.all()
    ]


def queue_length() -> int | None:
    """How many tasks wait for a worker; None without a broker that answers."""
    if settings.REDIS_URL:
        with suppress(Exception), current_app.pool.acquire(block=True, timeout=1) as broker:
            queue = settings.CELERY_TASK_DEFAULT_QUEUE
            try:
                declared = broker.default_channel.queue_declare(queue=queue, passive=True)
            except broker.channel_errors:
                return 0  # Redis keeps no empty list
            return int(declared.message_count)
    return None


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """The process is up."""
    return JsonResponse({"status": "up"})


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """503 without a database or with migrations missing; else 200, and what is degraded.

    Ages are whole seconds, null for what never was.
    """
    try:
        if _migrations_are_missing():
            return JsonResponse({"status": "not ready", "reason": "migrations"}, status=503)
        beats = heartbeats()
    except (DatabaseError, InterfaceError):
        return JsonResponse({"status": "not ready", "reason": "database"}, status=503)
    ages = {it.task: it.age for it in beats}
    failed = sorted({unit for it in beats for unit in it.failed})
    waiting = queue_length()
    return JsonResponse(
        {
            "status": "ready",
            "degraded": list(
                dict.fromkeys([*_degraded(ages, waiting), *supervisor.down(), *failed])
            ),
            "sweep_age_s": _seconds(ages.get("sweep")),
            "beat_age_s": _seconds(ages.get("beat")),
            "queue_length": waiting,
        }
    )


def _degraded(ages: dict[str, timedelta], waiting: int | None) -> Iterator[str]:
    """`beat` without `sweep` tells of a scheduler that came late, the other way of a worker."""
    if not _cache_answers():
        yield "redis"
    if ages.get("sweep", LATE) >= LATE:
        yield "sweep"
    if settings.REDIS_URL and ages.get("beat", LATE) >= LATE:
        yield "beat"
    if waiting is not None and waiting > LONG:
        yield "queue"


def _migrations_are_missing() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _cache_answers() -> bool:
    if not settings.REDIS_URL:
        return False
    try:
        cache.set("readyz", True, timeout=10)
    except Exception:
        return False
    return True


def _seconds(age: timedelta | None) -> int | None:
    return None if age is None else int(age.total_seconds())
