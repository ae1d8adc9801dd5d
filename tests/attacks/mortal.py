"""The server's application, whose process dies when a request says so: done, and unanswered."""

import os
import signal
from collections.abc import Callable, Iterable
from typing import Any

from pyramid_site.wsgi import application as living


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    response: Iterable[bytes] = living(environ, start_response)
    if "HTTP_X_THEN_DIE" in environ:
        os.kill(os.getpid(), signal.SIGKILL)
    return response
