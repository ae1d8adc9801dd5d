"""`manage.py make_deals`: the missing deals of the coming days."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games import making
from games.models import DealMaking


class Command(BaseCommand):
    help = "Makes the deals of today and the coming days that nobody has made yet."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--today", action="store_true", help="only those of today")

    def handle(self, *args: Any, **options: Any) -> None:
        days = 1 if options["today"] else making.days_to_have()
        made = making.make_missing(days=days, progress=self._show)
        self.stdout.write(f"{made} deals made")

    def _show(self, progress: DealMaking) -> None:
        """A line for each deal; on a terminal the line of one being made is written over."""
        if self.stdout.isatty():
            end = "\n" if progress.outcome else ""
            self.stdout.write(f"\r\x1b[K{progress}", ending=end)
            self.stdout.flush()
        elif progress.outcome:
            self.stdout.write(str(progress))
