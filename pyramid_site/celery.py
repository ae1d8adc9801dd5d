"""The Celery application. `celery -A pyramid_site worker` finds it by its name."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_site.settings")

app = Celery("pyramid_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
