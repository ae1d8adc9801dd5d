"""Every list of the admin and every page of the API with a year of play, beside a small database.

    .venv/bin/python -m benchmarks.year [--days 365] [--players 1000] [--times 9]

A PostgreSQL is started for it. The year of 1,000 players a day has 365,000 attempts with 22 million
log rows, and takes some minutes to load; the small database has fifteen days, which fill one page
of each list. Both are asked in turn, so that what else the machine does meets both.
"""

import argparse
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

from tests import services

FACTOR = 2.0  # how much slower a page may be
FLOOR_MS = 2.0  # less than this is noise


class TimedPage(NamedTuple):
    """An address, and the least time that it took in ms in both databases."""

    address: str
    small: float
    year: float

    @property
    def ratio(self) -> float:
        return self.year / self.small

    @property
    def passes(self) -> bool:
        return self.ratio <= FACTOR or self.year - self.small < FLOOR_MS


def main() -> None:
    options = arguments()
    with ExitStack() as stack:
        services.start(stack.callback)
        os.environ.update(DJANGO_SETTINGS_MODULE="pyramid_site.settings", LOG_LEVEL="ERROR")
        import django

        django.setup()
        from django.conf import settings

        settings.THROTTLE_ADDRESS = settings.THROTTLE_NETWORK = settings.THROTTLE_PLAYER = ""
        settings.ALLOWED_HOSTS = ["testserver"]
        make_databases()
        from benchmarks.loading import load

        for name, days, players in (
            ("small", 15, 60 * 4),
            ("year", options.days, options.players),
        ):
            with at(name):
                begin = time.perf_counter()
                rows = load(days=days, attempts_a_day=players)
                seconds = time.perf_counter() - begin
            print(f"{name}: {rows.attempts:,} attempts, {rows.moves:,} moves in {seconds:,.0f} s")
        report(measured(options.times))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--players", type=int, default=1_000, help="attempts a day")
    parser.add_argument("--times", type=int, default=9, help="that each page is asked for")
    return parser.parse_args()


def make_databases() -> None:
    """Two that are migrated and empty; the pages' own files are collected."""
    from django.core.management import call_command
    from django.db import connection

    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("migrate", verbosity=0)
    migrated = connection.settings_dict["NAME"]
    connection.close()
    with connection._nodb_cursor() as cursor:
        for name in ("small", "year"):
            cursor.execute(f"CREATE DATABASE {name} TEMPLATE {migrated}")


@contextmanager
def at(name: str) -> Iterator[None]:
    """Everything inside asks this database, which is not the one that was asked before."""
    from django.core.cache import caches
    from django.db import connection

    from games import queries

    connection.close()
    queries.cached_deal.cache_clear()
    caches["process"].clear()
    before, connection.settings_dict["NAME"] = connection.settings_dict["NAME"], name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = before


def measured(times: int) -> list[TimedPage]:
    with at("small"):
        small = asking()
    with at("year"):
        year = asking()
    found = []
    for (address, ask), (_, ask_year) in zip(small, year, strict=True):
        taken: dict[str, list[float]] = {"small": [], "year": []}
        for _ in range(2):
            for name, question in (("small", ask), ("year", ask_year)):
                with at(name):
                    taken[name] += timed(question, times)
        found.append(TimedPage(address, min(taken["small"]), min(taken["year"])))
        print(".", end="", flush=True)
    print()
    return found


def timed(ask: Callable[[], Any], times: int) -> list[float]:
    """ms, after two that warm the connection and the pages of the database."""
    taken = []
    for number in range(times + 2):
        begin = time.perf_counter()
        response = ask()
        passed = 1000 * (time.perf_counter() - begin)
        if response.status_code != 200:
            raise SystemExit(f"{response.request['PATH_INFO']}: {response.status_code}")
        if number >= 2:
            taken.append(passed)
    return taken


def asking() -> list[tuple[str, Callable[[], Any]]]:
    """Each page by a name that both databases share, and how to ask this one for it."""
    from django.test import Client

    from benchmarks.loading import sample

    found = sample()
    staff, player, anyone = Client(), Client(), Client()
    staff.force_login(found.staff)
    token = {"Authorization": f"Bearer {found.token}"}
    pages: list[tuple[str, Callable[[], Any]]] = []

    def add(client: Client, address: str, **headers: Any) -> None:
        shown = address
        for name, value in found.names.items():
            address = address.replace(f"<{name}>", value)
        pages.append((shown, lambda: client.get(address, headers=headers)))

    for address in admin_pages():
        add(staff, f"/admin/{address}")
    for address in API:
        add(anyone, f"/api/v1/{address}")
    for address in OWN:
        add(player, f"/api/v1/{address}", **token)
    return pages


def admin_pages() -> list[str]:
    """The lists of all models of ours, and the pages that read more than one row."""
    from django.contrib import admin

    ours = ("games", "leaderboards", "players", "pyramid_site")
    lists = [
        f"{model._meta.app_label}/{model._meta.model_name}/"
        for model in admin.site._registry
        if model._meta.app_label in ours
    ]
    return [
        *sorted(lists),
        "games/attempt/?p=2",
        "games/attempt/?status__exact=expired",
        "games/attempt/?status__exact=active",
        "games/attempt/?ranked__exact=0",
        "games/attempt/?clock_stepped__exact=1",
        "games/attempt/?deal__exact=<deal>",
        "games/attempt/?player__exact=<player>",
        "games/attempt/?q=<name>",
        "games/attempt/?q=<attempt>",
        "games/loggedmove/?p=20",
        "games/loggedmove/?attempt__exact=<attempt>",
        "games/dailydeal/?challenge__id__exact=double",
        "games/dailydeal/calendar/",
        "games/dailydeal/<deal>/change/",
        "games/dailydeal/<deal>/line/?step=20",
        "games/dailydeal/<deal>/review/",
        "games/attempt/<attempt>/change/",
        "games/attempt/<attempt>/replay/?step=20",
        "leaderboards/result/?q=<name>",
        "leaderboards/result/?deal__exact=<deal>",
        "players/player/?q=<name>",
        "players/player/<player>/change/",
        "players/token/?q=<name>",
    ]


API = (
    "challenges",
    "deals/today",
    "deals",
    "deals?challenge=double",
    "deals?cursor=<deals>",
    "deals/<day>/one-pass",
    "deals/<day>/one-pass/leaderboard",
    "deals/<day>/one-pass/leaderboard?board=clean",
    "deals/<day>/one-pass/leaderboard?around=<name>",
    "deals/<day>/one-pass/stats",
    "leaderboards/one-pass/week",
    "leaderboards/one-pass/month",
    "leaderboards/one-pass/all-time",
    "leaderboards/one-pass/all-time?around=<name>",
    "players/<name>",
    "attempts/<attempt>",
    "attempts/<attempt>/moves",
    "attempts/<attempt>/moves?positions=1",
)
OWN = ("me", "me/attempts", "me/attempts?cursor=<attempts>", "me/groups")


def report(pages: list[TimedPage]) -> None:
    width = max(len(page.address) for page in pages)
    print(f"{'page':{width}}{'small ms':>10}{'year ms':>10}{'ratio':>8}")
    for page in pages:
        mark = "" if page.passes else "  slow"
        print(f"{page.address:{width}}{page.small:10.1f}{page.year:10.1f}{page.ratio:8.2f}{mark}")
    slow = [page for page in pages if not page.passes]
    print(f"{len(pages)} pages, {len(slow)} of them more than {FACTOR:.0f} times as slow")
    if slow:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
