"""What the server refuses to start with: system checks, run by whatever is started."""

import re
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.core import checks

from pyramid_site.api.throttles import parse_rate

THROTTLES = ("ADDRESS", "NETWORK", "SIGNUP", "PLAYER", "LOGIN", "GUESS", "PICTURE", "MAIL")


@checks.register(checks.Tags.security)
def check_settings(**kwargs: Any) -> list[checks.CheckMessage]:
    """Part of `manage.py check` and, by way of `refusal`, of every start."""
    return [*_unsafe(), *_unreadable(), *_doubtful()]


def refusal() -> str:
    """Why the server must not start with these settings, line by line; empty where it may.

    Web servers and Celery run no checks that count: `wsgi` and `celery` ask here instead.
    """
    found = checks.run_checks(tags=[checks.Tags.security])
    return "\n".join(str(message) for message in found if message.is_serious())


def _unsafe() -> Iterator[checks.CheckMessage]:
    secret, hosts = settings.SECRET_KEY, settings.ALLOWED_HOSTS
    if len(secret) < 50 or len(set(secret)) < 5 or secret.startswith("django-insecure-"):
        yield checks.Error(
            "SECRET_KEY can be guessed.",
            hint="Set 50 random characters or more (`openssl rand -base64 48`), or leave it out: "
            "then the first start makes one.",
            id="pyramid_site.E001",
        )
    if settings.DEBUG and (public := _public([*hosts, settings.HOST])):
        yield checks.Error(
            f"DEBUG is on, and others can reach the server: {public}.",
            hint="Set DEBUG=0, or keep HOST and ALLOWED_HOSTS to localhost.",
            id="pyramid_site.E002",
        )
    if not hosts or any("*" in host for host in hosts):
        yield checks.Error(
            "ALLOWED_HOSTS does not say under which names the server is reached.",
            hint="Name them, with commas between them: ALLOWED_HOSTS=play.example.org",
            id="pyramid_site.E003",
        )
    if settings.ON_SQLITE and settings.WEB_CONCURRENCY > 1:
        yield checks.Error(
            f"SQLite lets one write at a time, and WEB_CONCURRENCY is {settings.WEB_CONCURRENCY}.",
            hint="Set DATABASE_URL to a PostgreSQL, or WEB_CONCURRENCY=1.",
            id="pyramid_site.E004",
        )


def _unreadable() -> Iterator[checks.CheckMessage]:
    for limit in THROTTLES:
        name = f"THROTTLE_{limit}"
        try:
            parse_rate(getattr(settings, name))
        except ValueError as error:
            yield checks.Error(
                f"{name}: {error}.",
                hint="Write a number, / and s, min, hour or day; nothing switches the limit off.",
                id="pyramid_site.E005",
            )
    if not re.fullmatch("[0-9]{0,5}", settings.RANKED_ACCOUNT_AGE_DAYS):
        yield checks.Error(
            f"RANKED_ACCOUNT_AGE_DAYS: {settings.RANKED_ACCOUNT_AGE_DAYS!r} is no number of days.",
            hint="Write a whole number of days; nothing lets everybody be ranked.",
            id="pyramid_site.E007",
        )
    if settings.TRUSTED_PROXIES < 0:
        yield checks.Error(
            "TRUSTED_PROXIES is less than none.",
            hint="Set how many proxies of yours stand in front of the server.",
            id="pyramid_site.E006",
        )


def _doubtful() -> Iterator[checks.CheckMessage]:
    if not settings.TLS and (public := _public(settings.ALLOWED_HOSTS)):
        yield checks.Warning(
            f"Tokens and passwords are sent in the clear: TLS is off, and others come by {public}.",
            hint="Put a proxy that speaks HTTPS in front of the server, and set TLS=1.",
            id="pyramid_site.W002",
        )
    if settings.TLS and not settings.TRUSTED_PROXIES:
        yield checks.Warning(
            "All players share the limits of one address, the proxy's.",
            hint="Set TRUSTED_PROXIES to the number of proxies in front of the server.",
            id="pyramid_site.W003",
        )


def _public(hosts: list[str]) -> str:
    """Those of the names that lead to more than this machine."""
    return ", ".join(host for host in hosts if not _is_local(host))


def _is_local(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
