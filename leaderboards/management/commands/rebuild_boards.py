"""`manage.py rebuild_boards`: all that is made from the results, made anew."""

import json
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from leaderboards import live, periods
from leaderboards.models import Period, Tally
from pyramid_site.progress import Progress


class Command(BaseCommand):
    help = (
        "Makes the sorted sets of the boards that are played anew, and the boards of weeks, months"
        " and all time. Play goes on meanwhile; ranks are counted in the database until a set is"
        " whole. To be run after a database was restored from a backup."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="a JSON line for each board")

    def handle(self, *args: Any, **options: Any) -> None:
        self.json: bool = options["json"]
        for tally in live.played():
            for clean in (False, True):
                self._rebuild(tally, clean=clean)
        for period in Period.objects.order_by("challenge", "name"):
            start = perf_counter()
            periods.recompute(period_id=period.pk)
            period.refresh_from_db()
            self._tell(str(period), period.players, start)

    def _rebuild(self, tally: Tally, *, clean: bool) -> None:
        start = perf_counter()
        bar = Progress(self.stderr, tally.version)
        live.forget(tally, clean=clean)
        if live.catch_up(tally, clean=clean, progress=bar.show) is None:
            raise CommandError("No Redis answers. Ranks are counted in the database.")
        bar.clear()
        board, size = ("clean", tally.clean_results) if clean else ("overall", tally.overall)
        self._tell(f"{tally.deal}, {board}", size, start)

    def _tell(self, board: str, size: int, start: float) -> None:
        ms = round(1000 * (perf_counter() - start))
        if self.json:
            line = json.dumps({"board": board, "size": size, "ms": ms})
        else:
            line = f"{board}: {size} in {ms} ms"
        self.stdout.write(line)
        self.stdout.flush()
