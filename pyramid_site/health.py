"""Whether the server is up, is ready, and what it has to do without."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from threading import Lock, Thread
from time import monotonic, perf_counter
from typing import Any, Generic, TypeVar

from celery import current_app
from django.conf import settings
from django.core.cache import cache as shared
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from pyramid_site import clock, isolation, supervisor
from pyramid_site.models import Heartbeat
from pyramid_site.outages import LATE

LONG = 20  # tasks that wait: the scheduler sends one a minute
PATIENCE = 0.8  # s for all that is asked; a usual probe waits for one second
SILENT = 30  # s after which a service that has not answered is asked again
Answer = TypeVar("Answer")


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


class Question(Generic[Answer]):
    """What a service is asked in a thread of its own: a silent one holds up nobody else.

    While it is silent it is not asked again for a while; who asks meanwhile waits for the same
    answer.
    """

    def __init__(self, ask: Callable[[], Answer]) -> None:
        self.ask = ask
        self.lock = Lock()
        self.asked: Future[Answer] | None = None
        self.asked_at = 0.0

    def begin(self) -> "Future[Answer]":
        now = monotonic()
        with self.lock:
            if self.asked is None or self.asked.done() or now - self.asked_at > SILENT:
                self.asked, self.asked_at = Future(), now
                Thread(target=self._answer, args=(self.asked,), daemon=True).start()
            return self.asked

    def _answer(self, asked: "Future[Answer]") -> None:
        try:
            asked.set_result(self.ask())
        except Exception as error:
            asked.set_exception(error)
        finally:
            connection.close()  # no request ends here, which would give it back


def answers(*questions: Question[Any]) -> list[Any]:
    """What each says within PATIENCE of being asked; None where one does not."""
    asked = [question.begin() for question in questions]
    for question, it in zip(questions, asked, strict=True):
        wait([it], max(0.0, question.asked_at + PATIENCE - monotonic()))
    return [it.result() if it.done() else None for it in asked]


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """The process is up."""
    return JsonResponse({"status": "up"})


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """503 without a database or with migrations missing; else 200, and what is degraded.

    Ages are whole seconds, null for what never was.
    """
    stored, cached, waiting = answers(database, cache_answers, queue)
    reason, beats = stored or NO_DATABASE
    if reason:
        return JsonResponse({"status": "not ready", "reason": reason}, status=503)
    ages = {it.task: it.age for it in beats}
    failed = sorted({unit for it in beats for unit in it.failed})
    return JsonResponse(
        {
            "status": "ready",
            "degraded": list(
                dict.fromkeys([*_degraded(ages, cached, waiting), *supervisor.down(), *failed])
            ),
            "sweep_age_s": _seconds(ages.get("sweep")),
            "beat_age_s": _seconds(ages.get("beat")),
            "queue_length": waiting,
        }
    )


def _degraded(
    ages: dict[str, timedelta], cached: bool | None, waiting: int | None
) -> Iterator[str]:
    """`beat` without `sweep` tells of a scheduler that came late, the other way of a worker."""
    if not cached:
        yield "redis"
    if ages.get("sweep", LATE) >= LATE:
        yield "sweep"
    if settings.REDIS_URL and ages.get("beat", LATE) >= LATE:
        yield "beat"
    if waiting is not None and waiting > LONG:
        yield "queue"


@cache
def _last_migrations() -> set[tuple[str, str]]:
    """Of each app, by app and name: read from the files once, which takes long."""
    return set(MigrationLoader(None, ignore_no_migrations=True).graph.leaf_nodes())


NO_DATABASE: tuple[str, list[Beat]] = ("database", [])


def _stored() -> tuple[str, list[Beat]]:
    """Why nobody can play, if so; and what is known of each task."""
    try:
        if not _last_migrations() <= MigrationRecorder(connection).applied_migrations().keys():
            return "migrations", []
        return "", heartbeats()
    except (DatabaseError, InterfaceError):
        return NO_DATABASE


def _cache_answers() -> bool:
    if not settings.REDIS_URL:
        return False
    try:
        shared.set("readyz", True, timeout=10)
    except Exception:
        return False
    return True


database = Question(_stored)
cache_answers = Question(_cache_answers)
queue = Question(queue_length)


def _seconds(age: timedelta | None) -> int | None:
    return None if age is None else int(age.total_seconds())
