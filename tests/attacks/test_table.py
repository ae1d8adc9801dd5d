"""`docs/security.md` and the tests that it names hold each other to account."""

import ast
import re
from collections import defaultdict
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
ROWS = [
    *(f"A{number}" for number in range(1, 8)),
    *(f"B{number}" for number in range(1, 8)),
    *(f"C{number}" for number in range(1, 5)),
    "D",
    "E",
    "G",
]
NAMED = re.compile(rf"test_({'|'.join(ROWS)})_", re.IGNORECASE)


@cache
def table() -> dict[str, list[str]]:
    """The tests that each row names, as they are written: `file::test`, perhaps with a `*`."""
    named: dict[str, list[str]] = defaultdict(list)
    page = (ROOT / "docs/security.md").read_text()
    for row, tests in re.findall(r"^\| ([A-Z]\d?) \|[^|]*\|(.*)\|$", page, re.MULTILINE):
        named[row] += re.findall(r"`([^`]+)`", tests)
    return named


@cache
def living() -> set[str]:
    """Every test that there is, as `file::test`."""
    return {
        f"{path.relative_to(ROOT)}::{node.name}"
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_the_table_has_every_row_and_no_other() -> None:
    assert sorted(table()) == ROWS


@pytest.mark.parametrize("row", ROWS)
def test_what_a_row_names_are_living_tests_of_its_name(row: str) -> None:
    tests = living()
    held = {it for it in tests for named in table()[row] if fnmatchcase(it, named)}
    for named in table()[row]:
        assert any(fnmatchcase(it, named) for it in tests), f"{named} is no test"
    assert any(it.partition("::")[2].startswith(f"test_{row.lower()}_") for it in held)


@pytest.mark.parametrize("row", ROWS)
def test_each_test_that_is_named_for_a_row_stands_in_it(row: str) -> None:
    named_for_it = {
        it
        for it in living()
        if (match := NAMED.match(it.partition("::")[2])) and match[1].upper() == row
    }
    missing = {it for it in named_for_it if not any(fnmatchcase(it, n) for n in table()[row])}
    assert missing == set()
