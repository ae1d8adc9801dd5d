"""A day's load on the whole stack of docker-compose.yml, proxy aside, and an audit afterwards.

    .venv/bin/python -m benchmarks.load day --players 300
    .venv/bin/python -m benchmarks.load limit
    .venv/bin/python -m benchmarks.load soak --rate 100 --minutes 10
    .venv/bin/python -m benchmarks.load herd --players 2000
    .venv/bin/python -m benchmarks.load kills --rate 60

`day` has a fifth of the players start in its first second, the others during --minutes; each draws,
undoes, finishes or gives up, and looks at the boards. `limit` has --players play without a pause:
what the machine can do. `soak` holds --rate requests a second. Web processes, workers, PostgreSQL,
Valkey and the players share one machine, and the audit is of every move that they made.
"""

import argparse
import asyncio
import os
import resource
import sys
from collections.abc import Callable, Coroutine, Iterator
from time import perf_counter
from typing import Any

import psutil  # type: ignore[import-untyped]

from tests.e2e.players import Player, Tally

CHALLENGE = "three-pass"
FINISH = 0.6  # of the players; the others wander and give up
SERVICES = ("web", "worker", "beat", "postgres", "valkey")


class Pace:
    """So many requests a second at the most, whoever asks."""

    def __init__(self, rate: float | None) -> None:
        self.gap = 1 / rate if rate else 0
        self.next = 0.0

    async def turn(self) -> None:
        if self.gap:
            now = perf_counter()
            self.next = max(self.next + self.gap, now)
            await asyncio.sleep(self.next - now)


class Guest(Player):
    """A player who keeps to the pace."""

    def __init__(self, load: "Load", number: int) -> None:
        super().__init__(load.stack.address, load.tally, seed=number)
        self.load = load

    async def ask(self, kind: str, method: str, path: str, body: Any = None) -> Any:
        await self.load.pace.turn()
        return await super().ask(kind, method, path, body)

    async def day(self, pause: float = 0) -> None:
        """From the sign-up to a last look at the board."""
        if not self.token:
            await self.sign_up()
        attempt = await self.start(CHALLENGE)
        await self.look(CHALLENGE)
        if self.random.random() < FINISH:
            await self.play(attempt, self.load.line, pause)
        else:
            await self.wander(attempt, self.random.randrange(20, 100), pause)
        await self.look(CHALLENGE)
        await self.leave()


class Load:
    """A stack that is played on."""

    def __init__(self, stack: Any, rate: float | None) -> None:
        self.stack = stack
        self.tally = Tally()
        self.pace = Pace(rate)
        self.line: list[str] = []
        self.spent = cpu(stack)

    async def prepare(self) -> None:
        """Today's deal is made, and every process has served something."""
        guests = [Guest(self, number) for number in range(32)]
        await asyncio.gather(*(guest.sign_up() for guest in guests))
        await guests[0].start(CHALLENGE)
        self.line = self.stack.winning_line(CHALLENGE)
        for guest in guests:
            await guest.look(CHALLENGE)
            await guest.leave()
        self.forget()

    def forget(self) -> None:
        """What was seen so far is not part of the measurement; what was acknowledged stays so."""
        self.tally.latencies.clear()
        self.tally.statuses.clear()
        self.tally.lost = 0
        self.spent = cpu(self.stack)

    async def play_on(self, players: int, over: Callable[[], bool]) -> None:
        """So many at once, one game after the other."""

        async def seat(number: int) -> None:
            while not over():
                await Guest(self, number).day()
                number += players

        await asyncio.gather(*map(seat, range(players)))


async def limit(load: Load, options: argparse.Namespace) -> None:
    await load.prepare()
    end = perf_counter() + 60 * options.minutes
    start = perf_counter()
    await load.play_on(options.players, lambda: perf_counter() > end)
    report(load, perf_counter() - start)


async def day(load: Load, options: argparse.Namespace) -> None:
    await load.prepare()

    async def come(number: int) -> None:
        late = number % 5 and number / options.players * 60 * options.minutes
        await asyncio.sleep(late or number / options.players)
        await Guest(load, number).day(pause=options.pause)

    start = perf_counter()
    await asyncio.gather(*map(come, range(options.players)))
    report(load, perf_counter() - start)


async def soak(load: Load, options: argparse.Namespace) -> None:
    """Memory is looked at each half minute."""
    await load.prepare()
    end = perf_counter() + 60 * options.minutes
    print(f"{'s':>6}{'requests':>10}" + "".join(f"{name:>10}" for name in SERVICES) + "   MB")

    async def watch() -> None:
        start = perf_counter()
        while perf_counter() < end:
            row = "".join(f"{size:10.0f}" for size in memory(load.stack))
            print(f"{perf_counter() - start:6.0f}{load.tally.answered:10}{row}", flush=True)
            await asyncio.sleep(30)

    start = perf_counter()
    await asyncio.gather(load.play_on(options.players, lambda: perf_counter() > end), watch())
    report(load, perf_counter() - start)
    print("ready:", await asyncio.to_thread(load.stack.ready))


