"""`manage.py solve`: the solver's answers about deals, a JSON line for each."""

import json
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import solver
from games.engine import (
    DECK,
    RULE_SETS,
    Deal,
    NotationError,
    Rules,
    format_log,
    parse_deal,
    parse_deck,
)
from games.solver import Answer
from pyramid_site.progress import Progress

WINNABLE = {Answer.WINNABLE: True, Answer.UNWINNABLE: False, Answer.UNDECIDED: None}


class Command(BaseCommand):
    help = (
        "Solves deals. Each line is a deck run together, apex first and then the stock in draw"
        " order, or a deal line; # begins a comment. The answer to each is a JSON line."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", default="-", help="standard input if none, or -")
        parser.add_argument("--rules", choices=RULE_SETS, default="one-pass")
        parser.add_argument("--shortest", action="store_true", help="a line of the fewest steps")
        parser.add_argument("--rate", action="store_true", help="wins of 20,000 random playouts")
        parser.add_argument("--budget", type=int, metavar="NODES", help="search no further")

    def handle(self, *args: Any, **options: Any) -> None:
        rules = RULE_SETS[options["rules"]]
        questions = {name: options[name] for name in ("shortest", "rate", "budget")}
        lines = _read(options["file"]).splitlines()
        # The kernels are loaded before the first answer is timed, and if need be compiled.
        _answer(Deal.from_deck(DECK * rules.decks, rules), rules, **questions)
        progress = Progress(self.stderr, len(lines))
        for number, line in enumerate(lines, start=1):
            text = line.partition("#")[0].strip()
            if text:
                deal = _deal(text, number, rules)
                progress.show(number - 1)
                answer = {"line": number, **_answer(deal, rules, **questions)}
                progress.clear()
                self.stdout.write(json.dumps(answer))
                self.stdout.flush()


def _read(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{name}: {error}", returncode=2) from error


def _deal(text: str, number: int, rules: Rules) -> Deal:
    try:
        return parse_deal(text, rules) if " " in text else parse_deck(text, rules)
    except NotationError as error:
        raise CommandError(f"line {number}: {error}", returncode=2) from error


def _answer(
    deal: Deal, rules: Rules, *, shortest: bool, rate: bool, budget: int | None
) -> dict[str, Any]:
    start = perf_counter()
    ask = solver.shortest if shortest else solver.solve
    found = ask(deal, rules) if budget is None else ask(deal, rules, budget=budget)
    answer = {
        "winnable": WINNABLE[found.answer],
        "moves": None if found.line is None else format_log(found.line),
        "steps": None if found.line is None else len(found.line),
        "nodes": found.nodes,
        "ms": round(1000 * (perf_counter() - start), 1),
    }
    if rate:
        wins = solver.rate(deal, rules) if found.answer is Answer.WINNABLE else None
        answer["wins"] = wins
        answer["difficulty"] = None if wins is None else solver.difficulty(wins)
    return answer
