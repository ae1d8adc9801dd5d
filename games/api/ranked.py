"""What the boards of deals and those of periods are asked, and answer, alike."""

from typing import Any, TypedDict
from uuid import UUID

from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated

from leaderboards import groups
from leaderboards.models import Group
from leaderboards.ranking import NOT_RANKED
from players.queries import player_named
from pyramid_site.api.endpoint import Endpoint
from pyramid_site.api.parsing import PageQuery
from pyramid_site.refusals import Refusal


class NamedPlayerShape(TypedDict):
    """A player on a board."""

    id: UUID
    name: str


class RankedQuery(PageQuery):
    """Selects part of a board."""

    around = serializers.CharField(
        max_length=72, required=False, help_text="`me`, or the name of a player"
    )
    group = serializers.UUIDField(required=False, help_text="of the caller: ranks are within it")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "around" in attrs and "cursor" in attrs:
            raise serializers.ValidationError({"cursor": "A cursor goes without `around`."})
        return attrs


class Ranked(Endpoint):
    """A board: everybody, around one player, or within a group."""

    tag = "leaderboards"

    def group(self) -> Group | None:
        """Return the caller's group in the query. Raises `not_authenticated`, `not_found`."""
        group_id = self.query.get("group")
        if self.caller_id is None and (group_id or self.around_caller):
            raise NotAuthenticated
        if group_id is None or self.caller_id is None:
            return None
        return groups.seen_by(group_id=group_id, player_id=self.caller_id)

    @property
    def around_caller(self) -> bool:
        return self.query.get("around") == "me"

    def around(self) -> UUID | None:
        """Return the player to centre on. Raises Refusal `not_ranked` for an unknown name."""
        if self.around_caller:
            return self.caller_id
        if (name := self.query.get("around")) is None:
            return None
        player = player_named(name)
        if player is None:
            raise Refusal("not_ranked", NOT_RANKED)
        return player.pk

    def whose(self, group: Group | None) -> str:
        """Return the caller's part of a response's version."""
        within = f"-{group.pk}-{group.version}" if group else ""
        return f"-{self.caller_id}{within}" if self.around_caller or group else ""
