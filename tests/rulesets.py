"""The page on adding a rule set, followed as a developer would."""

import re
from pathlib import Path
from textwrap import dedent

import pytest
from django.db import connection, migrations
from django.db.migrations.loader import MigrationLoader

from games import engine, solver
from games.engine import rulesets

PAGE = Path(__file__).parent.parent / "docs" / "adding-a-rule-set.md"


def snippets() -> tuple[str, str]:
    """The row and the migration of the page."""
    row, migration = map(
        dedent, re.findall(r"^ *```python\n(.*?)^ *```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    )
    return row, migration


def add_the_row(monkeypatch: pytest.MonkeyPatch) -> engine.RuleSet:
    """Step 1: a row more in the table of the engine."""
    row: engine.RuleSet = eval(snippets()[0], vars(rulesets))
    monkeypatch.setattr(rulesets, "OFFERED", (*rulesets.OFFERED, row))
    assert {*row.week} <= set(solver.Difficulty)
    return row


def migrate() -> None:
    """Step 2: what `manage.py migrate` does then."""
    names: dict[str, type[migrations.Migration]] = {}
    exec(snippets()[1], names)
    (operation,) = names["Migration"].operations
    assert isinstance(operation, migrations.RunPython)
    run(operation)


def run(operation: migrations.RunPython) -> None:
    """Run it after all migrations."""
    apps = MigrationLoader(connection).project_state().apps
    operation.code(apps, connection.schema_editor())
