"""`manage.py audit_logs`: whether everything stored is what the logs say."""

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import audit
from games.models import Attempt
from pyramid_site.progress import Progress


class Command(BaseCommand):
    help = (
        "Computes each attempt, result and final rank anew from the logs and prints what differs"
        " from what is stored. The exit code is 1 if anything does. Play may go on meanwhile."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="a JSON line for each difference")

    def handle(self, *args: Any, **options: Any) -> None:
        attempts = Attempt.objects.count()
        progress = Progress(self.stderr, attempts)
        found = 0
        for difference in audit.differences(progress.show):
            found += 1
            progress.clear()
            as_json = json.dumps(asdict(difference), default=str)
            self.stdout.write(as_json if options["json"] else str(difference))
        progress.clear()
        if found:
            raise CommandError(f"differences: {found}")
        if not options["json"]:
            self.stdout.write(f"{attempts} attempts and their boards are as their logs say")
