"""Recompute attempts and results from the logs and compare them with what is stored."""

from collections.abc import Callable, Iterator
from itertools import groupby

from games import engine, queries
from games.models import Attempt, AttemptStatus, DailyDeal, LoggedMove
from leaderboards import ranking
from leaderboards.audit import Difference, final_ranks, period_boards, tallies, unequal
from leaderboards.models import Result
from pyramid_site import clock

Progress = Callable[[int], object]
"""Told how many attempts are done."""

BATCH = 500  # attempts whose logs are read at once


def differences(progress: Progress) -> Iterator[Difference]:
    """Yield all differences, from one snapshot of the database while play continues."""
    with ranking.snapshot():
        done = 0
        for batch in queries.batches_of_attempts(BATCH):
            yield from _of_attempts(batch)
            done += len(batch)
            progress(done)
        for result in queries.results_without_attempt():
            yield Difference(f"result {result}", "it", "there", "no such attempt")
        for deal in queries.sealed_deals(None).order_by("pk"):
            yield from _of_seal(deal)
            yield from final_ranks(deal_id=deal.pk)
        yield from tallies()
        yield from period_boards()


def _of_attempts(batch: list[Attempt]) -> Iterator[Difference]:
    ids = [attempt.pk for attempt in batch]
    moves = LoggedMove.objects.filter(attempt__in=ids).order_by("attempt", "number")
    logs = {key: list(log) for key, log in groupby(moves, key=lambda move: move.attempt_id)}
    results = Result.objects.in_bulk(ids)
    for attempt in batch:
        yield from _of_attempt(attempt, logs.get(attempt.pk, []), results.get(attempt.pk))


def _of_attempt(
    attempt: Attempt, log: list[LoggedMove], result: Result | None
) -> Iterator[Difference]:
    of = f"attempt {attempt.pk}"
    numbers = [logged.number for logged in log]
    if numbers != list(range(1, len(log) + 1)):
        yield Difference(of, "the numbering of its log", numbers, f"1 to {len(log)}")
        return
    try:
        rules = attempt.deal.rules
        moves = [engine.parse_move(logged.move, rules) for logged in log]
        game = engine.replay(attempt.deal.deal, rules, moves)
    except engine.NotationError as error:
        yield Difference(of, "its log", "unreadable", str(error))
        return
    except engine.GameError as error:
        yield Difference(of, f"move {error.number} of its log", "logged", f"refused: {error}")
        return
    yield from unequal(of, attempt, _attempt_by(game, log, attempt))
    expected = _result_by(game, attempt)
    if (result is None) != (expected is None):
        there = "no result", "a result"
        yield Difference(of, "its place", there[result is not None], there[expected is not None])
    elif result is not None and expected is not None:
        yield from unequal(f"result {attempt.pk}", result, expected)


def _attempt_by(game: engine.Game, log: list[LoggedMove], attempt: Attempt) -> dict[str, object]:
    """Return an attempt's fields as its log implies; other ends than a clear are not in it."""
    times = [logged.at_ms for logged in log]
    last = times[-1] if times else 0
    fields: dict[str, object] = {
        "ply": game.ply,
        "undo_count": game.undo_count,
        "seen": game.seen,
        "line": engine.format_log(game.line),
        "elapsed_ms": last,
    }
    if times != sorted(times):
        fields["elapsed_ms"] = "no time that falls"
    elif attempt.finished_at is not None:
        ended = clock.ms_between(attempt.started_at, attempt.finished_at)
        fields["elapsed_ms"] = max(last, ended)
    cleared = engine.is_cleared(game.position)
    if cleared or attempt.status == AttemptStatus.CLEARED:
        fields["status"] = AttemptStatus.CLEARED if cleared else "not cleared"
    if attempt.ranked:
        deal = attempt.deal
        fields["ranked"] = deal.opens_at <= attempt.started_at < deal.closes_at
        if attempt.status == AttemptStatus.EXPIRED:
            fields["finished_at"] = deal.seals_at
    return fields


def _result_by(game: engine.Game, attempt: Attempt) -> dict[str, object] | None:
    """The fields of the attempt's result, if it has earned one."""
    if not (attempt.ranked and engine.is_cleared(game.position)):
        return None
    penalty = game.rules.undo_penalty_ms * game.undo_count
    return {
        "deal_id": attempt.deal_id,
        "player_id": attempt.player_id,
        "elapsed_ms": attempt.elapsed_ms,
        "undo_count": game.undo_count,
        "ranked_ms": attempt.elapsed_ms + penalty,
        "ply": game.ply,
        "finished_at": attempt.finished_at,
    }


def _of_seal(deal: DailyDeal) -> Iterator[Difference]:
    """Of the counts of a seal."""
    ranked = deal.attempts.filter(ranked=True)
    counts = {
        "players": ranked.count(),
        "cleared": ranked.filter(status=AttemptStatus.CLEARED).count(),
    }
    yield from unequal(f"seal of {deal}", deal.seal, counts)
