"""Who calls: the bearer token of a request."""

import re
from typing import Any

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from players import queries
from players.models import Player


class BearerToken(BaseAuthentication):
    """`Authorization: Bearer TOKEN`; none at all is an anonymous caller."""

    def authenticate(self, request: Request) -> tuple[Player, str] | None:
        header = request.META.get("HTTP_AUTHORIZATION")
        if header is None:
            return None
        # Token characters of RFC 6750, so that no odd byte ever reaches the database.
        match = re.fullmatch(r"Bearer +([A-Za-z0-9._~+/=-]{1,200})", header, re.IGNORECASE)
        player = queries.player_of(token=match[1]) if match else None
        if player is None or match is None:
            raise AuthenticationFailed
        return player, match[1]

    def authenticate_header(self, request: Any) -> str:
        return "Bearer"
