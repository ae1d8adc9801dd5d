"""gunicorn's worker, in the API's own words, and its log, in the format of all others."""

import json
import logging.config
import socket
from contextlib import suppress
from typing import Any

from gunicorn.glogging import Logger
from gunicorn.http.errors import ParseException
from gunicorn.workers.gthread import ThreadWorker

from pyramid_site import settings


class Log(Logger):  # type: ignore[misc] # gunicorn has no types
    """Requests are logged by the application, which knows more of them."""

    access_log_enabled = False

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        logging.config.dictConfig(settings.LOGGING)
        self.error_log.handlers.clear()
        self.error_log.propagate = True


class Worker(ThreadWorker):  # type: ignore[misc] # gunicorn has no types
    """Refuses what is no HTTP, or more than it reads of it, without a page of HTML."""

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: BaseException) -> None:
        if not isinstance(exc, ParseException):
            super().handle_error(req, client, addr, exc)
            return
        from pyramid_site.api import problems  # not before the application is loaded

        detail = "The request line or the headers are too long, or no HTTP."
        body = json.dumps(problems.problem("invalid_request", detail))
        head = (
            "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n"
            f"Content-Type: {problems.MEDIA_TYPE}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        with suppress(OSError):
            client.sendall((head + body).encode())
