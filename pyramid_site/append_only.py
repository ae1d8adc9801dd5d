"""Tables to which rows are added and never changed; PostgreSQL's triggers see to it.

SQLite has no such promise: Django remakes its tables in migrations, which drops triggers, and
`INSERT OR REPLACE` walks round them. An owner of a table can switch triggers off: the
application's role should not own them (ops/roles.sql), and is not left the right to change them.
"""

from collections.abc import Callable, Sequence
from typing import Any

from django.core import checks
from django.db import connections
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython

TABLES = (
    "games_dailydeal",
    "games_loggedmove",
    "games_seal",
    "games_voiding",
    "leaderboards_result",
    "leaderboards_standing",
    "leaderboards_verdict",
    "pyramid_site_auditentry",
    "pyramid_site_outage",
)

FUNCTION = """
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are never changed or removed', TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


# A role needs the right to update some column of a row to lock it; the trigger refuses the rest.
ONLY_ADD = """
DO $$
DECLARE
    other name;
BEGIN
    FOR other IN
        SELECT DISTINCT grantee::regrole::text
        FROM pg_class, aclexplode(relacl)
        WHERE pg_class.oid = '{table}'::regclass AND grantee NOT IN (0, relowner)
    LOOP
        EXECUTE 'REVOKE UPDATE, DELETE, TRUNCATE ON {table} FROM ' || other;
        IF '{lock_by}' <> '' THEN
            EXECUTE 'GRANT UPDATE ({lock_by}) ON {table} TO ' || other;
        END IF;
    END LOOP;
END $$
"""


def protect(table: str, *, lock_by: str = "") -> RunPython:
    """The migration that makes `table` append-only; `lock_by` names a column if rows get locked."""
    return RunPython(
        on_postgresql(
            FUNCTION,
            f"CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()",
            ONLY_ADD.format(table=table, lock_by=lock_by),
        ),
        on_postgresql(f"DROP TRIGGER append_only ON {table}"),
    )


def on_postgresql(*statements: str) -> Callable[[Any, BaseDatabaseSchemaEditor], None]:
    """Half of a RunPython migration: statements that only PostgreSQL understands."""

    def execute(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
        if editor.connection.vendor == "postgresql":
            for statement in statements:
                editor.execute(statement, params=None)  # its % is no placeholder

    return execute


def check_triggers(
    *, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[checks.CheckMessage]:
    """Which tables have lost their triggers; part of `manage.py check --database default`."""
    found: list[checks.CheckMessage] = []
    for alias in databases or ():
        if connections[alias].vendor != "postgresql":
            continue
        with connections[alias].cursor() as cursor:
            cursor.execute(
                "SELECT tgrelid::regclass::text FROM pg_trigger"
                " WHERE tgname = 'append_only' AND tgenabled <> 'D'"
            )
            protected = {table for (table,) in cursor.fetchall()}
        found += [
            checks.Warning(
                f"The table {table} is not append-only: its trigger is missing or switched off.",
                hint="Restore it as the migration made it (pyramid_site.append_only.protect).",
                id="pyramid_site.W001",
            )
            for table in TABLES
            if table not in protected
        ]
    return found
