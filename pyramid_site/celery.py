"""The Celery application. `celery -A pyramid_site worker` finds it by its name."""

import os
from typing import Any

from celery import Celery, signals

from pyramid_site import logs

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_site.settings")

app = Celery("pyramid_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
signals.before_task_publish.connect(logs.send_request_id)
signals.task_prerun.connect(logs.receive_request_id)


@signals.worker_init.connect
@signals.beat_init.connect
def refuse_unsafe_settings(**kwargs: Any) -> None:
    from pyramid_site import checks  # not before the applications are loaded

    if refusal := checks.refusal():
        raise SystemExit(f"Nothing starts with these settings:\n{refusal}")


@signals.setup_logging.connect
def leave_logging_to_the_settings(**kwargs: Any) -> None:
    """Celery sets up no logging of its own where somebody has taken this signal."""


@signals.beat_init.connect
def note_each_beat(**kwargs: Any) -> None:
    """The scheduler shows that it lives, when it starts and with each task that it sends.

    In the database, and by the age of an empty file: that of its container is looked at.
    """
    from django.conf import settings
    from django.db import connection

    from pyramid_site import health

    def note(**kwargs: Any) -> None:
        (settings.DATA_DIR / "beat").touch()
        try:
            health.beat("beat")
        finally:
            connection.close()  # a minute later it might not live any more

    note()
    signals.after_task_publish.connect(note, weak=False)
