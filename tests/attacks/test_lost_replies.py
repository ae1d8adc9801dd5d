"""Whatever is lost on the way, what was acknowledged is logged, and once (C2)."""

from functools import partial
from itertools import cycle
from random import Random
from threading import Barrier
from typing import Any

from games.models import LoggedMove
from tests import recomputation
from tests.attacks.proxy import POINTS, WHOLE, Break, proxy
from tests.attacks.servers import Answer, Caller, Web
from tests.threads import at_once

GAME = ["D", "D", "U", "b1b2", "U", "D", "U", "U", "D", "b1b2", "a1"]


def test_c2_a_game_is_played_through_a_line_that_breaks_at_every_point(
    server: Web, player: Caller
) -> None:
    """Each request is sent once for each point at which its line can break, and then once more."""
    breaks = cycle([*POINTS, WHOLE])
    with proxy(server.port, lambda: next(breaks)) as line:
        player.port = line.port
        attempt = player.start()
        sent = player.sent
        attempt = player.play(attempt, GAME)
        assert player.sent - sent == len(GAME) * (len(POINTS) + 1)
        assert player.insist("POST", f"/attempts/{attempt['id']}/resign").status == 409
    assert attempt["status"] == "cleared"
    assert list(logged(attempt).values()) == GAME
    recomputation.check({attempt["id"]: player.acknowledged})


def test_c2_200_interleavings_of_two_clients_lose_no_move_and_double_none(
    server: Web, player: Caller
) -> None:
    """Both act at once each time, on what each has last seen; every third line breaks."""
    random = Random(2)

    def breaks() -> Break:
        return random.choice(POINTS) if random.random() < 1 / 3 else WHOLE

    with proxy(server.port, breaks) as line:
        player.port = line.port
        devices = [player, Caller(line.port, player.token)]
        attempt = player.start()
        players = [Device(device, attempt, Random(number)) for number, device in enumerate(devices)]
        barrier = Barrier(2)

        def interleave(device: "Device") -> None:
            for _ in range(200):
                barrier.wait(timeout=60)
                device.act()

        at_once(*[partial(interleave, it) for it in players])

    log = logged(attempt)
    wanted = {(ply + 1, move) for device in players for ply, move in device.wanted}
    assert set(log.items()) <= wanted
    assert len(log) >= 200
    both = [*devices[0].acknowledged, *devices[1].acknowledged]
    recomputation.check({attempt["id"]: both})


def logged(attempt: Any) -> dict[int, str]:
    rows = LoggedMove.objects.filter(attempt=attempt["id"]).order_by("number")
    return dict(rows.values_list("number", "move"))


class Device:
    """One of two clients of one player, with the attempt as it last saw it."""

    def __init__(self, caller: Caller, attempt: Any, random: Random) -> None:
        self.caller = caller
        self.attempt = attempt
        self.random = random
        self.wanted: list[tuple[int, str]] = []

    def act(self) -> None:
        moves = [it for it in self.attempt["legal_moves"] if it != "a1"]
        if self.attempt["can_undo"]:
            moves += ["U"] * len(moves)
        move, ply = self.random.choice(moves), self.attempt["ply"]
        self.wanted.append((ply, move))
        self.see(self.caller.move(self.attempt["id"], move, ply))

    def see(self, answer: Answer) -> None:
        if answer.status == 200:
            self.attempt = answer.body
        else:
            assert answer.body["code"] == "stale_ply"
            self.attempt = answer.body["attempt"]
