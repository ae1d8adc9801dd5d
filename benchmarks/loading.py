"""Days of play, loaded into the tables as they would be after them."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Count, Q

from games import deals
from games.models import DailyDeal
from leaderboards.models import Result, Tally
from players import accounts
from pyramid_site import clock
from tests import builders

ATTEMPTS_A_PLAYER = 60
UNDO_PENALTY_MS = 10_000
DAILY = (True, True, False)  # of the day and ranked, and the clock was never set back


class Loaded(NamedTuple):
    attempts: int
    moves: int


class Sample(NamedTuple):
    """What the pages are asked about: names in addresses, a player's token, a member of staff."""

    names: dict[str, str]
    token: str
    staff: User


def load(*, days: int, attempts_a_day: int) -> Loaded:
    """So many days up to yesterday, sealed and counted; three attempts of four have cleared."""
    chance = random.Random(1)
    today = clock.today()
    challenges = list(builders.CERTIFIED)
    with connection.cursor() as cursor:
        # The rows refer to each other as they should: nothing is checked one by one.
        cursor.execute("SET session_replication_role = replica")
    players = sign_up(max(60, days * attempts_a_day // ATTEMPTS_A_PLAYER), chance)
    attempts = moves = 0
    with unindexed():
        for ago in range(days, -1, -1):
            day = today - timedelta(days=ago)
            for challenge in challenges:
                deal = builders.publish(challenge, day)
                if ago:
                    seats = chance.sample(players, min(len(players), attempts_a_day // 4))
                    moves += play(deal, seats, chance)
                    attempts += len(seats)
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = DEFAULT")
    finish()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return Loaded(attempts, moves)


@contextmanager
def unindexed() -> Iterator[None]:
    """The logs without their indexes, which are quicker made at once than row by row."""
    with connection.cursor() as cursor:
        cursor.execute("SET maintenance_work_mem = '1GB'")
        for name in ("one_move_a_number", "games_loggedmove_pkey"):
            cursor.execute(f"ALTER TABLE games_loggedmove DROP CONSTRAINT {name}")
        yield
        cursor.execute(
            "ALTER TABLE games_loggedmove ADD PRIMARY KEY (id),"
            " ADD CONSTRAINT one_move_a_number UNIQUE (attempt_id, number)"
        )


def sign_up(count: int, chance: random.Random) -> list[UUID]:
    """Players with tokens, as rows."""
    now = clock.now()
    players = [a_uuid(chance) for _ in range(count)]
    columns = "id, name, name_key, skeleton, joined_at, password, email"
    copy(
        f"players_player ({columns})",
        (
            (key, f"Player {n}", f"player {n}", f"player {n}", now - timedelta(seconds=n), "", "")
            for n, key in enumerate(players)
        ),
    )
    copy(
        "players_token (player_id, digest, created_at, expires_at)",
        ((key, key.bytes + key.bytes, now, now + timedelta(days=100)) for key in players),
    )
    return players


def play(deal: DailyDeal, players: Sequence[UUID], chance: random.Random) -> int:
    """An attempt of each player: how many moves they are together."""
    line = deal.winning_line.split(" ")
    attempts: list[tuple[Any, ...]] = []
    results: list[tuple[Any, ...]] = []
    moves = 0
    with (
        connection.cursor() as cursor,
        cursor.copy("COPY games_loggedmove (attempt_id, number, move, at_ms) FROM STDIN") as log,
    ):
        for player in players:
            key, undos, cleared = a_uuid(chance), chance.randrange(4), chance.random() < 0.75
            played = ["D", "U"] * undos + (line if cleared else line[: len(line) // 2])
            at, pace = 0, chance.randrange(1_000, 6_000)
            rows = []
            for number, move in enumerate(played, start=1):
                at += pace + number * 37 % 911
                rows.append(f"{key}\t{number}\t{move}\t{at}\n")
            log.write("".join(rows))
            moves += len(rows)
            start = deal.opens_at + timedelta(milliseconds=chance.randrange(80_000_000))
            if not cleared:
                at = int((deal.seals_at - start) / timedelta(milliseconds=1))
            end = start + timedelta(milliseconds=at)
            status = "cleared" if cleared else "expired"
            left = " ".join(played[2 * undos :])
            counts = (len(rows), undos, 24)
            attempts.append((key, deal.pk, player, status, start, end, *counts, at, left, *DAILY))
            if cleared:
                ranked = at + UNDO_PENALTY_MS * undos
                number = len(results) + 1
                results.append((key, deal.pk, number, player, ranked, undos, at, len(rows), end))
    copy(
        "games_attempt (id, deal_id, player_id, status, started_at, finished_at, ply, undo_count,"
        " seen, elapsed_ms, line, daily, ranked, clock_stepped)",
        attempts,
    )
    copy(
        "leaderboards_result (attempt_id, deal_id, number, player_id, ranked_ms, undo_count,"
        " elapsed_ms, ply, finished_at)",
        results,
    )
    return moves


def finish() -> None:
    """Seals and counts the days that are over, as the sweep does."""
    clean = Count("pk", filter=Q(undo_count=0))
    Tally.objects.bulk_create(
        Tally(deal_id=deal, key=uuid4().hex, version=count, overall=count, clean_results=free)
        for deal, count, free in Result.objects.order_by()
        .values_list("deal")
        .annotate(of=Count("pk"), free=clean)
    )
    deals.seal_due()
    deals.count_sealed()


def copy(table: str, rows: Any) -> None:
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN") as into:
        for row in rows:
            into.write_row(row)


def a_uuid(chance: random.Random) -> UUID:
    return UUID(int=chance.getrandbits(128), version=4)


def sample() -> Sample:
    """A deal of last week, its fastest clear, who played it, and the cursors of second pages."""
    deal = DailyDeal.objects.get(date=clock.today() - timedelta(days=7), challenge="one-pass")
    result = Result.objects.select_related("player").filter(deal=deal).earliest("ranked_ms")
    player = result.player
    token = accounts._sign_in(player).token
    from django.test import Client

    def second(address: str) -> str:
        headers = {"Authorization": f"Bearer {token}"}
        found: str = Client().get(f"/api/v1/{address}", headers=headers).json()["next"]
        return found

    names = {
        "deal": str(deal.pk),
        "day": str(deal.date),
        "attempt": str(result.pk),
        "player": str(player.pk),
        "name": player.name,
        "deals": second("deals"),
        "attempts": second("me/attempts"),
    }
    return Sample(names, token, User.objects.create_superuser("root"))
