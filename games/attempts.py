"""Every write to attempts: start, play, resign, expire. Each is one transaction."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection, transaction

from games import engine, metrics, queries
from games.models import Attempt, AttemptStatus, DailyDeal
from leaderboards import standings
from pyramid_site import clock, uuids
from pyramid_site.isolation import unit
from pyramid_site.refusals import Refusal

BATCH = 500  # attempts expired in one transaction


@dataclass(frozen=True, slots=True)
class Played:
    """An attempt `at` the instant after a move; `replayed` if a retry had already logged it."""

    attempt: Attempt
    game: engine.Game
    at: datetime
    replayed: bool = False


class StalePlyError(Refusal):
    """The client's `ply` is out of date; `attempt` is the current state."""

    def __init__(self, attempt: Attempt, game: engine.Game, ply: int) -> None:
        detail = f"The log has {attempt.ply} moves, and you sent ply {ply}. Go on from `attempt`."
        super().__init__("stale_ply", detail)
        self.attempt = attempt
        self.game = game


@transaction.atomic
def start(*, deal: DailyDeal, player_id: UUID) -> tuple[Attempt, bool]:
    """Start an attempt; return it and whether it is new. The clock starts now.

    On the deal's day there is one for ever, ranked unless the settings keep the player from it;
    at a sealed deal any number of practice attempts, one open at a time. Raises Refusal
    `deal_closed` in between and on a void day, for who has none.
    """
    attempt = queries.resumable_attempt(deal=deal, player_id=player_id)
    if attempt is not None:
        return attempt, False
    if deal.void:
        raise Refusal("deal_closed", f"This day was voided: {deal.voiding.reason}")
    now = clock.now()
    if not deal.sealed and not deal.opens_at <= now < deal.closes_at:
        raise Refusal("deal_closed", "The day of this deal is over. Play the deal of today.")
    fresh = Attempt(
        deal=deal,
        player_id=player_id,
        daily=not deal.sealed,
        ranked=not deal.sealed and queries.may_be_ranked(player_id=player_id, now=now),
        started_at=now,
        seen=engine.Game.start(deal.deal, deal.rules).seen,
    )
    # Of starts at the same time one is stored; all of them then read that one.
    Attempt.objects.bulk_create([fresh], ignore_conflicts=True)
    attempt = queries.resumable_attempt(deal=deal, player_id=player_id)
    if attempt is None:  # the practice that was in the way has ended just now
        return start(deal=deal, player_id=player_id)
    return attempt, attempt.pk == fresh.pk


@transaction.atomic
def play(*, attempt_id: UUID, player_id: UUID, move: str, ply: int) -> Played:
    """Play a move or an undo. `ply` is the length of the log that the client has seen.

    The last move sent again with its own ply changes nothing. Raises Refusal `not_found`,
    `invalid_notation`, `attempt_over`, `stale_ply`, `log_full`, `nothing_to_undo`,
    `illegal_move`, in this order.
    """
    attempt, now = queries.lock_attempt(attempt_id=attempt_id, player_id=player_id)
    game = attempt.game
    with _refusing():
        wanted = engine.parse_move(move, attempt.deal.rules)
        if _is_retry(attempt, wanted, ply):
            return Played(attempt, game, now, replayed=True)
        _check_open(attempt, now)
        if ply != attempt.ply:
            raise StalePlyError(attempt, game, ply)
        game = game.play(wanted)
    if cleared := engine.is_cleared(game.position):
        now = _hold_off_the_seal(attempt)
    _run_on(attempt, now)
    if cleared:
        _close(attempt, AttemptStatus.CLEARED)
    _log(attempt, game, wanted)
    if cleared and attempt.ranked:
        _record(attempt)
    return Played(attempt, game, now)


@transaction.atomic
def resign(*, attempt_id: UUID, player_id: UUID) -> Attempt:
    """Resign an attempt: it ends without a result. Safe to repeat.

    Raises Refusal `not_found`, `attempt_over`.
    """
    attempt, now = queries.lock_attempt(attempt_id=attempt_id, player_id=player_id)
    if attempt.status != AttemptStatus.RESIGNED:
        _check_open(attempt, now)
        _end(attempt, AttemptStatus.RESIGNED, now)
    return attempt


def expire_due() -> int:
    """Expire the attempts still open when play at their deals ended; return how many.

    One that fails stops no other, and one that somebody holds locked is left for the next time.
    """
    expired = 0
    for batch in queries.batches_to_expire(clock.now(), BATCH):
        try:
            expired += _expire(batch)
        except Exception:  # of one of them: the others without it
            for attempt_id in batch:
                with unit("expiry", attempt_id):
                    expired += _expire([attempt_id])
    return expired


