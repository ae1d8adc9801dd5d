"""What a sealed deal was like for those who played it."""

from datetime import date
from typing import TypedDict

from rest_framework.request import Request
from rest_framework.response import Response

from games import queries
from games.api.deals import asked_for
from games.models import DailyDeal
from leaderboards import statistics
from pyramid_site.api.endpoint import Endpoint
from pyramid_site.refusals import Refusal


class BarShape(TypedDict):
    """How many results took at least `from_ms` and less than `to_ms`; the last bar is open."""

    from_ms: int
    to_ms: int | None
    count: int


class PercentileShape(TypedDict):
    """`percent` of the results took `elapsed_ms` or less."""

    percent: int
    elapsed_ms: int


class UndoCountShape(TypedDict):
    """How many results have this many undos; 20 means 20 or more."""

    undo_count: int
    count: int


class DealStatsShape(TypedDict):
    """Statistics of a sealed deal. `clear_rate` is `cleared` / `players`, null if nobody played.

    `times`, `percentiles` and `undo_counts` cover the results on the board, without empty entries.
    """

    date: date
    challenge: str
    players: int
    cleared: int
    clear_rate: float | None
    times: list[BarShape]
    percentiles: list[PercentileShape]
    undo_counts: list[UndoCountShape]


class DealStats(Endpoint):
    """The statistics of a deal."""

    tag = "deals"
    answers = {"GET": {200: DealStatsShape, 304: None}}
    codes = {"GET": ["not_found", "not_sealed", "deal_being_made"]}

    def get(self, request: Request, day: str, challenge: str) -> Response:
        """Read times, clear rate and undo counts of a sealed deal."""
        deal = asked_for(day, challenge)
        if not deal.sealed:
            raise Refusal("not_sealed", "The statistics are shown when the deal is sealed.")
        version = f"{deal.pk}-{queries.boards_version(deal)}"
        return self.answer(lambda: _shape(deal), version=version)


def _shape(deal: DailyDeal) -> DealStatsShape:
    found = statistics.of_deal(deal.tally)
    players, cleared = deal.seal.players, deal.seal.cleared
    return {
        "date": deal.date,
        "challenge": deal.challenge_id,
        "players": players,
        "cleared": cleared,
        "clear_rate": round(cleared / players, 4) if players else None,
        "times": [
            {"from_ms": bar.from_ms, "to_ms": bar.to_ms, "count": bar.count} for bar in found.times
        ],
        "percentiles": [
            {"percent": percent, "elapsed_ms": ms} for percent, ms in found.percentiles
        ],
        "undo_counts": [
            {"undo_count": undos, "count": count} for undos, count in found.undo_counts
        ],
    }
