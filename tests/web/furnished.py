"""A site that has been lived in: deals, players, boards, and an attempt to watch."""

import json
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from playwright.sync_api import BrowserContext

from games import attempts
from games.models import Attempt, DailyDeal
from players import accounts
from tests import builders

if TYPE_CHECKING:
    from tests.conftest import SimulatedClock

NAMES = ("Ada Lovelace", "Quiet Heron 4821", "Bartek", "Misty Otter 77", "Żółta Łódka", "Grace H.")
LEVELS = ("medium", "medium", "medium", "hard", "hard", "hard", "expert")
DAYS = 9


def furnish(clock: "SimulatedClock") -> dict[str, str]:
    """Everything up to the present day.

    `player` is what a browser keeps of the first player, who has one move left to clear today's
    "full-clear"; `attempt` is one to watch, and `now` the hour at which all this is so.
    """
    players = []
    kept = ""
    clock.set(f"{builders.DAY - timedelta(days=DAYS)}T08:00:00.000Z")
    for name in NAMES:
        signed_in = accounts.sign_up(name=name)
        players.append(signed_in.player.pk)
        kept = kept or browser_storage(signed_in)
    for ago in range(DAYS, 0, -1):
        day = builders.DAY - timedelta(days=ago)
        clock.set(f"{day}T09:00:00.000Z")
        if ago == 1:
            deal, line = builders.publish(day=day, difficulty="hard"), certified("one-pass")
        else:
            deal = builders.publish_short(day=day, difficulty=LEVELS[day.weekday()])
            line = builders.SHORT_LINE
        for place, player in enumerate(players if ago > 1 else players[:2]):
            play(clock, deal, player, line, s=95 + 41 * place + 13 * (ago % 5), undos=place % 3)
        clock.set(f"{day + timedelta(days=1)}T02:00:00.000Z")
        builders.seal(deal)
    clock.set(f"{builders.DAY}T09:30:00.000Z")
    for challenge, level in zip(
        builders.CERTIFIED, ("medium", "easy", "hard", "easy"), strict=True
    ):
        deal = builders.publish(challenge, difficulty=level)
        for place, player in enumerate(players[1:4] if challenge == "one-pass" else ()):
            play(clock, deal, player, certified(challenge), s=203 + 77 * place, undos=place)
        if challenge == "full-clear":
            play(clock, deal, players[0], certified(challenge)[:-1], s=240, undos=2)
    clock.set(f"{builders.DAY}T09:34:12.000Z")
    watched = Attempt.objects.get(deal__date=builders.DAY - timedelta(days=1), player=players[1])
    return {"player": kept, "attempt": str(watched.pk), "now": clock.instant.isoformat()}


def as_player(context: BrowserContext, signed_in: accounts.SignedIn) -> BrowserContext:
    """A context whose pages are a player's."""
    return with_storage(context, browser_storage(signed_in))


def with_storage(context: BrowserContext, kept: str) -> BrowserContext:
    keep = f"localStorage.setItem('pyramid-player', {json.dumps(kept)})"
    context.add_init_script(f"if (location.protocol === 'http:') {keep}")
    return context


def browser_storage(signed_in: accounts.SignedIn) -> str:
    player = signed_in.player
    shape = {"id": str(player.pk), "name": player.name, "guest": player.guest}
    return json.dumps({"token": signed_in.token, "player": shape})


def certified(challenge: str) -> list[str]:
    return builders.CERTIFIED[challenge].moves


def play(
    clock: "SimulatedClock", deal: DailyDeal, player: UUID, line: list[str], *, s: int, undos: int
) -> None:
    """A whole attempt of so many seconds, its undos spent on the first draw."""
    attempt, _ = attempts.start(deal=deal, player_id=player)
    began = clock.instant
    log = ["D", "U"] * undos + line
    for ply, move in enumerate(log):
        clock.instant = began + timedelta(seconds=s * (ply + 1) / len(log))
        attempts.play(attempt_id=attempt.pk, player_id=player, move=move, ply=ply)
    clock.instant = began