@transaction.atomic
def _expire(attempt_ids: Sequence[UUID]) -> int:
    now = clock.now()
    open_ones = queries.attempts_to_expire(now).filter(pk__in=attempt_ids)
    due = queries.lock_attempts(open_ones, wait=False)
    for attempt in due:
        _end(attempt, AttemptStatus.EXPIRED, now)
    return len(due)


def expire_all_of(deal: DailyDeal) -> None:
    """Expire the open attempts of a deal whose play has ended, as part of its seal.

    Waits for the move under way in any of them, and leaves them locked: the log of a ranked
    attempt does not grow any more.
    """
    for attempt in queries.lock_attempts(queries.open_ranked_attempts(deal)):
        _end(attempt, AttemptStatus.EXPIRED, deal.seals_at)


def _is_retry(attempt: Attempt, wanted: engine.Move, ply: int) -> bool:
    """Return whether the move repeats the last logged one at the same ply."""
    if ply != attempt.ply - 1:
        return False
    last = queries.log_of(attempt).get(number=attempt.ply)
    return last.move == engine.format_move(wanted)


def _check_open(attempt: Attempt, now: datetime) -> None:
    status = attempt.status_at(now)
    if status != AttemptStatus.ACTIVE:
        raise Refusal("attempt_over", f"The attempt is {status}; it takes no more moves.")


def _hold_off_the_seal(attempt: Attempt) -> datetime:
    """Return the instant of a finish, with the deal's seal locked out and before its play ends."""
    queries.lock_deal_against_sealing(attempt.deal_id)
    now = clock.now()
    _check_open(attempt, now)
    return now


def _log(attempt: Attempt, game: engine.Game, move: engine.Move) -> None:
    """Append the move, and write the attempt as it is after it. The attempt is locked."""
    attempt.ply = game.ply
    attempt.undo_count = game.undo_count
    attempt.seen = game.seen
    attempt.line = engine.format_log(game.line)
    key = uuids.stored(attempt.pk)
    ended = (attempt.status, connection.ops.adapt_datetimefield_value(attempt.finished_at))
    times = (attempt.elapsed_ms, attempt.clock_stepped)
    line = (game.ply, game.undo_count, game.seen, attempt.line)
    with connection.cursor() as cursor:
        cursor.execute(APPEND, (key, game.ply, engine.format_move(move), attempt.elapsed_ms))
        cursor.execute(ADVANCE, (*ended, *times, *line, key))


# Written out for the reason that `queries.lock_attempt` gives.
APPEND = "INSERT INTO games_loggedmove (attempt_id, number, move, at_ms) VALUES (%s, %s, %s, %s)"
ADVANCE = """
UPDATE games_attempt
SET status = %s, finished_at = %s, elapsed_ms = %s, clock_stepped = %s,
    ply = %s, undo_count = %s, seen = %s, line = %s
WHERE id = %s
"""


def _record(attempt: Attempt) -> None:
    """Put a cleared attempt on its board. The attempt is locked."""
    standings.record(
        attempt_id=attempt.pk,
        deal_id=attempt.deal_id,
        player_id=attempt.player_id,
        elapsed_ms=attempt.elapsed_ms,
        undo_count=attempt.undo_count,
        undo_penalty_ms=attempt.deal.rules.undo_penalty_ms,
        ply=attempt.ply,
        finished_at=attempt.last_at,
    )


def _end(attempt: Attempt, status: AttemptStatus, now: datetime) -> None:
    """End the attempt at `now`, or at its expiry if earlier. The attempt is locked."""
    _run_on(attempt, now)
    _close(attempt, status)
    attempt.save(update_fields=["elapsed_ms", "clock_stepped", "finished_at", "status"])


def _close(attempt: Attempt, status: AttemptStatus) -> None:
    """Set how and when the attempt ended; the caller saves it."""
    attempt.finished_at = attempt.last_at
    attempt.status = status
    metrics.FINISHES.labels(status).inc()


def _run_on(attempt: Attempt, now: datetime) -> None:
    """Advance the attempt's time to `now`; if the clock was set back, keep it and flag the attempt.

    The attempt is locked.
    """
    attempt.clock_stepped |= now < attempt.last_at
    attempt.elapsed_ms = attempt.elapsed_at(now)


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn the engine's errors into refusals."""
    try:
        yield
    except engine.NotationError as error:
        raise Refusal("invalid_notation", str(error)) from error
    except engine.LogFullError as error:
        raise Refusal("log_full", str(error)) from error
    except engine.NothingToUndoError as error:
        raise Refusal("nothing_to_undo", str(error)) from error
    except engine.IllegalMoveError as error:
        raise Refusal("illegal_move", str(error), rule=error.rule) from error
