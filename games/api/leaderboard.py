"""The board of a deal."""

from datetime import date
from typing import TypedDict
from uuid import UUID

from django.db.models import Q
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.deals import asked_for
from leaderboards import boards
from players import names
from pyramid_site import clock
from pyramid_site.api.endpoint import Endpoint, Timestamp, timestamp
from pyramid_site.api.parsing import PageQuery


class NamedPlayerShape(TypedDict):
    """A player on a board."""

    id: UUID
    name: str


class EntryShape(TypedDict):
    """A real attempt with its rank. `ply` and `attempt_id` are null until the deal is sealed."""

    rank: int
    player: NamedPlayerShape
    ranked_ms: int
    elapsed_ms: int
    undo_count: int
    ply: int | None
    finished_at: Timestamp
    attempt_id: UUID | None


class BoardDealShape(TypedDict):
    """Which deal a board is of."""

    date: date
    challenge: str


class BoardShape(TypedDict):
    """A page of a board, best first, `total` results in all; `final` once the deal is sealed."""

    deal: BoardDealShape
    board: boards.Board
    total: int
    as_of: Timestamp
    final: bool
    items: list[EntryShape]
    next: str | None
    previous: str | None


class BoardQuery(PageQuery):
    board = serializers.ChoiceField(
        choices=[board.value for board in boards.Board], default=boards.Board.OVERALL.value
    )
    around = serializers.CharField(
        max_length=72, required=False, help_text="`me`, or the name of a player"
    )

    def validate(self, attrs: dict[str, str]) -> dict[str, str]:
        if "around" in attrs and "cursor" in attrs:
            raise serializers.ValidationError({"cursor": "A cursor goes without `around`."})
        return attrs


class Leaderboard(Endpoint):
    """The board of a deal."""

    tag = "leaderboards"
    query_forms = {"GET": BoardQuery}
    answers = {"GET": {200: BoardShape, 304: None}}
    codes = {"GET": ["not_found", "not_ranked", "deal_being_made"]}

    def get(self, request: Request, day: str, challenge: str) -> Response:
        """Ranked by time and undos; `clean` holds the attempts without one undo."""
        around = self.query.get("around")
        if around == "me" and self.caller_id is None:
            raise NotAuthenticated
        deal = asked_for(day, challenge)
        board = boards.Board(self.query["board"])
        final, limit, cursor = deal.sealed, self.query["limit"], self.query.get("cursor")
        with boards.snapshot():
            total = boards.total(deal_id=deal.pk, board=board)
            if around is None:
                page = boards.page(
                    deal_id=deal.pk, board=board, final=final, cursor=cursor, limit=limit
                )
            else:
                player = self._named(around)
                page = boards.around(
                    deal_id=deal.pk, board=board, final=final, player=player, limit=limit
                )
        body: BoardShape = {
            "deal": {"date": deal.date, "challenge": deal.challenge_id},
            "board": board,
            "total": total,
            "as_of": timestamp(deal.seal.sealed_at if final else clock.now()),
            "final": final,
            "items": [_entry(entry, final=final) for entry in page.items],
            "next": page.next,
            "previous": page.previous,
        }
        whose = f"-{self.caller_id}" if around == "me" else ""
        return self.answer(
            body,
            version=f"{deal.pk}-{board}-{total}-{int(final)}{whose}",
            private=around == "me",
        )

    def _named(self, around: str) -> Q:
        if around == "me":
            return Q(player=self.caller_id)
        return Q(player__name_key=names.key(around))


def _entry(entry: boards.Entry, *, final: bool) -> EntryShape:
    result = entry.result
    return {
        "rank": entry.rank,
        "player": {"id": result.player.pk, "name": result.player.name},
        "ranked_ms": result.ranked_ms,
        "elapsed_ms": result.elapsed_ms,
        "undo_count": result.undo_count,
        "ply": result.ply if final else None,
        "finished_at": timestamp(result.finished_at),
        "attempt_id": result.attempt_id if final else None,
    }
