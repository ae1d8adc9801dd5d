"""What anybody may read of a player."""

from datetime import date
from typing import TypedDict
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from games import queries
from games.api.me import StatsShape, stats_shape
from leaderboards.models import Result
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
    """A player's public page: `stats` and the newest `results` are of sealed deals alone."""

    name: str
    since: Timestamp
    streak: int
    stats: list[StatsShape]
    results: list[PlayerResultShape]


class PlayerPage(Endpoint):
    """A player's public page."""

    tag = "players"
    answers = {"GET": {200: PlayerPageShape}}
    codes = {"GET": ["not_found"]}

    def get(self, request: Request, name: str) -> Response:
        """A player's streak, stats and newest final results. Letter case makes no difference."""
        player = player_named(name)
        if player is None:
            raise not_found("player")
        body: PlayerPageShape = {
            "name": player.name,
            "since": timestamp(player.joined_at),
            "streak": queries.streak(player.pk),
            "stats": [stats_shape(it) for it in queries.stats_of(player.pk, sealed_only=True)],
            "results": [_shape(it) for it in queries.final_results_of(player.pk)[:RECENT]],
        }
        return self.answer(body)


def _shape(result: Result) -> PlayerResultShape:
    return {
        "date": result.deal.date,
        "challenge": result.deal.challenge_id,
        "rank": result.standing.rank,
        "of": result.deal.seal.cleared,
        "ranked_ms": result.ranked_ms,
        "elapsed_ms": result.elapsed_ms,
        "undo_count": result.undo_count,
        "ply": result.ply,
        "attempt_id": result.attempt_id,
    }
