"""All that is stored, computed anew from the logs: plainly, and with no speed in mind."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games import engine
from games.models import Attempt, AttemptStatus, DailyDeal
from leaderboards import boards
from leaderboards.boards import Board
from leaderboards.models import Standing

Acknowledged = Mapping[Any, Sequence[tuple[int, str]]]
"""The moves that players were told are logged: by attempt, each with the ply it was sent with."""


def check(acknowledged: Acknowledged | None = None) -> None:
    """Logs are gapless and replay to their attempts, boards are what the logs earn, and each move
    that was acknowledged is there, in its place and so once.
    """
    for attempt in Attempt.objects.select_related("deal__seal"):
        check_attempt(attempt)
    for deal in DailyDeal.objects.select_related("seal"):
        check_board(deal)
    for attempt_id, moves in (acknowledged or {}).items():
        logged = dict(Attempt.objects.get(pk=attempt_id).log.values_list("number", "move"))
        for ply, move in moves:
            assert logged[ply + 1] == move


def check_attempt(attempt: Attempt) -> None:
    """Its log leads to it, one move after the other, within its time."""
    log = list(attempt.log.order_by("number"))
    assert [it.number for it in log] == list(range(1, attempt.ply + 1))
    times = [0, *(it.at_ms for it in log), attempt.elapsed_ms]
    assert times == sorted(times)

    rules = attempt.deal.rules
    moves = [engine.parse_move(it.move, rules) for it in log]
    played = engine.replay(attempt.deal.deal, rules, moves)
    assert attempt.game == played
    assert attempt.undo_count == moves.count(engine.Undo())
    cleared = played.outcome is engine.Outcome.CLEARED
    assert cleared == (attempt.status == AttemptStatus.CLEARED)
    assert attempt.finished_at in (None, attempt.last_at)
    assert (attempt.finished_at is None) == (attempt.status == AttemptStatus.ACTIVE)
    if attempt.daily:
        assert attempt.deal.opens_at <= attempt.started_at < attempt.deal.closes_at


def check_board(deal: DailyDeal) -> None:
    """Its results are those that the attempts earn, live and final."""
    ranked = list(deal.attempts.filter(ranked=True))
    penalty = deal.rules.undo_penalty_ms
    earned = sorted(
        (it.elapsed_ms + penalty * it.undo_count, it.undo_count, it.player_id, it.pk)
        for it in ranked
        if it.status == AttemptStatus.CLEARED
    )
    for board in Board:
        on_it = [it for it in earned if board is Board.OVERALL or it[1] == 0]
        expected = [(1 + sum(other[:2] < it[:2] for other in on_it), *it) for it in on_it]
        assert list(walk(deal, board)) == expected
    standings = Standing.objects.filter(result__deal=deal)
    if not deal.sealed:
        assert not standings.exists()
        return
    assert standings.count() == deal.seal.cleared == len(earned)
    assert deal.seal.players == len(ranked)
    assert AttemptStatus.ACTIVE not in {it.status for it in ranked}


def walk(deal: DailyDeal, board: Board) -> Iterator[tuple[Any, ...]]:
    """The rows of a board as the server tells them, all pages."""
    cursor = None
    while True:
        page = boards.page(deal_id=deal.pk, board=board, cursor=cursor, limit=100).page
        for entry in page.items:
            row = entry.result
            yield entry.rank, row.ranked_ms, row.undo_count, row.player_id, row.attempt_id
        if (cursor := page.next) is None:
            return
