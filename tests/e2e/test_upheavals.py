"""Under load: the herd of midnight, a restart, each process killed. No move is lost."""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic, time
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest

from tests.e2e.players import Player, Tally, see_the_deal_made
from tests.e2e.stack import Stack
from tests.threads import in_a_loop

CHALLENGE = "three-pass"
OF_TODAY = f"challenge_id = '{CHALLENGE}' ORDER BY date DESC LIMIT 1"
HERD = 100
PLAYERS = 8
Event = Callable[[], Awaitable[object]]


def check_nothing_is_lost(stack: Stack, tally: Tally) -> None:
    """Each acknowledged move is in its log, each clear on the board, and all is as logged."""
    logged = dict(stack.select("SELECT id, ply FROM games_attempt"))
    missing = {key: ply for key, ply in tally.moves.items() if int(logged[key]) < ply}
    assert missing == {}
    results = {key for (key,) in stack.select("SELECT attempt_id FROM leaderboards_result")}
    assert tally.cleared <= results
    done = stack.manage("audit_logs")
    assert done.returncode == 0, done.stdout + done.stderr


async def under_load(stack: Stack, *happening: Event) -> Tally:
    """Some players play on and on until all that is to happen has happened, and then to the end."""
    await see_the_deal_made(stack.address, CHALLENGE)
    tally = Tally()
    over = asyncio.Event()

    async def play(number: int) -> None:
        while True:
            player = Player(stack.address, tally, seed=number)
            await player.sign_up()
            attempt = await player.start(CHALLENGE)
            if number % 2:
                await player.wander(attempt, most=60)
            else:
                line = await asyncio.to_thread(stack.winning_line, CHALLENGE)
                await player.play(attempt, line)
            await player.look(CHALLENGE)
            await player.leave()
            if over.is_set():
                return

    async def happen() -> None:
        try:
            for event in happening:
                seen = tally.answered
                while tally.answered < seen + 50:  # noqa: ASYNC110 until it is under load again
                    await asyncio.sleep(0.05)
                await event()
        finally:
            over.set()

    await asyncio.wait_for(asyncio.gather(happen(), *map(play, range(PLAYERS))), timeout=120)
    return tally


def test_the_herd_of_midnight_is_served(stack: Stack) -> None:
    """All start at once, each twice: there is one attempt for each, and one deal made."""

    async def twice(player: Player) -> set[str]:
        other = Player(stack.address, player.tally)
        other.token = player.token
        started = await asyncio.gather(player.start(CHALLENGE), other.start(CHALLENGE))
        await asyncio.gather(player.leave(), other.leave())
        return {attempt["id"] for attempt in started}

    async def herd() -> tuple[float, Tally]:
        tally = Tally()
        players = [Player(stack.address, tally) for _ in range(HERD)]
        for player in players:
            await player.sign_up()
        stack.unmake_deals()
        begin = time()
        ids = await asyncio.gather(*map(twice, players))
        assert len(set.union(*ids)) == HERD
        return begin, tally

    begin, tally = in_a_loop(herd(), within=90)
    there = f"SELECT extract(epoch FROM made_at) FROM games_dailydeal WHERE {OF_TODAY}"
    assert time() - max(begin, float(stack.select(there)[0][0])) < 30
    assert set(tally.statuses) <= {200, 201, 503}
    assert stack.select("SELECT count(*), sum(seen) > 0 FROM games_attempt") == [[str(HERD), "t"]]
    made = "SELECT challenge_id, count(*) FROM games_dailydeal GROUP BY 1"
    assert ["1"] * len(stack.select(made)) == [count for _, count in stack.select(made)]
    assert 503 in tally.statuses


def test_a_graceful_stop_loses_no_move_and_answers_no_5xx(stack: Stack) -> None:
    async def restart() -> None:
        assert await asyncio.to_thread(stack.stop, "web") == 0
        await asyncio.to_thread(stack.start, "web")

    tally = in_a_loop(under_load(stack, restart), within=120)
    assert set(tally.statuses) <= {200, 201, 304}
    check_nothing_is_lost(stack, tally)


def test_c2_each_process_is_killed_and_nothing_acknowledged_is_lost(stack: Stack) -> None:
    """And what /readyz says meanwhile is true."""

    async def replace(name: str, meanwhile: Callable[[], None] = lambda: None) -> None:
        stack.kill(name)
        await asyncio.to_thread(meanwhile)
        await asyncio.to_thread(stack.start, name)

    def without_database() -> None:
        assert stack.ready() == (503, {"status": "not ready", "reason": "database"})

    def without_valkey() -> None:
        status, body = stack.ready()
        assert (status, body["status"]) == (200, "ready")
        assert "redis" in body["degraded"]
        assert body["queue_length"] is None

    def with_all() -> None:
        """Soon: a question to the database that went out while it was away has to end first."""
        last = monotonic() + 60
        while stack.ready()[0] != 200 and monotonic() < last:
            pass  # each answer takes its time
        status, body = stack.ready()
        assert (status, body["status"]) == (200, "ready")
        assert "redis" not in body["degraded"]

    async def check(what: Callable[[], None]) -> None:
        await asyncio.to_thread(what)

    tally = in_a_loop(
        under_load(
            stack,
            lambda: replace("web"),
            lambda: replace("postgres", without_database),
            lambda: check(with_all),
            lambda: replace("valkey", without_valkey),
            lambda: check(with_all),
            lambda: replace("worker"),
            lambda: replace("beat"),
        ),
        within=300,
    )
    assert set(tally.statuses) <= {200, 201, 304, 503}
    assert tally.lost > 0
    check_nothing_is_lost(stack, tally)


def test_a_web_process_among_others_is_killed(stack: Stack) -> None:
    """gunicorn puts another in its place by itself."""

    async def kill_one() -> None:
        [child, *_] = psutil.Process(stack.processes["web"].pid).children()
        child.kill()

    tally = in_a_loop(under_load(stack, kill_one), within=120)
    assert set(tally.statuses) <= {200, 201, 304}
    check_nothing_is_lost(stack, tally)


@pytest.fixture(autouse=True)
def still_running(stack: Stack) -> Any:
    """What a test has stopped runs again for the next one."""
    yield
    for name in ("postgres", "valkey", "web", "worker", "beat"):
        if stack.processes[name].poll() is not None:
            stack.start(name)
