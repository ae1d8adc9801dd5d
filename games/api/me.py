"""The caller, with what the games say of him."""

from typing import NotRequired, TypedDict, cast

from rest_framework.request import Request
from rest_framework.response import Response

from games import departures, records
from players import accounts
from players.api.views import Email, PlayerShape, player_shape
from players.models import Player
from pyramid_site.api import throttles
from pyramid_site.api.endpoint import Endpoint
from pyramid_site.api.parsing import Strict, StrictString


class StatsShape(TypedDict):
    """Ranked attempts at one challenge; `clean` counts clears without undos."""

    challenge: str
    played: int
    cleared: int
    clean: int
    best_ms: int | None


class MeShape(TypedDict):
    """The caller. `streak` counts the consecutive days with a ranked clear of any challenge.

    `email_confirmed` comes with `email`; only a confirmed address can reset the password. Unsealed
    days, void days and days of an outage do not break the streak.
    """

    player: PlayerShape
    email: NotRequired[str]
    email_confirmed: NotRequired[bool]
    streak: int
    longest_streak: int
    stats: list[StatsShape]


class RenameBody(Strict):
    name = StrictString(max_length=200)


class ClaimBody(Strict):
    name = StrictString(max_length=200, required=False)
    email = Email(required=False, help_text="for a new password, should this one be forgotten")
    password = StrictString(max_length=200)


def me_shape(player: Player) -> MeShape:
    streaks = records.streaks_of(player.pk)
    shape: MeShape = {
        "player": player_shape(player),
        "streak": streaks.current,
        "longest_streak": streaks.longest,
        "stats": [stats_shape(it) for it in records.stats_of(player.pk)],
    }
    if player.email:
        shape["email"], shape["email_confirmed"] = player.email, player.email_confirmed
    return shape


def stats_shape(stats: records.ChallengeStats) -> StatsShape:
    return {
        "challenge": stats.challenge,
        "played": stats.played,
        "cleared": stats.cleared,
        "clean": stats.clean,
        "best_ms": stats.best_ms,
    }


class Me(Endpoint):
    """The caller."""

    tag = "players"
    player_only = ["GET", "PATCH", "DELETE"]
    body_forms = {"PATCH": RenameBody}
    answers = {"GET": {200: MeShape}, "PATCH": {200: MeShape}, "DELETE": {204: None}}
    codes = {"PATCH": ["name_taken", "forbidden"]}

    def get(self, request: Request) -> Response:
        """Read the caller."""
        return self.answer(me_shape(cast(Player, request.user)), private=True)

    def patch(self, request: Request) -> Response:
        """Change the name. The former one stays reserved for 90 days."""
        player = accounts.rename(player_id=self.player_id, name=self.body["name"])
        return self.answer(me_shape(player))

    def delete(self, request: Request) -> Response:
        """Delete the caller. Results stay on their boards under a neutral name."""
        departures.delete(player_id=self.player_id)
        return self.answer(None, status=204)


class Claim(Endpoint):
    """Claim a guest."""

    tag = "players"
    throttle_scope = "LOGIN"
    player_only = ["POST"]
    body_forms = {"POST": ClaimBody}
    answers = {"POST": {200: MeShape}}
    codes = {"POST": ["already_claimed", "name_taken", "forbidden"]}

    def post(self, request: Request) -> Response:
        """Give a guest a password; the player keeps its attempts, ranks and streak.

        An `email` is mailed a key for `POST /me/email/confirm`.
        """
        if "email" in self.body:
            throttles.check_mail(request.META)
        player = accounts.claim(
            player_id=self.player_id,
            password=self.body["password"],
            name=self.body.get("name"),
            email=self.body.get("email", ""),
            address=throttles.client_address(request.META),
        )
        return self.answer(me_shape(player))
