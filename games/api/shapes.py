"""The JSON of deals and attempts. Built by allow-list: what is not named here never leaves."""

from datetime import date, datetime
from typing import Literal, NotRequired, TypedDict, cast
from uuid import UUID

from games import engine
from games.models import Attempt, AttemptStatus, Challenge, DailyDeal, LoggedMove
from games.queries import DealCounts
from leaderboards import boards
from pyramid_site.api.endpoint import Timestamp, optional_timestamp, timestamp
from pyramid_site.api.problems import ProblemShape

DealStatus = Literal["being_made", "open", "closing", "sealed", "void"]
Difficulty = Literal["easy", "medium", "hard", "expert"]
AttemptStatusName = Literal["active", "cleared", "resigned", "expired"]


class RulesShape(TypedDict):
    """A rule set: rows of the pyramid, passes through the stock, and what may be paired."""

    rows: int
    decks: int
    passes: int
    stock_top: bool
    outside_pairs: bool
    goal: Literal["pyramid", "all"]


class ChallengeShape(TypedDict):
    """A rule set with a deal each day."""

    id: str
    title: str
    rules: RulesShape
    undo_penalty_ms: int


class DealShape(TypedDict):
    """A day's deal, without its cards.

    `players` and `cleared` count ranked attempts; above a thousand they lag by some seconds.
    `source` says whether the cards come from a random seed or were written by hand.
    `void_reason` says why a day is `void`: it takes no starts, has no ranks, breaks no streak.
    """

    date: date
    challenge: str
    status: DealStatus
    opens_at: Timestamp
    closes_at: Timestamp
    seals_at: Timestamp
    source: Literal["seed", "hand"]
    commitment: str | None
    difficulty: Difficulty | None
    void_reason: str | None
    players: int
    cleared: int


# Written as a call because of the key "pass", a word that Python keeps for itself.
PositionShape = TypedDict(
    "PositionShape",
    {
        "text": str,
        "pyramid": list[list[str | None]],
        "stock": list[str],
        "waste": list[str],
        "pass": int,
        "passes": int,
    },
)
PositionShape.__doc__ = """What lies on the table.

`pyramid` by rows, apex first, null where a card has left; `stock` next draw first, "??" for a
card that this player was never shown; `waste` with its top last; `pass` counts from 1."""


class ResultShape(TypedDict):
    """Where a cleared ranked attempt stands on the overall board of its deal."""

    rank: int
    of: int
    ranked_ms: int
    elapsed_ms: int
    undo_count: int
    ply: int


class AttemptShape(TypedDict):
    """One player's attempt at a deal, with the cards seen so far.

    `ply` is the length of the log, undos included: send it with the next move. `elapsed_ms` is
    the server's, from the start to now or to the end. `stuck`: no move is left but undo.
    `result` is there for cleared ranked attempts.
    """

    id: UUID
    date: date
    challenge: str
    ranked: bool
    status: AttemptStatusName
    ply: int
    undo_count: int
    started_at: Timestamp
    expires_at: Timestamp | None
    elapsed_ms: int
    finished_at: Timestamp | None
    position: PositionShape
    legal_moves: list[str]
    can_undo: bool
    stuck: bool
    result: ResultShape | None


class MoveShape(TypedDict):
    """A move of a log; `at_ms` since the start, and the `position` after it on request."""

    number: int
    move: str
    at_ms: int
    position: NotRequired[str]


class LogShape(TypedDict):
    """A page of a log; `start` is the position before the first move, on request."""

    items: list[MoveShape]
    next: str | None
    previous: str | None
    start: NotRequired[str]


class MoveProblemShape(ProblemShape):
    """A refused move: `rule` comes with `illegal_move`, `attempt` with `stale_ply`."""

    rule: NotRequired[str]
    attempt: NotRequired[AttemptShape]


def challenge(row: Challenge) -> ChallengeShape:
    rules = row.rules
    return {
        "id": row.pk,
        "title": row.title,
        "rules": {
            "rows": rules.rows,
            "decks": rules.decks,
            "passes": rules.passes,
            "stock_top": rules.stock_top,
            "outside_pairs": rules.outside_pairs,
            "goal": rules.goal,
        },
        "undo_penalty_ms": rules.undo_penalty_ms,
    }


def deal(row: DailyDeal, counts: DealCounts, now: datetime, *, made: bool = True) -> DealShape:
    """A deal; with `made` False one that is being made, of which only its times are known."""
    return {
        "date": row.date,
        "challenge": row.challenge_id,
        "status": _status(row, now) if made else "being_made",
        "opens_at": timestamp(row.opens_at),
        "closes_at": timestamp(row.closes_at),
        "seals_at": timestamp(row.seals_at),
        "source": cast(Literal["seed", "hand"], row.source),
        "commitment": None,
        "difficulty": cast(Difficulty | None, row.difficulty),
        "void_reason": row.voiding.reason if made and row.void else None,
        "players": counts.players,
        "cleared": counts.cleared,
    }


def _status(row: DailyDeal, now: datetime) -> DealStatus:
    if row.void:
        return "void"
    if row.sealed:
        return "sealed"
    return "open" if now < row.closes_at else "closing"


def attempt(
    row: Attempt, game: engine.Game, now: datetime, placing: boards.Placing | None
) -> AttemptShape:
    """An attempt; all of it comes from the shown position, which holds no unseen card."""
    shown = game.shown
    status = row.status_at(now)
    goes_on = status == AttemptStatus.ACTIVE and not game.full
    moves = engine.legal_moves(shown)
    return {
        "id": row.pk,
        "date": row.deal.date,
        "challenge": row.deal.challenge_id,
        "ranked": row.ranked,
        "status": cast(AttemptStatusName, status.value),
        "ply": row.ply,
        "undo_count": row.undo_count,
        "started_at": timestamp(row.started_at),
        "expires_at": optional_timestamp(row.expires_at),
        "elapsed_ms": row.elapsed_at(now),
        "finished_at": optional_timestamp(row.finished_by(now)),
        "position": position(shown),
        "legal_moves": [engine.format_move(move) for move in moves if goes_on],
        "can_undo": goes_on and game.can_undo,
        "stuck": not moves and not engine.is_cleared(shown),
        "result": result(placing) if placing else None,
    }


def position(shown: engine.Position) -> PositionShape:
    return {
        "text": engine.format_position(shown),
        "pyramid": [list(row) for row in engine.rows_of(shown.pyramid)],
        "stock": list(shown.stock),
        "waste": list(shown.waste),
        "pass": shown.pass_number,
        "passes": shown.rules.passes,
    }


def result(placing: boards.Placing) -> ResultShape:
    return {
        "rank": placing.rank,
        "of": placing.of,
        "ranked_ms": placing.result.ranked_ms,
        "elapsed_ms": placing.result.elapsed_ms,
        "undo_count": placing.result.undo_count,
        "ply": placing.result.ply,
    }


def move(row: LoggedMove) -> MoveShape:
    return {"number": row.number, "move": row.move, "at_ms": row.at_ms}
