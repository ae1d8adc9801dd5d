"""The project's WSGI application with the naive view beside it."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_site.settings")

settings.ROOT_URLCONF = "benchmarks.naive"
application = get_wsgi_application()
