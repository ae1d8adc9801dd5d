"""The boards of weeks, months and all time."""

import re
from typing import TypedDict

from rest_framework.request import Request
from rest_framework.response import Response

from games import queries
from games.api.ranked import NamedPlayerShape, Ranked, RankedQuery
from leaderboards import periods
from leaderboards.models import Group, Period
from pyramid_site import clock
from pyramid_site.api.endpoint import Timestamp, timestamp
from pyramid_site.refusals import not_found


class PeriodEntryShape(TypedDict):
    """A player's totals over the sealed days of a period; `ranked_ms` is their sum."""

    rank: int
    player: NamedPlayerShape
    days_cleared: int
    ranked_ms: int


class PeriodBoardShape(TypedDict):
    """A page of the board of a week (`2026-W48`), a month (`2026-11`) or `all-time`, best first."""

    challenge: str
    period: str
    total: int
    as_of: Timestamp
    items: list[PeriodEntryShape]
    next: str | None
    previous: str | None


class PeriodLeaderboard(Ranked):
    """The board of a week, a month or all time."""

    query_forms = {"GET": RankedQuery}
    answers = {"GET": {200: PeriodBoardShape, 304: None}}
    codes = {"GET": ["not_found", "not_ranked"]}

    def get(self, request: Request, challenge: str, period: str) -> Response:
        """Read the board of `week`, `month`, `all-time` or a past period: by days, then time."""
        group = self.group()
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", challenge):
            raise not_found("board")
        today, name_changes = queries.today_of(challenge_id=challenge)
        row = periods.find(challenge=challenge, period=period, today=today)
        whose = self.whose(group)
        return self.answer(
            lambda: self._shape(row, group),
            version=f"{challenge}-{row.name}-{row.version}-{name_changes}{whose}",
            private=bool(whose),
        )

    def _shape(self, period: Period, group: Group | None) -> PeriodBoardShape:
        asked = {
            "challenge": period.challenge,
            "name": period.name,
            "limit": self.query["limit"],
            "group_id": group and group.pk,
        }
        if player_id := self.around():
            shown = periods.around(**asked, player_id=player_id)
        else:
            shown = periods.page(**asked, cursor=self.query.get("cursor"))
        return {
            "challenge": period.challenge,
            "period": period.name,
            "total": shown.total,
            "as_of": timestamp(clock.now()),
            "items": [
                {
                    "rank": entry.rank,
                    "player": {"id": entry.score.player_id, "name": entry.score.player.name},
                    "days_cleared": entry.score.days_cleared,
                    "ranked_ms": entry.score.ranked_ms,
                }
                for entry in shown.page.items
            ],
            "next": shown.page.next,
            "previous": shown.page.previous,
        }
