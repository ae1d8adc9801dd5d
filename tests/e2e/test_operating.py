"""What docs/operating.md tells the operator to do: backup and restore, and an upgrade in play."""

import asyncio
import json
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pyramid_site.supervisor import came_up, end_with_parent
from tests import services
from tests.e2e.players import Player, Tally, see_the_deal_made
from tests.e2e.stack import ROOT, Stack
from tests.threads import in_a_loop

CHALLENGE = "three-pass"
TABLES = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
RIGHTS = """
SELECT relname, '', grantee::regrole, privilege_type FROM pg_class, aclexplode(relacl)
WHERE relnamespace = 'public'::regnamespace
UNION
SELECT attrelid::regclass::text, attname, grantee::regrole, privilege_type
FROM pg_attribute, aclexplode(attacl) ORDER BY 1, 2, 3, 4
"""
AT_WORK = ("pyramid_site_heartbeat", "pyramid_site_counter", "games_dealmaking")


def rows(stack: Stack) -> dict[str, list[list[str]]]:
    """Every row of every table, but for what the server notes of itself."""
    tables = [name for (name,) in stack.select(TABLES) if name not in AT_WORK]
    return {name: stack.select(f'SELECT t::text FROM "{name}" t ORDER BY 1') for name in tables}


def run(coroutine: Any) -> Any:
    return in_a_loop(coroutine, within=90)


def test_a_backup_brings_everything_back(stack: Stack) -> None:
    """The database is dumped, destroyed, and restored; a game that was open goes on."""
    player = Player(stack.address, Tally())

    async def begin() -> Any:
        await player.sign_up()
        attempt = await player.start(CHALLENGE)
        line = stack.winning_line(CHALLENGE)
        attempt = await player.play(attempt, line[:-2])
        await player.leave()
        return attempt, line[-2:]

    async def go_on(attempt: Any, line: list[str]) -> Any:
        attempt = await player.play(attempt, line)
        await player.leave()
        return attempt

    attempt, rest = run(begin())
    for name in ("web", "worker", "beat"):
        stack.stop(name)
    before = rows(stack)
    rights = stack.select(RIGHTS)
    dump = stack.folder / "pyramid.dump"
    stack.psql("--format=custom", f"--file={dump}", program="pg_dump")
    stack.psql("--command=DROP DATABASE pyramid WITH (FORCE)", database="postgres")
    stack.make_database()
    stack.psql("--exit-on-error", str(dump), program="pg_restore")

    assert rows(stack) == before
    assert stack.select(RIGHTS) == rights
    assert len(rights) > 100
    audit = stack.manage("audit_logs")
    assert audit.returncode == 0, audit.stdout + audit.stderr
    assert "W001" not in stack.manage("check", "--database", "default").stderr
    stack.start("web", "worker", "beat")
    assert run(go_on(attempt, rest))["status"] == "cleared"


def status(address: str) -> tuple[int, Any]:
    try:
        with urllib.request.urlopen(f"{address}/readyz", timeout=10) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def of_next_release(stack: Stack, service: str) -> dict[str, str]:
    settings = {"DJANGO_SETTINGS_MODULE": "tests.e2e.next_release.settings"}
    return {**stack.environment(service), **settings}


@contextmanager
def new_web(stack: Stack) -> Iterator[str]:
    """Web processes of the next release, beside those of this one; their address."""
    port = services.free_port()
    own = {"PORT": str(port), "METRICS_PORT": "0", "DATA_DIR": str(stack.folder / "new")}
    process = subprocess.Popen(
        stack.command("web"), cwd=ROOT, env={**of_next_release(stack, "web"), **own},
        stderr=subprocess.DEVNULL, preexec_fn=end_with_parent,
    )  # fmt: skip
    address = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        try:
            return bool(status(address)[0])
        except OSError:
            return False

    try:
        assert came_up(process, answers)
        yield address
    finally:
        process.terminate()
        process.wait()


def test_an_upgrade_in_the_middle_of_a_game(stack: Stack) -> None:
    """The old web processes play on while the database is migrated, and beside the new ones."""

    async def play(new: str) -> tuple[Any, Tally]:
        await see_the_deal_made(stack.address, CHALLENGE)
        tally = Tally()
        player, line = Player(stack.address, tally), stack.winning_line(CHALLENGE)
        beside = Player(new, tally)
        await player.sign_up()
        attempt = await player.start(CHALLENGE)
        beside.token = player.token
        third = len(line) // 3
        migration = await asyncio.create_subprocess_exec(
            *stack.command("migrate"), cwd=ROOT, env=of_next_release(stack, "migrate"),
            stdout=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        for move in line[:third]:
            attempt = await player.move(attempt, move)
        assert await migration.wait() == 0
        for number, move in enumerate(line[third:]):
            attempt = await (player, beside)[number % 2].move(attempt, move)
            other = await (beside, player)[number % 2].start(CHALLENGE)
            assert other["ply"] == attempt["ply"]
        await asyncio.gather(player.leave(), beside.leave())
        return attempt, tally

    with new_web(stack) as new:
        assert status(new) == (503, {"status": "not ready", "reason": "migrations"})
        attempt, tally = run(play(new))
        assert attempt["status"] == "cleared"
        assert set(tally.statuses) == {200, 201}
        assert [status(address)[0] for address in (stack.address, new)] == [200, 200]
    audit = stack.manage("audit_logs")
    assert audit.returncode == 0, audit.stdout + audit.stderr
