"""The best of a deal's board with what stands out in their logs."""

from collections import defaultdict
from typing import NamedTuple
from uuid import UUID

from games import replays, review
from games.models import DailyDeal, LoggedMove
from leaderboards import boards
from leaderboards.models import Result

REVIEWED = 50


class Reviewed(NamedTuple):
    """A result, what was measured of its log, and why a person should look, if at all."""

    result: Result
    numbers: review.Numbers
    flags: list[str]


def best_of(deal: DailyDeal) -> list[Reviewed]:
    """The first of the board, as many as fit a page."""
    board = Result.objects.select_related("player").filter(deal=deal.pk)
    results = list(board.order_by(*boards.ORDER.columns)[:REVIEWED])
    logs: dict[UUID, list[tuple[str, int]]] = defaultdict(list)
    moves = LoggedMove.objects.filter(attempt__in=[it.pk for it in results])
    for attempt_id, move, at_ms in moves.order_by("attempt", "number").values_list(
        "attempt_id", "move", "at_ms"
    ):
        logs[attempt_id].append((move, at_ms))
    found = []
    for result in results:
        steps = replays.steps(deal.deal, deal.rules, logs[result.pk])
        found.append(Reviewed(result, review.measure(steps), review.flags(steps)))
    return found
