"""`manage.py solve`: the solver's answers about deals, one JSON line for each."""

import argparse
import json
import sys
from collections.abc import Iterator
from time import process_time
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import solver
from games.engine import (
    RULE_SETS,
    Deal,
    Move,
    NotationError,
    Rules,
    Verdict,
    format_log,
    parse_deal,
    parse_deck,
)

WINNABLE = {Verdict.WINNABLE: True, Verdict.UNWINNABLE: False, Verdict.UNDECIDED: None}


class Command(BaseCommand):
    help = (
        "Solves deals: on each line a deck run together (apex first, then the stock in draw order) "
        "or a deal line; `#` begins a comment. Answers with a JSON line each."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=argparse.FileType(), default=sys.stdin)
        parser.add_argument("--rules", choices=RULE_SETS, default="one-pass")
        parser.add_argument("--shortest", action="store_true", help="the least number of steps")
        parser.add_argument("--rate", action="store_true", help="wins of 20,000 random playouts")
        parser.add_argument("--budget", type=_count, metavar="NODES", help="then it is undecided")

    def handle(self, *args: Any, **options: Any) -> None:
        rules = RULE_SETS[options["rules"]]
        lines = options["file"].readlines()
        bar = _Bar(self.stderr, len(lines))
        for number, text in enumerate(lines, start=1):
            bar.show(number - 1)
            text = text.partition("#")[0].strip()
            if not text:
                continue
            try:
                deal = _deal(text, rules)
            except NotationError as error:
                bar.clear()
                raise CommandError(f"line {number}: {error}", returncode=2) from error
            answer = {"line": number, **_answer(deal, rules, options)}
            bar.clear()
            self.stdout.write(json.dumps(answer))
            self.stdout.flush()
        bar.clear()