async def herd(load: Load, options: argparse.Namespace) -> None:
    """All start within a second, of a deal that nobody has made yet."""
    guests = [Guest(load, number) for number in range(options.players)]
    for first in range(0, len(guests), 64):
        await asyncio.gather(*(guest.sign_up() for guest in guests[first : first + 64]))
        for guest in guests[first : first + 64]:
            await guest.leave()
    await asyncio.to_thread(load.stack.unmake_deals)
    for made in (False, True):
        if made:
            await asyncio.to_thread(load.stack.unmake_attempts)
        load.forget()
        served: list[float] = []

        async def start(number: int, guest: Guest) -> str:
            await asyncio.sleep(number / options.players)
            attempt = await guest.start(CHALLENGE)
            served.append(perf_counter() - begin)  # noqa: B023 awaited within the loop
            await guest.leave()
            return str(attempt["id"])

        begin = perf_counter()
        ids = await asyncio.gather(*(start(*it) for it in enumerate(guests)))
        served.sort()
        half, last = served[len(served) // 2], served[-1]
        print("the deal was", "there:" if made else "made by nobody before:", end=" ")
        print(f"{len(set(ids))} attempts of {len(guests)} players", end="; ")
        print(f"half served after {half:.1f} s, the last after {last:.1f} s")
        report(load, last)
    rows = load.stack.select("SELECT challenge_id, count(*) FROM games_dailydeal GROUP BY 1")
    print("deals made:", dict(rows))


async def kills(load: Load, options: argparse.Namespace) -> None:
    """Each process in turn is killed under load, and started again."""
    await load.prepare()
    over = False

    async def happen() -> None:
        nonlocal over
        for name in SERVICES:
            await asyncio.sleep(5)
            load.stack.kill(name)
            told = await asyncio.to_thread(load.stack.ready)
            begin = perf_counter()
            await asyncio.to_thread(load.stack.start, name)
            seconds = perf_counter() - begin
            print(f"{name}: killed; /readyz: {told}; healthy again after {seconds:.1f} s")
        await asyncio.sleep(5)
        print("at the end:", await asyncio.to_thread(load.stack.ready))
        over = True

    start = perf_counter()
    await asyncio.gather(load.play_on(options.players, lambda: over), happen())
    report(load, perf_counter() - start)


def family(stack: Any, name: str) -> list[Any]:
    process = psutil.Process(stack.processes[name].pid)
    return [process, *process.children(recursive=True)]


def memory(stack: Any) -> Iterator[float]:
    """MB of each service, shared pages counted once, as the kernel shares them out."""
    for name in SERVICES:
        yield sum(it.memory_full_info().pss for it in family(stack, name)) / 1e6


def cpu(stack: Any) -> dict[str, float]:
    """s of a processor that each service, and these players, have taken so far."""
    families = {name: family(stack, name) for name in ("web", "postgres", "valkey")}
    families["players"] = [psutil.Process()]
    return {
        name: sum(it.cpu_times().user + it.cpu_times().system for it in members)
        for name, members in families.items()
    }


def report(load: Load, seconds: float) -> None:
    tally = load.tally
    print(f"{'endpoint':10}{'count':>8}{'per s':>8}{'p50 ms':>9}{'p99 ms':>9}{'max ms':>9}")
    together = [it for latencies in tally.latencies.values() for it in latencies]
    for kind, latencies in {**tally.latencies, "all": together}.items():
        ms = sorted(1000 * latency for latency in latencies)
        p50, p99 = ms[len(ms) // 2], ms[len(ms) * 99 // 100]
        print(f"{kind:10}{len(ms):8}{len(ms) / seconds:8.1f}{p50:9.1f}{p99:9.1f}{ms[-1]:9.1f}")
    each = {name: now - load.spent[name] for name, now in cpu(load.stack).items()}
    told = (f"{name} {1000 * spent / len(together):.2f}" for name, spent in each.items())
    print("ms of a processor for a request:", ", ".join(told))
    print(f"{seconds:.0f} s; statuses {dict(tally.statuses)}; replies lost {tally.lost}")


def audit(load: Load) -> None:
    """Every acknowledged move is in its log, and everything is as the logs say."""
    for table in ("games_loggedmove", "games_attempt", "leaderboards_result", "players_player"):
        size = f"pg_total_relation_size('{table}') / greatest(1, count(*))"
        [[rows, each]] = load.stack.select(f"SELECT count(*), {size} FROM {table}")
        print(f"{table}: {rows} rows of {each} bytes, indexes included")
    logged = dict(load.stack.select("SELECT id, ply FROM games_attempt"))
    lost = [key for key, ply in load.tally.moves.items() if int(logged.get(key, -1)) < ply]
    done = load.stack.manage("audit_logs")
    print(f"acknowledged moves that are lost: {len(lost)}; audit: {done.stdout.strip()}")
    if lost or done.returncode:
        sys.exit(done.stderr)


MODES: dict[str, Callable[[Load, argparse.Namespace], Coroutine[Any, Any, None]]] = {
    "day": day, "limit": limit, "soak": soak, "herd": herd, "kills": kills,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("mode", choices=MODES)
    parser.add_argument("--players", type=int, default=16, help="in all; at once where they go on")
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--rate", type=float, help="requests a second at the most")
    parser.add_argument("--pause", type=float, default=1, help="s between the moves of a day")
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]  # a herd takes many connections
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_site.settings")
    from tests.e2e.stack import UNLIMITED, Stack

    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    stack = Stack(DEALS_AHEAD_DAYS="0", LOG_LEVEL="WARNING", **UNLIMITED)
    try:
        stack.up()
        load = Load(stack, options.rate)
        asyncio.run(MODES[options.mode](load, options))
        audit(load)
    finally:
        stack.down()


if __name__ == "__main__":
    main()
