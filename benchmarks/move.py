"""Requests per second of the move endpoint, beside a naive view with the same SQL, in one run.

    .venv/bin/python -m benchmarks.move [--rounds 6] [--players 60] [--threads 8]

gunicorn and PostgreSQL are started for it. Rounds of the two views alternate, so that what else
the machine does meets both; the load comes from the same machine and costs both the same.
"""

import argparse
import os
import secrets
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple

from tests import services

MOVES = 40  # of a game; the last ones are left out, so that none is finished


class LoadRun(NamedTuple):
    """One view under load for the moves of some games."""

    seconds: float
    latencies: list[float]  # s

    @property
    def rate(self) -> float:
        return len(self.latencies) / self.seconds


class Seat(NamedTuple):
    """A player's attempt, ready to be played."""

    token: str
    attempt_id: str


def main() -> None:
    options = arguments()
    with ExitStack() as stack:
        services.start(stack.callback)
        os.environ.update(DATABASE_POOL="10", DJANGO_SETTINGS_MODULE="pyramid_site.settings")
        import django

        django.setup()
        port = stack.enter_context(server())
        rounds: dict[str, list[LoadRun]] = {"naive": [], "move": []}
        line = prepare()
        for number in range(2 * options.rounds + 2):
            name = ("naive", "move")[number % 2]
            done = load(name, seats(options.players), line, port, options.threads)
            if number >= 2:  # the first of each warms caches and connections
                rounds[name].append(done)
    report(rounds)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--players", type=int, default=60, help="games in a round")
    parser.add_argument("--threads", type=int, default=8, help="of the load")
    return parser.parse_args()


@contextmanager
def server() -> Iterator[int]:
    """gunicorn on a free port, as `run` starts it on PostgreSQL, with the naive view beside."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    command = [sys.executable, "-m", "gunicorn", "benchmarks.wsgi", "--bind", "127.0.0.1:0"]
    command += ["--workers", "2", "--threads", "4"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if "Listening at" in line:
                port = int(line.split("127.0.0.1:")[1].split()[0])
                break
        else:
            raise SystemExit("gunicorn did not start")
        Thread(target=process.stderr.read, daemon=True).start()
        yield port
    finally:
        process.terminate()
        process.wait()


def prepare() -> list[str]:
    """A deal of today, and the first moves of a game of it."""
    from games import making
    from games.models import Challenge, DailyDeal
    from pyramid_site import clock

    challenge = Challenge.objects.get(pk="three-pass")
    making.make(day=clock.today(), challenge=challenge)
    return DailyDeal.objects.get(challenge=challenge).winning_line.split()[:-1][:MOVES]


def seats(count: int) -> list[Seat]:
    """So many new players, each with an attempt just started."""
    from games import attempts
    from games.models import DailyDeal
    from players import accounts

    deal = DailyDeal.objects.get(challenge="three-pass")
    found = []
    for _ in range(count):
        signed_in = accounts.sign_up(name=f"bench {secrets.token_hex(8)}")
        attempt, _ = attempts.start(deal=deal, player_id=signed_in.player.pk)
        found.append(Seat(signed_in.token, str(attempt.pk)))
    return found


def load(name: str, seats: list[Seat], line: list[str], port: int, threads: int) -> LoadRun:
    """Plays the line in every seat, `threads` at a time."""
    queue: SimpleQueue[Seat] = SimpleQueue()
    for seat in seats:
        queue.put(seat)
    latencies: list[float] = []
    path = "/naive/{}/moves" if name == "naive" else "/api/v1/attempts/{}/moves"
    workers = [
        Thread(target=play, args=(queue, path, line, port, latencies)) for _ in range(threads)
    ]
    start = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return LoadRun(time.perf_counter() - start, latencies)


def play(
    queue: "SimpleQueue[Seat]", path: str, line: list[str], port: int, latencies: list[float]
) -> None:
    connection = HTTPConnection("127.0.0.1", port)
    try:
        while True:
            seat = queue.get_nowait()
            address = path.format(seat.attempt_id)
            headers = {
                "Authorization": f"Bearer {seat.token}",
                "Content-Type": "application/json",
            }
            for ply, move in enumerate(line):
                body = f'{{"move": "{move}", "ply": {ply}}}'
                begin = time.perf_counter()
                connection.request("POST", address, body, headers)
                response = connection.getresponse()
                response.read()
                latencies.append(time.perf_counter() - begin)
                if response.status != 200:
                    raise SystemExit(f"{address}: {response.status}")
    except Empty:
        connection.close()


def report(rounds: dict[str, list[LoadRun]]) -> None:
    print(f"{'view':8}{'req/s':>8}{'p50 ms':>9}{'p99 ms':>9}")
    rates = {}
    for name, done in rounds.items():
        latencies = sorted(1000 * latency for it in done for latency in it.latencies)
        rates[name] = statistics.median(it.rate for it in done)
        p50, p99 = latencies[len(latencies) // 2], latencies[len(latencies) * 99 // 100]
        print(f"{name:8}{rates[name]:8.0f}{p50:9.1f}{p99:9.1f}")
    pairs = zip(rounds["move"], rounds["naive"], strict=True)
    ratio = statistics.median(move.rate / naive.rate for move, naive in pairs)
    print(f"ratio move/naive, median of the rounds: {ratio:.2f}")


if __name__ == "__main__":
    main()
