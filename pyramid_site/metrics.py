"""What is counted and timed for Prometheus, and the port of its own on which it is read."""

from collections.abc import Callable, Iterable, Iterator
from http import HTTPMethod
from time import perf_counter
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from prometheus_client import REGISTRY, CollectorRegistry, Histogram, make_wsgi_app
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.values import ValueClass

from pyramid_site import health

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

REQUESTS = Histogram(
    "pyramid_request_seconds",
    "How long requests took, by the pattern of their address.",
    ["method", "route", "status"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)


def count_requests(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: what is no address, or no method, is one of them, or anybody could add series."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        start = perf_counter()
        response = get_response(request)
        route = request.resolver_match.route if request.resolver_match else "none"
        method = request.method if request.method in HTTPMethod.__members__ else "other"
        labels = method, route, str(response.status_code)
        REQUESTS.labels(*labels).observe(perf_counter() - start)
        return response

    return middleware


class Read:
    """What is not counted but looked up, when somebody reads the metrics.

    What the worker does is told by its heartbeats, and so by any web process of any machine.
    """

    def __init__(self) -> None:
        self.lookups: list[Callable[[], Iterable[Metric]]] = [heartbeats, queue]

    def collect(self) -> Iterator[Metric]:
        up = 1
        try:
            for look in self.lookups:
                yield from look()
        except (DatabaseError, InterfaceError):
            up = 0
        finally:
            connection.close()  # no request ends here, which would give it back
        yield GaugeMetricFamily("pyramid_database_up", "Whether the database answers.", up)


def heartbeats() -> Iterator[Metric]:
    """Of the scheduler and of each periodic task."""
    age = GaugeMetricFamily(
        "pyramid_task_age_seconds", "Since a task last ran to its end.", labels=["task"]
    )
    took = GaugeMetricFamily(
        "pyramid_task_duration_seconds", "How long its last run took.", labels=["task"]
    )
    failed = GaugeMetricFamily(
        "pyramid_failed_units",
        "Units of a task's last run that failed alone.",
        labels=["task", "unit"],
    )
    for beat in health.heartbeats():
        age.add_metric([beat.task], beat.age.total_seconds())
        if beat.took_ms is not None:
            took.add_metric([beat.task], beat.took_ms / 1000)
        for unit, count in beat.failed.items():
            failed.add_metric([beat.task, unit], count)
    yield from (age, took, failed)


def queue() -> Iterator[Metric]:
    """Of the worker; left out where there is no broker, or none that answers."""
    [length] = health.answers(health.queue)
    if length is not None:
        yield GaugeMetricFamily("pyramid_queue_length", "Tasks that wait for a worker.", length)


read = Read()


def exposition() -> "WSGIApplication":
    """All metrics: those of this process, or where processes share files those of all of them."""
    shared = getattr(ValueClass, "_multiprocess", False)
    registry = CollectorRegistry() if shared else REGISTRY
    if shared:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    registry.register(read)
    application: WSGIApplication = make_wsgi_app(registry)
    return application


def beside(application: "WSGIApplication") -> "WSGIApplication":
    """The application, with the metrics on METRICS_PORT, to which no public route leads."""
    if not settings.METRICS_PORT:
        return application
    metrics = exposition()

    def dispatch(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        arrived_at: Any = environ["gunicorn.socket"].getsockname()
        chosen = metrics if arrived_at[1] == settings.METRICS_PORT else application
        return chosen(environ, start_response)

    return dispatch
