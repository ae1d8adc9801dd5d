"""What the solver costs and whether it is right: `python -m benchmarks.solver`. Some minutes.

One process on one core. Times are of the processor, so that a busy machine changes them little.
"""

import csv
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from time import process_time

from games import solver
from games.engine import OFFERED, RULE_SETS, Deal, Outcome, Rules, parse_deck, replay, shuffle
from games.solver import Answer, Difficulty

DATA = Path(__file__).parent.parent / "tests" / "data"
Row = dict[str, str]

WEEKS = {it.id: [Difficulty(tier) for tier in it.week] for it in OFFERED}
"""The target of each weekday, Monday first."""

ASK_EVERYTHING = """
from time import process_time
start = process_time()
import numba
imported = process_time()
from benchmarks.solver import first_winnable
from games import solver
for rule_set in ("three-pass", "double"):
    deal, rules = first_winnable(rule_set)
    solver.rate(deal, rules, playouts=1)
    solver.shortest(deal, rules, budget=100)
print(imported - start, process_time() - imported)
"""


def decided(rule_set: str) -> list[Row]:
    (path,) = DATA.glob(f"{rule_set}-*.csv")
    lines = (line for line in path.read_text().splitlines() if not line.startswith("#"))
    return list(csv.DictReader(lines))


def deal_of(row: Row, rule_set: str) -> Deal:
    rules = RULE_SETS[rule_set]
    if "deck" in row:
        return parse_deck(row["deck"], rules)
    return Deal.from_deck(shuffle(sha256(row["label"].encode()).digest(), rules.decks), rules)


def first_winnable(rule_set: str) -> tuple[Deal, Rules]:
    rules = RULE_SETS[rule_set]
    deals = (deal_of(row, rule_set) for row in decided(rule_set) if row["winnable"] == "1")
    return next(deals), rules


def show(what: str, found: str, target: str = "") -> None:
    print(f"| {what} | {found} | {target} |", flush=True)


def compiling() -> None:
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        command = [sys.executable, "-c", ASK_EVERYTHING]
        (_, cold), (imported, cached) = (
            map(float, subprocess.check_output(command, env=environment, text=True).split())
            for _ in range(2)
        )
    show("every kernel compiled, for one deck and for two, s", f"{cold:.1f}", "30 once")
    show("every kernel from the cache, s", f"{cached:.2f}", "1")
    show("before either, Numba itself imported, s", f"{imported:.2f}")


def winnable(rule_set: str, rows: Iterable[Row], target: str = "") -> None:
    """Solve deals with known answers. The line of each one won is replayed by the engine."""
    rules = RULE_SETS[rule_set]
    count = nodes = wrong = undecided = most = 0
    spent = 0.0
    for row in rows:
        deal = deal_of(row, rule_set)
        start = process_time()
        solution = solver.solve(deal, rules)
        spent += process_time() - start
        count, nodes, most = count + 1, nodes + solution.nodes, max(most, solution.nodes)
        undecided += solution.answer is Answer.UNDECIDED
        if solution.line is not None:
            cleared = replay(deal, rules, solution.line).outcome is Outcome.CLEARED
            wrong += row["winnable"] == "0" or not cleared
        wrong += solution.answer is Answer.UNWINNABLE and row["winnable"] == "1"
    show(
        f"`{rule_set}`, {count} deals: ms, nodes, most nodes, wrong, undecided",
        f"{1000 * spent / count:.2f}, {nodes / count:,.0f}, {most:,}, {wrong}, {undecided}",
        target,
    )


def shortest() -> None:
    rules, rows = RULE_SETS["three-pass"], decided("three-pass")
    labels = wrong = 0
    spent = 0.0
    for row in rows:
        deal = deal_of(row, "three-pass")
        start = process_time()
        found = solver.shortest(deal, rules)
        spent += process_time() - start
        labels += found.nodes
        if found.line is not None:
            wrong += replay(deal, rules, found.line).outcome is not Outcome.CLEARED
        wrong += (found.par or 0) != int(row["steps"])
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    show(
        f"least steps of {len(rows)} `three-pass` decks: ms, labels, wrong",
        f"{1000 * spent / len(rows):.1f}, {labels / len(rows):,.0f}, {wrong}",
        "400 ms",
    )
    show("most memory of all that, MB", f"{memory:.0f}", "1,000")


def derive(day: date, rule_set: str, target: Difficulty) -> solver.Candidate:
    return solver.derive(
        seed=sha256(f"{day} {rule_set}".encode()).digest(),
        challenge_id=rule_set,
        rules=RULE_SETS[rule_set],
        target=target,
    )


def deals() -> None:
    monday = date(2026, 11, 30)
    for target in (Difficulty.MEDIUM, Difficulty.HARD):
        times = []
        for ahead in range(10):
            start = process_time()
            derive(monday + timedelta(days=ahead), "one-pass", target)
            times.append(process_time() - start)
        show(
            f"a certified, rated `one-pass` deal of tier {target}: mean and most of 10, s",
            f"{sum(times) / len(times):.1f}, {max(times):.1f}",
            "60",
        )
    total, off_target = 0.0, 0
    for ahead in range(7):
        day = monday + timedelta(days=ahead)
        for rule_set, week in WEEKS.items():
            start = process_time()
            off_target += derive(day, rule_set, week[ahead]).difficulty is not week[ahead]
            total += process_time() - start
        if ahead == 0:
            show("the first day of four challenges, s", f"{total:.1f}")
    show("seven days of four challenges: s, off target", f"{total:.1f}, {off_target}", "240 s")


def main() -> None:
    print("| | measured | target |\n|---|---|---|")
    compiling()
    for rule_set in ("one-pass", "three-pass", "double"):
        solver.solve(deal_of(decided(rule_set)[0], rule_set), RULE_SETS[rule_set], budget=10)
    winnable("one-pass", decided("one-pass")[:300], "8 ms")
    winnable("three-pass", decided("three-pass")[:200], "40 ms")
    for rule_set in RULE_SETS:
        winnable(rule_set, decided(rule_set))
    shortest()
    deals()


if __name__ == "__main__":
    main()
