"""The WSGI application that gunicorn serves."""

import os

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_site.settings")

django_application = get_wsgi_application()

from pyramid_site import checks, heads, metrics  # noqa: E402 the settings can be read from here on

if refusal := checks.refusal():
    raise ImproperlyConfigured(f"Nothing starts with these settings:\n{refusal}")

application = metrics.beside(heads.bounded(django_application))
