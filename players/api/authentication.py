"""Who calls: the bearer token of a request."""

import re
from typing import Any

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from players import queries
from players.models import Player
from pyramid_site.refusals import Refusal


class BearerToken(BaseAuthentication):
    """Authenticate `Authorization: Bearer TOKEN`; without the header the caller is anonymous."""

    def authenticate(self, request: Request) -> tuple[Player, str] | None:
        header = request.META.get("HTTP_AUTHORIZATION")
        if header is None:
            return None
        # Token characters of RFC 6750, so that no odd byte ever reaches the database.
        match = re.fullmatch(r"Bearer +([A-Za-z0-9._~+/=-]{1,200})", header, re.IGNORECASE)
        player = queries.player_of(token=match[1]) if match else None
        if player is None or match is None:
            raise AuthenticationFailed
        if player.locked_at is not None:
            raise Refusal("forbidden", "This account is locked. Ask those who run the server.")
        return player, match[1]

    def authenticate_header(self, request: Any) -> str:
        return "Bearer"
