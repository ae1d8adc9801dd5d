"""The addresses of sections Players that are about identity alone."""

from typing import TypedDict
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from players import accounts
from players.models import Player
from pyramid_site.api.endpoint import Endpoint, Timestamp, timestamp
from pyramid_site.api.parsing import Strict, StrictString


class PlayerShape(TypedDict):
    """A player, as anybody may see one."""

    id: UUID
    name: str
    guest: bool
    joined_at: Timestamp


class SignedInShape(TypedDict):
    """A player and a token for it. The token is shown here and never again."""

    player: PlayerShape
    token: str
    expires_at: Timestamp


class SignUpBody(Strict):
    name = StrictString(max_length=200, required=False)


def player_shape(player: Player) -> PlayerShape:
    return {
        "id": player.id,
        "name": player.name,
        "guest": player.guest,
        "joined_at": timestamp(player.joined_at),
    }


class Players(Endpoint):
    """Signing up."""

    tag = "players"
    throttle_scope = "SIGNUP"
    body_forms = {"POST": SignUpBody}
    answers = {"POST": {201: SignedInShape}}
    codes = {"POST": ["name_taken"]}

    def post(self, request: Request) -> Response:
        """A new guest who can play at once; without a `name` the server makes a friendly one."""
        signed_in = accounts.sign_up(name=self.body.get("name"))
        shape: SignedInShape = {
            "player": player_shape(signed_in.player),
            "token": signed_in.token,
            "expires_at": timestamp(signed_in.expires_at),
        }
        return self.answer(shape, status=201)


class Logout(Endpoint):
    """Signing off."""

    tag = "players"
    player_only = ["POST"]
    answers = {"POST": {204: None}}

    def post(self, request: Request) -> Response:
        """The token that this is sent with is dead. A guest has no other way back in."""
        accounts.sign_off(token=str(request.auth))
        return self.answer(None, status=204)
