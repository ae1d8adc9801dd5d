"""The project's WSGI application with the naive view beside it."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_site.settings")

from django.conf import settings

settings.ROOT_URLCONF = "benchmarks.naive"

from pyramid_site.wsgi import application

__all__ = ["application"]
