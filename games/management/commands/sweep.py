"""`manage.py sweep`: what the worker does each minute, where there is none."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games import making, tasks


class Command(BaseCommand):
    help = "Seals deals, expires attempts and makes missing deals: the work of a Celery worker."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--every", type=float, metavar="SECONDS", help="again and again")

    def handle(self, *args: Any, **options: Any) -> None:
        while True:
            tasks.sweep()
            making.make_missing(days=making.days_ahead())
            if options["every"] is None:
                return
            time.sleep(options["every"])
