"""All that the server holds of the caller."""

import json
from collections.abc import Iterator
from typing import TypedDict, cast
from uuid import UUID

from django.http import StreamingHttpResponse
from rest_framework.request import Request
from rest_framework.utils.encoders import JSONEncoder

from games import queries
from games.api import attempts, shapes
from leaderboards.groups import memberships_of
from leaderboards.models import Membership, PeriodScore
from leaderboards.periods import scores_of
from players.api.views import PlayerShape, player_shape
from players.models import FormerName, Player, Token
from players.queries import names_given_up, places_of, tokens_of
from pyramid_site.api.endpoint import Endpoint, Timestamp, optional_timestamp, timestamp


class TokenShape(TypedDict):
    """When a token was made and when it expires; the token itself is not stored."""

    created_at: Timestamp
    expires_at: Timestamp


class KnownPlaceShape(TypedDict):
    """When the caller last logged in from an address; only a keyed hash of it is stored."""

    seen_at: Timestamp


class FormerNameShape(TypedDict):
    """A former name, in its compared form, reserved for the caller."""

    name: str
    freed_at: Timestamp


class ExportedGroupShape(TypedDict):
    """A group the caller belongs to, and whether the caller owns it."""

    id: UUID
    name: str
    own: bool
    joined_at: Timestamp


class ExportedScoreShape(TypedDict):
    """The caller's totals on the board of a week, a month or all time."""

    challenge: str
    period: str
    days_cleared: int
    ranked_ms: int


class ExportedAttemptShape(TypedDict):
    """An attempt with its complete log. Results and ranks are in the attempt."""

    attempt: shapes.AttemptShape
    log: list[shapes.MoveShape]


class ExportShape(TypedDict):
    """Everything the server stores about a player: attempts oldest first, including practice."""

    player: PlayerShape
    claimed_at: Timestamp | None
    email: str
    email_confirmed_at: Timestamp | None
    former_names: list[FormerNameShape]
    tokens: list[TokenShape]
    known_places: list[KnownPlaceShape]
    groups: list[ExportedGroupShape]
    scores: list[ExportedScoreShape]
    attempts: list[ExportedAttemptShape]


class Export(Endpoint):
    """All of the caller's data."""

    tag = "players"
    player_only = ["GET"]
    answers = {"GET": {200: ExportShape}}

    def get(self, request: Request) -> StreamingHttpResponse:
        """Export everything the server stores about the caller. Streamed, since it may be long."""
        return StreamingHttpResponse(
            _document(cast(Player, request.user)),
            content_type="application/json",
            headers={"Cache-Control": "no-store", "Vary": "Authorization"},
        )


def _document(player: Player) -> Iterator[str]:
    """Yield an `ExportShape` in pieces, holding one attempt in memory at a time."""
    head = {
        "player": player_shape(player),
        "claimed_at": optional_timestamp(player.claimed_at),
        "email": player.email,
        "email_confirmed_at": optional_timestamp(player.email_confirmed_at),
        "former_names": [_former_name(it) for it in names_given_up(player)],
        "tokens": [_token(it) for it in tokens_of(player)],
        "known_places": [{"seen_at": timestamp(it.seen_at)} for it in places_of(player)],
        "groups": [_group(it) for it in memberships_of(player.pk)],
        "scores": [_score(it) for it in scores_of(player.pk)],
    }
    yield json.dumps(head, cls=JSONEncoder).removesuffix("}") + ', "attempts": ['
    own = queries.attempts_of(player_id=player.pk, day=None, challenge_id=None)
    for number, row in enumerate(own.order_by("started_at", "id").iterator(chunk_size=100)):
        attempt: ExportedAttemptShape = {
            "attempt": attempts.shape(row),
            "log": [shapes.move(it) for it in queries.log_of(row).order_by("number")],
        }
        yield (", " if number else "") + json.dumps(attempt, cls=JSONEncoder)
    yield "]}"


def _former_name(former: FormerName) -> FormerNameShape:
    return {"name": former.name_key, "freed_at": timestamp(former.freed_at)}


def _token(token: Token) -> TokenShape:
    return {
        "created_at": timestamp(token.created_at),
        "expires_at": timestamp(token.expires_at),
    }


def _group(membership: Membership) -> ExportedGroupShape:
    return {
        "id": membership.group.pk,
        "name": membership.group.name,
        "own": membership.group.owner_id == membership.player_id,
        "joined_at": timestamp(membership.joined_at),
    }


def _score(score: PeriodScore) -> ExportedScoreShape:
    return {
        "challenge": score.period.challenge,
        "period": score.period.name,
        "days_cleared": score.days_cleared,
        "ranked_ms": score.ranked_ms,
    }
