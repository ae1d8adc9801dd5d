"""Rows that were written once stay as they are."""

import pytest
from django.core.checks import Tags, run_checks
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from games.models import DailyDeal, LoggedMove, Seal
from leaderboards.models import Result, Standing, Verdict
from pyramid_site import append_only
from pyramid_site.models import Outage
from tests import builders
from tests.conftest import SimulatedClock

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(
        "connection.vendor != 'postgresql'",
        reason="SQLite makes no such promise: it drops triggers when Django remakes a table",
    ),
]

CHANGES = [
    "UPDATE {table} SET {key} = {key}",
    "UPDATE {table} SET {key} = {key} WHERE false",
    "DELETE FROM {table}",
    "TRUNCATE {table} CASCADE",
]


@pytest.fixture
def deal(db: None, clock: SimulatedClock) -> DailyDeal:
    deal = builders.publish_short()
    execute("SET CONSTRAINTS ALL IMMEDIATE")  # as after a commit: TRUNCATE waits for no check
    return deal


def execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_the_tables_are_those_of_what_is_written_once() -> None:
    written_once = (DailyDeal, LoggedMove, Seal, Result, Standing, Verdict, Outage)
    assert sorted(append_only.TABLES) == sorted(it._meta.db_table for it in written_once)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("table", append_only.TABLES)
def test_f1_no_statement_changes_or_removes_a_row(table: str, change: str, deal: DailyDeal) -> None:
    keys = {
        "games_seal": "deal_id",
        "leaderboards_result": "attempt_id",
        "leaderboards_standing": "result_id",
    }
    statement = change.format(table=table, key=keys.get(table, "id"))
    refused = pytest.raises(IntegrityError, match="are never changed or removed")
    with builders.nothing_changes(), refused, transaction.atomic():
        execute(statement)


def test_a_table_that_such_a_table_points_to_is_not_emptied_either(deal: DailyDeal) -> None:
    with builders.nothing_changes(), pytest.raises(IntegrityError), transaction.atomic():
        execute("TRUNCATE players_player, games_challenge CASCADE")


def test_the_orm_is_refused_as_well(deal: DailyDeal) -> None:
    deal.k = 1
    with builders.nothing_changes():
        with pytest.raises(IntegrityError), transaction.atomic():
            deal.save()
        with pytest.raises(IntegrityError), transaction.atomic():
            deal.delete()


def test_the_check_is_content_with_every_trigger() -> None:
    assert append_only.check_triggers(databases=["default"]) == []


@pytest.mark.parametrize(
    "loss", ["DROP TRIGGER append_only ON {0}", "ALTER TABLE {0} DISABLE TRIGGER append_only"]
)
@pytest.mark.parametrize("table", append_only.TABLES)
def test_the_check_names_a_table_without_its_trigger(table: str, loss: str) -> None:
    execute(loss.format(table))
    [warning] = append_only.check_triggers(databases=["default"])
    assert warning.id == "pyramid_site.W001"
    assert f"The table {table} is not append-only" in warning.msg


def test_the_check_asks_no_database_that_it_was_not_given() -> None:
    execute("DROP TRIGGER append_only ON games_seal")
    assert append_only.check_triggers(databases=None) == []


def test_the_check_is_part_of_manage_py_check() -> None:
    execute("DROP TRIGGER append_only ON games_seal")
    found = run_checks(tags=[Tags.database], databases=["default"])
    assert [it.id for it in found] == ["pyramid_site.W001"]


@pytest.mark.parametrize("table", append_only.TABLES)
def test_going_back_takes_the_trigger_away_again(table: str) -> None:
    protection = append_only.protect(table)
    with connection.schema_editor(atomic=False) as editor:
        assert protection.reverse_code is not None
        protection.reverse_code(None, editor)  # type: ignore[arg-type] # it needs no state
    assert len(append_only.check_triggers(databases=["default"])) == 1


def test_a_command_that_empties_the_database_is_refused(deal: DailyDeal) -> None:
    refused = pytest.raises(CommandError, match="couldn't be flushed")
    with builders.nothing_changes(), refused, transaction.atomic():
        call_command("flush", interactive=False, verbosity=0)
