"""How it is logged: each event a line of JSON for machines, or a line for people to read.

An event carries the id of its request, into the tasks that the request sets off as well.
"""

from collections.abc import Callable, MutableMapping
from time import perf_counter
from typing import Any
from uuid import uuid4

import structlog
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from structlog.typing import EventDict, Processor

logger = structlog.get_logger(__name__)
PROBES = ("/healthz", "/readyz")
REQUEST_ID = "request_id"


def escape(_: Any, __: str, event: EventDict) -> EventDict:
    """Writes out what would break a line or move a terminal's cursor: strangers send it.

    The lines of a traceback are set in, so that none of them passes for an event.
    """
    for name, value in event.items():
        if isinstance(value, str):
            lines = value.split("\n") if name in ("exception", "stack") else [value]
            shown = [line if line.isprintable() else _visible(line) for line in lines]
            event[name] = "\n".join(f"  {it}" for it in shown) if len(shown) > 1 else shown[0]
    return event


def _visible(text: str) -> str:
    return "".join(it if it.isprintable() else it.encode("unicode_escape").decode() for it in text)


ADDED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,  # as text: with variables it would tell secrets
]
IN_JSON: list[Processor] = [structlog.processors.JSONRenderer()]
TO_READ: list[Processor] = [
    escape,  # JSON does it by itself
    structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=True),
    structlog.dev.ConsoleRenderer(colors=False, pad_event_to=0, pad_level=False),
]


def configuration(*, level: str, json: bool) -> dict[str, Any]:
    """Django's LOGGING: what speaks by the standard library comes out as structlog's own does."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *ADDED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": ADDED,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    *(IN_JSON if json else TO_READ),
                ],
            }
        },
        "filters": {
            "faults": {
                "()": "django.utils.log.CallbackFilter",
                "callback": lambda record: bool(record.exc_info),
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django.request": {"filters": ["faults"]}  # a refusal is an answer, not a fault
        },
    }


def log_requests(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: a line for each request, under an id that goes back to the client.

    The id is the server's own: one that a client sends could be anything. Neither the query nor
    who asks is logged.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        request_id = str(uuid4())
        with structlog.contextvars.bound_contextvars(**{REQUEST_ID: request_id}):
            start = perf_counter()
            response = get_response(request)
            ms = round(1000 * (perf_counter() - start), 1)
            log = logger.debug if request.path in PROBES else logger.info
            log(f"{request.method} {request.path}", status=response.status_code, ms=ms)
        response.headers["X-Request-Id"] = request_id
        return response

    return middleware


def send_request_id(headers: MutableMapping[str, Any], **kwargs: Any) -> None:
    """Celery's signal before a task is sent."""
    if request_id := structlog.contextvars.get_contextvars().get(REQUEST_ID):
        headers[REQUEST_ID] = request_id


def receive_request_id(task: Any, **kwargs: Any) -> None:
    """Celery's signal before a task is done: what it logs carries the id of its request."""
    structlog.contextvars.clear_contextvars()
    if request_id := getattr(task.request, REQUEST_ID, None):
        structlog.contextvars.bind_contextvars(**{REQUEST_ID: request_id})
