"""Each migration leaves a database on which the release before it plays on.

What is new is added, with defaults of the database's own; what is old goes a release later.
"""

import pytest
from django.conf import settings
from django.db import connection, models
from django_migration_linter import MigrationLinter
from django_migration_linter.sql_analyser.analyser import analyse_sql_statements

from games.models import Attempt

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="its own SQL is judged"),
]

OF_OTHERS = ["admin", "auth", "axes", "contenttypes", "sessions"]
CONVENTIONS = ["RUNPYTHON_ARGS_NAMING_CONVENTION", "RUNPYTHON_MODEL_VARIABLE_NAME"]


@pytest.fixture
def linter() -> MigrationLinter:
    return MigrationLinter(
        str(settings.ROOT),
        no_cache=True,
        exclude_apps=OF_OTHERS,
        exclude_migration_tests=CONVENTIONS,
        all_warnings_as_errors=True,
    )


def test_the_release_before_plays_on(
    linter: MigrationLinter, capsys: pytest.CaptureFixture[str]
) -> None:
    linter.lint_all_migrations()
    assert linter.nb_total > 10
    assert not linter.has_errors, capsys.readouterr().out


def needed() -> "models.IntegerField[int, int]":
    field = models.IntegerField()
    field.set_attributes_from_name("needed")
    field.model = Attempt
    return field


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda editor: editor.remove_field(Attempt, Attempt._meta.get_field("seen")),
         "DROP_COLUMN"),
        (lambda editor: editor.alter_db_table(Attempt, "games_attempt", "games_try"),
         "RENAME_TABLE"),
        (lambda editor: editor.add_field(Attempt, needed()), "NOT_NULL"),
    ],
)  # fmt: skip
def test_what_the_release_before_could_not_bear_is_found(
    linter: MigrationLinter, change: object, found: str
) -> None:
    with connection.schema_editor(collect_sql=True) as editor:
        assert callable(change)
        change(editor)
    errors, _, warnings = analyse_sql_statements(
        linter.sql_analyser_class, editor.collected_sql, []
    )
    assert found in [it.code for it in [*errors, *warnings]]
