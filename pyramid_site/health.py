"""Whether the server is up, is ready, and what it has to do without."""

from datetime import timedelta

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from pyramid_site import clock
from pyramid_site.models import Heartbeat

LATE = timedelta(minutes=3)  # the sweep comes each minute


def beat(task: str) -> None:
    """A periodic task has run to its end."""
    Heartbeat.objects.update_or_create(task=task, defaults={"beat_at": clock.now()})


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
    late = clock.now() - LATE
    return [] if Heartbeat.objects.filter(task="sweep", beat_at__gt=late).exists() else ["sweep"]
