import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.engine import RULE_SETS, Outcome, format_deal, parse_deck, parse_log, replay
from tests.engine import cases

ROOT = Path(__file__).parent.parent
EASY, UNWINNABLE = (cases.decided_deals("three-pass")[number] for number in (0, 2))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "decks"


def solve(file: Path, *arguments: str) -> list[dict[str, Any]]:
    output = StringIO()
    call_command("solve", str(file), *arguments, stdout=output)
    return [json.loads(line) for line in output.getvalue().splitlines()]


def run(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", "solve", *arguments]
    return subprocess.run(command, cwd=ROOT, input=text, capture_output=True, text=True)


def test_each_deck_has_its_answer(file: Path) -> None:
    rules = RULE_SETS["three-pass"]
    deal = parse_deck(EASY["deck"], rules)
    file.write_text(f"# decks\n{EASY['deck']}\n\n{format_deal(deal)} # again\n")
    first, second = solve(file, "--rules", "three-pass")
    assert (first.pop("line"), second.pop("line")) == (2, 4)
    assert first.pop("ms") >= 0
    assert second.pop("ms") >= 0
    assert first == second
    assert list(first) == ["winnable", "moves", "steps", "nodes"]
    line = parse_log(first["moves"], rules)
    assert first["winnable"] is True
    assert first["steps"] == len(line)
    assert replay(deal, rules, line).outcome is Outcome.CLEARED


def test_a_deck_without_a_line_says_so(file: Path) -> None:
    file.write_text(UNWINNABLE["deck"])
    (answer,) = solve(file, "--rules", "three-pass", "--rate")
    del answer["ms"], answer["nodes"]
    assert answer == {
        "line": 1,
        "winnable": False,
        "moves": None,
        "steps": None,
        "wins": None,
        "difficulty": None,
    }


def test_the_shortest_line_and_the_rating_where_asked_for(file: Path) -> None:
    file.write_text(EASY["deck"])
    (answer,) = solve(file, "--rules", "three-pass", "--shortest", "--rate")
    assert answer["steps"] == len(answer["moves"].split(" ")) == int(EASY["steps"])
    assert answer["wins"] == 479
    assert answer["difficulty"] == "medium"


def test_a_spent_budget_leaves_it_open(file: Path) -> None:
    file.write_text(EASY["deck"])
    (answer,) = solve(file, "--rules", "three-pass", "--budget", "3")
    assert (answer["winnable"], answer["moves"], answer["nodes"]) == (None, None, 3)


def test_a_bad_deck_is_named_by_its_line_after_the_answers_before() -> None:
    done = run(f"{EASY['deck']}\nKdKd\n{EASY['deck']}\n", "--rules", "three-pass")
    assert done.returncode == 2
    assert [json.loads(line)["line"] for line in done.stdout.splitlines()] == [1]
    assert "line 2: 'KdKd' is not 1 full deck(s)" in done.stderr


def test_no_bar_where_there_is_no_terminal() -> None:
    done = run(EASY["deck"], "--rules", "three-pass")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_bar_on_a_terminal(file: Path) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    file.write_text(f"{EASY['deck']}\n{EASY['deck']}\n")
    terminal = Terminal()
    call_command("solve", str(file), "--rules=three-pass", stdout=StringIO(), stderr=terminal)
    bars = terminal.getvalue().split("\r\x1b[K")
    assert bars == ["", f"[{'.' * 40}] 0/2", "", f"[{'#' * 20}{'.' * 20}] 1/2", ""]


def test_a_missing_file_is_refused(file: Path) -> None:
    with pytest.raises(CommandError) as refused:
        solve(file)
    assert refused.value.returncode == 2
