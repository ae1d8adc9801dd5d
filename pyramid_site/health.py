"""Whether the server is up, is ready, and what it has to do without."""

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from pyramid_site import clock, outages
from pyramid_site.models import Heartbeat


@transaction.atomic
def beat(task: str) -> None:
    """A periodic task has run to its end. Where the last sweep was long ago, that was an outage."""
    now = clock.now()
    Heartbeat.objects.get_or_create(task=task, defaults={"beat_at": now})
    last = Heartbeat.objects.select_for_update().get(task=task)
    if task == "sweep":
        outages.note(since=last.beat_at, until=now)
    last.beat_at = max(last.beat_at, now)
    last.save()


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """The process is up."""
    return JsonResponse({"status": "up"})


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """503 without a database or with migrations missing; else 200, and what is degraded."""
    try:
        if _migrations_are_missing():
            return JsonResponse({"status": "not ready", "reason": "migrations"}, status=503)
        degraded = [*_cache_trouble(), *_sweep_trouble()]
    except (DatabaseError, InterfaceError):
        return JsonResponse({"status": "not ready", "reason": "database"}, status=503)
    return JsonResponse({"status": "ready", "degraded": degraded})


def _migrations_are_missing() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _cache_trouble() -> list[str]:
    if not settings.REDIS_URL:
        return ["redis"]
    try:
        cache.set("readyz", True, timeout=10)
    except Exception:
        return ["redis"]
    return []


def _sweep_trouble() -> list[str]:
    """The sweep shows that both the scheduler and a worker live: one without the other is late."""
    late = clock.now() - outages.LATE
    return [] if Heartbeat.objects.filter(task="sweep", beat_at__gt=late).exists() else ["sweep"]
