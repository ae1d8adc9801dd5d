"""The Celery application. `celery -A pyramid_site worker` finds it by its name."""

import os
from typing import Any

from celery import Celery, signals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_site.settings")

app = Celery("pyramid_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.worker_init.connect
@signals.beat_init.connect
def refuse_unsafe_settings(**kwargs: Any) -> None:
    from pyramid_site import checks  # not before the applications are loaded

    if refusal := checks.refusal():
        raise SystemExit(f"Nothing starts with these settings:\n{refusal}")
