"""How often one may ask: counted by account, or by address where there is none, and by network."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, partial
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from pyramid_site import counting
from pyramid_site.circuit import Circuit

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which imports this module by its name

PERIODS = {"s": 1, "min": 60, "hour": 3600, "day": 86_400}


class Rate(NamedTuple):
    """A rate limit: requests per window, and the window in seconds."""

    limit: int
    seconds: int


@cache
def parse_rate(text: str) -> Rate | None:
    """The rate that a setting names, as "600/min"; None where it is empty.

    >>> parse_rate("600/min")
    Rate(limit=600, seconds=60)
    """
    if not text:
        return None
    match = re.fullmatch(r"([1-9][0-9]{0,8})/(s|min|hour|day)", text)
    if match is None:
        raise ValueError(f"{text!r} is no rate such as 600/min")
    return Rate(int(match[1]), PERIODS[match[2]])


class Limit(NamedTuple):
    """A rate limit and the key under which requests are counted."""

    setting: str
    who: str


class Throttle(BaseThrottle):
    """Count each API request before it is processed."""

    def __init__(self) -> None:
        self.seconds_left = 0

    def allow_request(self, request: Request, view: "APIView") -> bool:
        self.seconds_left = too_soon(counted(request, view))
        return not self.seconds_left

    def wait(self) -> int:
        return self.seconds_left


def check_guess(kind: str, whose: str) -> None:
    """Count one guess against an account, wherever it comes from. Raises Throttled.

    `kind` says how the account is named, since a player's name may read like an id or an address.
    """
    if seconds := too_soon([by_guess(kind, whose)]):
        raise Throttled(seconds)


def check_mail(environ: Mapping[str, Any]) -> None:
    """Count one mail that a network asks for. Raises Throttled."""
    if seconds := too_soon([by_scope("MAIL", environ)]):
        raise Throttled(seconds)


def too_soon(limits: Iterable[Limit]) -> int:
    """Counts one more under each of these; s to wait where it is one too many, else 0.

    Fixed windows: they cost one counter, and twice the rate over the edge of two does no harm.
    Counted by the web process's clock: it decides nothing of a game.
    """
    now = time()
    ends: dict[str, int] = {}
    most: dict[str, int] = {}
    for setting, who in limits:
        if rate := parse_rate(getattr(settings, setting)):
            window = int(now) // rate.seconds
            key = f"{setting}:{who}:{rate.seconds}:{window}"
            ends[key], most[key] = (window + 1) * rate.seconds, rate.limit
    # While the counters fail nobody waits for them, and nobody is refused.
    totals = (counters.call(partial(counting.count, ends)) if ends else None) or {}
    over = [ends[key] for key, total in totals.items() if total > most[key]]
    return max(1, math.ceil(max(over) - now)) if over else 0


def counted(request: Request, view: "APIView") -> Iterator[Limit]:
    """Yield the limits of an API request."""
    if request.auth:
        yield Limit("THROTTLE_PLAYER", str(request.user.pk))
        yield by_network(request.META)
    else:
        yield from by_address(request.META)
    if scope := getattr(view, "throttle_scope", ""):
        yield by_scope(scope, request.META)


def by_address(environ: Mapping[str, Any]) -> Iterator[Limit]:
    """Yield the limits of an anonymous request."""
    yield Limit("THROTTLE_ADDRESS", client_address(environ))
    yield by_network(environ)


def by_network(environ: Mapping[str, Any]) -> Limit:
    """Return the limit of all accounts of a network together, since each could create more."""
    return Limit("THROTTLE_NETWORK", network_of(client_address(environ)))


def by_scope(scope: str, environ: Mapping[str, Any]) -> Limit:
    """Return the limit of a costly or sensitive request, such as SIGNUP."""
    return Limit(f"THROTTLE_{scope}", network_of(client_address(environ)))


def by_guess(kind: str, whose: str) -> Limit:
    """Return the limit of guesses against one account."""
    digest = sha256(whose.encode(errors="surrogatepass")).hexdigest()
    return Limit("THROTTLE_GUESS", f"{kind}:{digest}")


def client_address(environ: Mapping[str, Any]) -> str:
    """Return the client address that the outermost trusted proxy saw.

    Each proxy adds on the right of X-Forwarded-For whom it heard, and what stands further left
    than the trusted ones wrote is anybody's word.
    """
    if proxies := settings.TRUSTED_PROXIES:
        forwarded = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")[-proxies:]
        with suppress(ValueError):
            return line_of(forwarded[0].strip())
    with suppress(ValueError):
        return line_of(environ.get("REMOTE_ADDR", ""))
    return ""  # a proxy on a socket of this machine, that is not said to be trusted


def line_of(address: str) -> str:
    """Return an IPv4 address, or the /64 of an IPv6 address. Raises ValueError."""
    parsed = ip_address(address)
    if isinstance(parsed, IPv6Address):
        parsed = parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64)
    return str(parsed)


def network_of(line: str) -> str:
    """Return the /56 of an IPv6 line, which one customer may have; an IPv4 address as it is."""
    if ":" not in line:
        return line
    return str(IPv6Address(int(IPv6Address(line)) >> 72 << 72))


counters = Circuit("Requests go uncounted")
