"""Players over HTTP who do what docs/api.md tells them: they wait when told to, and ask again."""

import asyncio
import json
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

Json = Any
KEPT = 1.0  # s for which an idle connection is used again; gunicorn closes it after 2
LOST = 0.2  # s before a request whose reply was lost is sent again


class UnexpectedError(Exception):
    """A reply that no player who keeps to the contract should get."""


@dataclass
class Tally:
    """What all players together have seen."""

    latencies: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))  # s
    statuses: Counter[int] = field(default_factory=Counter)
    lost: int = 0  # replies; the requests were sent again
    moves: dict[str, int] = field(default_factory=dict)  # acknowledged, by attempt
    cleared: set[str] = field(default_factory=set)

    def note(self, kind: str, status: int, seconds: float) -> None:
        self.statuses[status] += 1
        if status < 400:
            self.latencies[kind].append(seconds)

    @property
    def answered(self) -> int:
        return sum(map(len, self.latencies.values()))


class Connection:
    """One connection that is kept open, and opened anew when it is lost."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.host, self.port = str(parts.hostname), parts.port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.used = 0.0

    async def ask(
        self, method: str, path: str, body: Json, headers: dict[str, str]
    ) -> tuple[int, dict[str, str], Json]:
        """The status, the headers by lower-case name, and the JSON of one reply."""
        if self.streams is not None and perf_counter() - self.used > KEPT:
            self.close()  # the server may be closing it just now
        if self.streams is None:
            self.streams = await asyncio.open_connection(self.host, self.port)
        reader, writer = self.streams
        content = b"" if body is None else json.dumps(body).encode()
        sent = {"Host": "127.0.0.1", "Content-Length": str(len(content)), **headers}
        if content:
            sent["Content-Type"] = "application/json"
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items())]
        writer.write("\r\n".join([*lines, "", ""]).encode() + content)
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        status = int(head.split(" ", 2)[1])
        got = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        self.used = perf_counter()
        text = await reader.readexactly(int(got.get("content-length", "0")))
        if got.get("connection") == "close":
            self.close()
        return status, got, json.loads(text) if text else None

    def close(self) -> None:
        if self.streams is not None:
            self.streams[1].close()
            self.streams = None


class Player:
    """A guest, with a connection and a way to play of its own."""

    def __init__(self, address: str, tally: Tally, seed: int = 0) -> None:
        self.connection = Connection(address)
        self.tally = tally
        self.random = random.Random(seed)
        self.token = ""
        self.etags: dict[str, str] = {}

    async def ask(self, kind: str, method: str, path: str, body: Json = None) -> Json:
        """The reply, however often it has to be asked for; the time is that of the last try."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if method == "GET" and path in self.etags:
            headers["If-None-Match"] = self.etags[path]
        while True:
            start = perf_counter()
            try:
                status, got, answer = await self.connection.ask(
                    method, f"/api/v1{path}", body, headers
                )
            except (OSError, EOFError):  # asyncio's IncompleteReadError is an EOFError
                self.connection.close()
                self.tally.lost += 1
                await asyncio.sleep(LOST)
                continue
            self.tally.note(kind, status, perf_counter() - start)
            if status in (429, 503):
                await asyncio.sleep(float(got["retry-after"]))
            elif status >= 400:
                raise UnexpectedError(f"{method} {path}: {status} {answer}")
            else:
                if method == "GET" and "etag" in got:
                    self.etags[path] = got["etag"]
                return answer

    async def sign_up(self) -> None:
        self.token = (await self.ask("sign up", "POST", "/players", {}))["token"]

    async def start(self, challenge: str) -> Json:
        return await self.ask("start", "POST", f"/deals/today/{challenge}/attempts")

    async def move(self, attempt: Json, move: str) -> Json:
        """Plays it; what is acknowledged is noted, to be found in the log whatever happens."""
        path = f"/attempts/{attempt['id']}/moves"
        after = await self.ask("move", "POST", path, {"move": move, "ply": attempt["ply"]})
        self.tally.moves[after["id"]] = after["ply"]
        if after["status"] == "cleared":
            self.tally.cleared.add(after["id"])
        return after

    async def look(self, challenge: str) -> None:
        await self.ask("today", "GET", "/deals/today")
        await self.ask("board", "GET", f"/deals/today/{challenge}/leaderboard")

    async def play(self, attempt: Json, line: Sequence[str], pause: float = 0) -> Json:
        """A game along a line that clears it, with moves that are taken back in between."""
        for move in line:
            if self.random.random() < 0.1:
                attempt = await self.move(attempt, self.random.choice(attempt["legal_moves"]))
                if attempt["status"] != "active":
                    break  # it happened to clear the deal as well
                attempt = await self.move(attempt, "U")
            attempt = await self.move(attempt, move)
            await asyncio.sleep(pause * self.random.uniform(0.5, 1.5))
        return attempt

    async def wander(self, attempt: Json, most: int, pause: float = 0) -> Json:
        """A game of one who does not see far: any legal move, an undo now and then, an end."""
        while attempt["ply"] < most and attempt["status"] == "active":
            if attempt["can_undo"] and (attempt["stuck"] or self.random.random() < 0.1):
                attempt = await self.move(attempt, "U")
            elif attempt["legal_moves"]:
                attempt = await self.move(attempt, self.random.choice(attempt["legal_moves"]))
            await asyncio.sleep(pause * self.random.uniform(0.5, 1.5))
        if attempt["status"] == "active":
            path = f"/attempts/{attempt['id']}/resign"
            attempt = await self.ask("resign", "POST", path)
        return attempt

    async def leave(self) -> None:
        """Ends the connection, which would otherwise end somewhat later than the loop."""
        if self.connection.streams is not None:
            writer = self.connection.streams[1]
            self.connection.close()
            with suppress(OSError):
                await writer.wait_closed()


async def see_the_deal_made(address: str, challenge: str) -> None:
    """Asks for today's deal until it is there, as somebody who comes before the players."""
    player = Player(address, Tally())
    await player.sign_up()
    await player.start(challenge)
    await player.leave()
