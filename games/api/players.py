"""What anybody may read of a player."""

from datetime import date
from typing import TypedDict
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from games import records
from games.api.me import StatsShape, stats_shape
from players.queries import player_named
from pyramid_site.api.endpoint import Endpoint, Timestamp, timestamp
from pyramid_site.refusals import not_found

RECENT = 20  # results on the page


class PlayerResultShape(TypedDict):
    """A final result of a player."""

    date: date
    challenge: str
    rank: int
    of: int
    ranked_ms: int
    elapsed_ms: int
    undo_count: int
    ply: int
    attempt_id: UUID


class PlayerPageShape(TypedDict):
    """A player's public page; `stats` and the newest `results` cover sealed deals only."""

    name: str
    since: Timestamp
    streak: int
    longest_streak: int
    stats: list[StatsShape]
    results: list[PlayerResultShape]


class PlayerPage(Endpoint):
    """A player's public page."""

    tag = "players"
    answers = {"GET": {200: PlayerPageShape}}
    codes = {"GET": ["not_found"]}

    def get(self, request: Request, name: str) -> Response:
        """Read a player's streak, stats and newest final results. The name is case-insensitive."""
        player = player_named(name)
        if player is None:
            raise not_found("player")
        streaks = records.streaks_of(player.pk)
        body: PlayerPageShape = {
            "name": player.name,
            "since": timestamp(player.joined_at),
            "streak": streaks.current,
            "longest_streak": streaks.longest,
            "stats": [stats_shape(it) for it in records.stats_of(player.pk, sealed_only=True)],
            "results": [_shape(it) for it in records.final_results_of(player.pk, most=RECENT)],
        }
        return self.answer(body)


def _shape(final: records.FinalResult) -> PlayerResultShape:
    result = final.result
    return {
        "date": result.deal.date,
        "challenge": result.deal.challenge_id,
        "rank": final.rank,
        "of": final.of,
        "ranked_ms": result.ranked_ms,
        "elapsed_ms": result.elapsed_ms,
        "undo_count": result.undo_count,
        "ply": result.ply,
        "attempt_id": result.attempt_id,
    }
