"""Groups: making, joining, leaving, and who is in them."""

import re
from typing import TypedDict
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from leaderboards import groups
from leaderboards.models import Group
from pyramid_site.api.endpoint import Endpoint, Listing, Timestamp, timestamp
from pyramid_site.api.parsing import PageQuery, Strict, StrictString
from pyramid_site.paging import Keys
from pyramid_site.refusals import not_found

OLDEST = Keys(("created_at", "id"))


class MemberShape(TypedDict):
    """A player in a group."""

    id: UUID
    name: str
    joined_at: Timestamp


class GroupSummaryShape(TypedDict):
    """A group the caller belongs to. Anyone with the `code` can join."""

    id: UUID
    name: str
    code: str
    owner_id: UUID
    created_at: Timestamp


class GroupShape(GroupSummaryShape):
    """A group and its members by join time."""

    members: list[MemberShape]


class GroupBody(Strict):
    name = StrictString(max_length=200)


class JoinBody(Strict):
    code = StrictString(max_length=200)


def summary(group: Group) -> GroupSummaryShape:
    return {
        "id": group.pk,
        "name": group.name,
        "code": group.code,
        "owner_id": group.owner_id,
        "created_at": timestamp(group.created_at),
    }


def shape(group: Group) -> GroupShape:
    return {
        **summary(group),
        "members": [
            {
                "id": it.player.pk,
                "name": it.player.name,
                "joined_at": timestamp(it.joined_at),
            }
            for it in groups.members(group)
        ],
    }


def identifier(text: str, what: str = "group") -> UUID:
    """Parse the id in an address. Raises Refusal `not_found` for a malformed one."""
    if not re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", text):
        raise not_found(what)
    return UUID(text)


class Groups(Endpoint):
    """Make a group."""

    tag = "groups"
    player_only = ["POST"]
    body_forms = {"POST": GroupBody}
    answers = {"POST": {201: GroupShape}}
    codes = {"POST": ["forbidden"]}

    def post(self, request: Request) -> Response:
        """Make a group owned by the caller."""
        group = groups.make(name=self.body["name"], owner_id=self.player_id)
        return self.answer(shape(group), status=201)


class Join(Endpoint):
    """Join a group."""

    tag = "groups"
    player_only = ["POST"]
    body_forms = {"POST": JoinBody}
    answers = {"POST": {200: GroupShape}}
    codes = {"POST": ["not_found", "forbidden"]}

    def post(self, request: Request) -> Response:
        """Join a group by its code. Safe to repeat."""
        group = groups.join(code=self.body["code"], player_id=self.player_id)
        return self.answer(shape(group))


class OwnGroups(Endpoint):
    """The caller's groups."""

    tag = "groups"
    player_only = ["GET"]
    query_forms = {"GET": PageQuery}
    answers = {"GET": {200: Listing[GroupSummaryShape]}}

    def get(self, request: Request) -> Response:
        """List the caller's groups, oldest first."""
        page = OLDEST.page(
            groups.of_player(self.player_id),
            cursor=self.query.get("cursor"),
            limit=self.query["limit"],
        )
        body: Listing[GroupSummaryShape] = {
            "items": [summary(group) for group in page.items],
            "next": page.next,
            "previous": page.previous,
        }
        return self.answer(body, private=True)


class OneGroup(Endpoint):
    """One group."""

    tag = "groups"
    player_only = ["GET"]
    answers = {"GET": {200: GroupShape}}
    codes = {"GET": ["not_found"]}

    def get(self, request: Request, group_id: str) -> Response:
        """Read a group and its members. Only members can."""
        group = groups.seen_by(group_id=identifier(group_id), player_id=self.player_id)
        return self.answer(shape(group), private=True)


class Code(Endpoint):
    """The code of a group."""

    tag = "groups"
    player_only = ["POST"]
    answers = {"POST": {200: GroupShape}}
    codes = {"POST": ["not_found", "forbidden"]}

    def post(self, request: Request, group_id: str) -> Response:
        """Replace the group's code, as its owner; the old code stops working."""
        group = groups.renew_code(group_id=identifier(group_id), player_id=self.player_id)
        return self.answer(shape(group))


class Member(Endpoint):
    """A member of a group."""

    tag = "groups"
    player_only = ["DELETE"]
    answers = {"DELETE": {204: None}}
    codes = {"DELETE": ["not_found", "forbidden"]}

    def delete(self, request: Request, group_id: str, player_id: str) -> Response:
        """Leave the group, or as its owner remove anyone. The last to leave deletes it."""
        groups.remove(
            group_id=identifier(group_id),
            member_id=identifier(player_id, "member"),
            by_id=self.player_id,
        )
        return self.answer(None, status=204)
