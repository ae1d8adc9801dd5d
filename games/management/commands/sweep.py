"""`manage.py sweep`: the worker's work, where there is none."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games import tasks


class Command(BaseCommand):
    help = "Seals the deals and expires the attempts whose play has ended."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--every",
            type=float,
            metavar="SECONDS",
            help="again and again, and make deals too: all that a Celery worker does",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        tasks.sweep()
        while options["every"] is not None:
            tasks.make_deals()
            time.sleep(options["every"])
            tasks.sweep()
