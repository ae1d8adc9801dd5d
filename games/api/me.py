"""The caller, with what the games say of him."""

from typing import TypedDict

from rest_framework.request import Request
from rest_framework.response import Response

from games import queries
from players.api.views import PlayerShape, player_shape
from pyramid_site.api.endpoint import Endpoint


class StatsShape(TypedDict):
    """Ranked attempts under one challenge; `clean` ones cleared it without one undo."""

    challenge: str
    played: int
    cleared: int
    clean: int
    best_ms: int | None


class MeShape(TypedDict):
    """The caller. `streak` counts the consecutive days with a ranked clear of any challenge."""

    player: PlayerShape
    streak: int
    stats: list[StatsShape]


class Me(Endpoint):
    """The caller."""

    tag = "players"
    player_only = ["GET"]
    answers = {"GET": {200: MeShape}}

    def get(self, request: Request) -> Response:
        """Who the token speaks for."""
        body: MeShape = {
            "player": player_shape(self.player),
            "streak": queries.streak(self.player.pk),
            "stats": [
                {
                    "challenge": it.challenge,
                    "played": it.played,
                    "cleared": it.cleared,
                    "clean": it.clean,
                    "best_ms": it.best_ms,
                }
                for it in queries.stats_of(self.player.pk)
            ],
        }
        return self.answer(body, private=True)
