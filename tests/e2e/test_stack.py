"""The stack of docker-compose.yml: it is played on, worked for, watched, and held to its rights."""

import json
import re
import urllib.request
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import psycopg
import pytest

from pyramid_site import append_only
from tests.e2e.players import Player, Tally
from tests.e2e.stack import Stack
from tests.threads import in_a_loop

CHALLENGE = "three-pass"


def read(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=10) as response:
        return response.read().decode()


def a_whole_game(stack: Stack) -> tuple[Any, Tally]:
    return in_a_loop(_a_whole_game(stack), within=60)


async def _a_whole_game(stack: Stack) -> tuple[Any, Tally]:
    tally = Tally()
    player = Player(stack.address, tally)
    await player.sign_up()
    attempt = await player.start(CHALLENGE)
    attempt = await player.play(attempt, stack.winning_line(CHALLENGE))
    await player.look(CHALLENGE)
    await player.leave()
    return attempt, tally


def test_a_game_is_played_over_http_to_its_end(stack: Stack) -> None:
    """Nobody has made today's deal: asking for it makes the worker do so, and all is as logged."""
    attempt, tally = a_whole_game(stack)
    assert attempt["status"] == "cleared"
    assert attempt["result"]["rank"] >= 1
    assert set(tally.statuses) <= {200, 201, 503}
    done = stack.manage("audit_logs")
    assert done.returncode == 0, done.stdout + done.stderr


def test_worker_and_scheduler_really_work(stack: Stack) -> None:
    """The scheduler's first minute has to pass."""
    deadline = monotonic() + 90
    while (ready := json.loads(read(f"{stack.address}/readyz")))["degraded"]:
        assert monotonic() < deadline, f"{ready}\n{stack.log('worker')}\n{stack.log('beat')}"
        sleep(0.5)
    assert ready["status"] == "ready"
    assert ready["queue_length"] <= 1


@pytest.mark.parametrize("table", append_only.TABLES)
def test_f1_the_application_s_role_changes_no_row_that_was_written_once(
    stack: Stack, table: str
) -> None:
    with psycopg.connect(stack.conninfo("pyramid_app")) as connection:
        columns = "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0"
        names = [name for (name,) in connection.execute(columns, [table])]
    refused = pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.IntegrityError))
    for statement in (
        *(f"UPDATE {table} SET {name} = {name}" for name in names),
        f"DELETE FROM {table}",
        f"TRUNCATE {table} CASCADE",
        f"ALTER TABLE {table} DISABLE TRIGGER ALL",
        f"DROP TRIGGER append_only ON {table}",
        f"DROP TABLE {table} CASCADE",
    ):
        with psycopg.connect(stack.conninfo("pyramid_app")) as connection, refused:
            connection.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "SET session_replication_role = replica",
        "CREATE TABLE own (id int)",
        "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE sql AS 'SELECT 1'",
        "ALTER ROLE pyramid_app SUPERUSER",
        "SET ROLE pyramid_owner",
        "ALTER TABLE games_attempt DROP COLUMN line",
    ],
)
def test_f1_the_application_s_role_gets_round_no_trigger(stack: Stack, statement: str) -> None:
    refused = pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.ProgrammingError))
    with psycopg.connect(stack.conninfo("pyramid_app")) as connection, refused:
        connection.execute(statement)


def test_the_roles_can_be_given_again(stack: Stack) -> None:
    before = stack.psql(r"--command=\dp")
    stack.psql("--file=ops/roles.sql")
    assert stack.psql(r"--command=\dp") == before


def test_the_check_finds_every_trigger(stack: Stack) -> None:
    done = stack.manage("check", "--database", "default")
    assert "W001" not in done.stdout + done.stderr
    assert done.returncode == 0


def test_metrics_are_those_of_all_processes_and_on_no_public_address(stack: Stack) -> None:
    for _ in range(20):  # connections of their own: each process gets some
        read(f"{stack.address}/healthz")
    metrics = read(f"http://127.0.0.1:{stack.ports['metrics']}/metrics")
    served = 'pyramid_request_seconds_count{method="GET",route="healthz",status="200"} '
    assert float(metrics.split(served)[1].split()[0]) >= 20
    assert "pyramid_database_up 1.0" in metrics
    assert 'pyramid_task_age_seconds{task="beat"}' in metrics
    with pytest.raises(urllib.request.HTTPError, match="404"):
        read(f"{stack.address}/metrics")


def test_the_id_of_a_request_goes_with_the_task_that_it_sets_off(stack: Stack) -> None:
    """Of a request that asked for a deal which nobody had made."""
    a_whole_game(stack)
    made = [it for it in events(stack.log("worker")) if it["event"].endswith(": made")]
    assert made
    requests = {it["request_id"]: it for it in events(stack.log("web")) if "request_id" in it}
    for it in made:
        assert requests[it["request_id"]]["event"].startswith("POST /api/v1/deals/today/")
        assert requests[it["request_id"]]["status"] == 503


def events(log: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.splitlines() if line.startswith("{")]


def test_a5_no_log_and_no_environment_tells_a_secret(stack: Stack) -> None:
    a_whole_game(stack)
    secrets = [path.read_text() for path in (stack.folder / "secrets").iterdir()]
    decks = stack.psql("--tuples-only", "--command=SELECT cards, winning_line FROM games_dailydeal")
    secrets += [
        part.strip() for row in decks.splitlines() for part in row.split("|") if part.strip()
    ]
    assert len(secrets) >= 4 + 2
    for name in ("web", "worker", "beat", "migrate", "postgres", "valkey"):
        log = stack.log(name)
        assert [it for it in secrets if it in log] == []
        assert not re.search(r"Bearer [\w-]{20}", log)
        if name not in ("migrate", "postgres"):
            environment = Path(f"/proc/{stack.processes[name].pid}/environ").read_text()
            assert [it for it in secrets if it in environment] == []
    for event in events(stack.log("web")):
        assert {"event", "level", "logger", "timestamp"} <= set(event)


@pytest.mark.parametrize("role", ["pyramid_app", "pyramid_owner"])
def test_a5_the_log_of_the_database_quotes_no_statement_that_fails(stack: Stack, role: str) -> None:
    """But that of its superuser, whose settings are the operator's."""
    for user in (role, "postgres"):
        with psycopg.connect(stack.conninfo(user)) as connection:
            written = f"INSERT INTO pyramid_site_heartbeat (task) VALUES ('canary of {user}')"
            with pytest.raises(psycopg.errors.NotNullViolation, match=f"canary of {user}"):
                connection.execute(written)
    log = stack.log("postgres")
    assert "canary of postgres" in log
    assert f"canary of {role}" not in log
