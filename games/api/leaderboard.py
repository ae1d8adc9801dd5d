"""The board of a deal."""

from datetime import date
from typing import TypedDict
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import queries
from games.api.deals import asked_for
from games.api.ranked import NamedPlayerShape, Ranked, RankedQuery
from games.models import DailyDeal
from leaderboards import boards
from leaderboards.models import Group
from pyramid_site import clock
from pyramid_site.api.endpoint import Timestamp, timestamp


class EntryShape(TypedDict):
    """An attempt and its rank. `ply` and `attempt_id` are null until the deal is sealed."""

    rank: int
    player: NamedPlayerShape
    ranked_ms: int
    elapsed_ms: int
    undo_count: int
    ply: int | None
    finished_at: Timestamp
    attempt_id: UUID | None


class BoardDealShape(TypedDict):
    """The deal of a board."""

    date: date
    challenge: str


class BoardShape(TypedDict):
    """A page of a board, best first. `total` counts all results; `final` once sealed."""

    deal: BoardDealShape
    board: boards.Board
    total: int
    as_of: Timestamp
    final: bool
    items: list[EntryShape]
    next: str | None
    previous: str | None


class BoardQuery(RankedQuery):
    board = serializers.ChoiceField(
        choices=[board.value for board in boards.Board], default=boards.Board.OVERALL.value
    )


class Leaderboard(Ranked):
    """The board of a deal."""

    query_forms = {"GET": BoardQuery}
    answers = {"GET": {200: BoardShape, 304: None}}
    codes = {"GET": ["not_found", "not_ranked", "deal_being_made"]}

    def get(self, request: Request, day: str, challenge: str) -> Response:
        """Read a board, ranked by time, then undos; `clean` ranks attempts without undos."""
        group = self.group()
        deal = asked_for(day, challenge)
        whose = self.whose(group)
        return self.answer(
            lambda: self._shape(deal, group),
            version=f"{deal.pk}-{self.query['board']}-{queries.boards_version(deal)}{whose}",
            private=bool(whose),
        )

    def _shape(self, deal: DailyDeal, group: Group | None) -> BoardShape:
        board = boards.Board(self.query["board"])
        asked = {
            "deal_id": deal.pk,
            "board": board,
            "limit": self.query["limit"],
            "group_id": group and group.pk,
            "final": deal.sealed,
        }
        if player_id := self.around():
            shown = boards.around(**asked, player_id=player_id)
        else:
            shown = boards.page(**asked, cursor=self.query.get("cursor"))
        final = shown.final_at is not None
        return {
            "deal": {"date": deal.date, "challenge": deal.challenge_id},
            "board": board,
            "total": shown.total,
            "as_of": timestamp(shown.final_at or clock.now()),
            "final": final,
            "items": [_entry(entry, final=final) for entry in shown.page.items],
            "next": shown.page.next,
            "previous": shown.page.previous,
        }


def _entry(entry: boards.Entry, *, final: bool) -> EntryShape:
    result = entry.result
    return {
        "rank": entry.rank,
        "player": {"id": result.player_id, "name": result.name},
        "ranked_ms": result.ranked_ms,
        "elapsed_ms": result.elapsed_ms,
        "undo_count": result.undo_count,
        "ply": result.ply if final else None,
        "finished_at": timestamp(result.finished_at),
        "attempt_id": result.attempt_id if final else None,
    }
