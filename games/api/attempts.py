"""Starting, playing, resigning, and reading attempts and their logs."""

import re
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import attempts, engine, metrics, queries, replays
from games.api import shapes
from games.api.deals import asked_for
from games.models import Attempt, AttemptStatus
from leaderboards import boards
from pyramid_site import clock
from pyramid_site.api.endpoint import Endpoint, Listing
from pyramid_site.api.parsing import (
    AnyString,
    PageQuery,
    QueryDate,
    QueryInteger,
    Strict,
    StrictInteger,
)
from pyramid_site.paging import Keys
from pyramid_site.refusals import Refusal, not_found

LOG = Keys(("number",))
NEWEST = Keys(("started_at", "id"), descending=True)


class MoveBody(Strict):
    move = AnyString(help_text="such as `D` or `g1g4`")
    ply = StrictInteger(min_value=0, help_text="the length of the log that you have seen")


class LogQuery(Strict):
    limit = QueryInteger(min_value=1, max_value=1000, default=1000)
    cursor = serializers.CharField(max_length=500, required=False)
    positions = serializers.ChoiceField(choices=["0", "1"], default="0")


class OwnAttemptsQuery(PageQuery):
    date = QueryDate(required=False)
    challenge = serializers.CharField(max_length=40, required=False)


def shape(
    row: Attempt, game: engine.Game | None = None, at: datetime | None = None
) -> shapes.AttemptShape:
    """Return the attempt as JSON, `at` an instant or now, with its placing if on its board."""
    placing = None
    if row.ranked and row.status == AttemptStatus.CLEARED:
        placing = boards.placing(attempt_id=row.pk)
    return shapes.attempt(row, game or row.game, at or clock.now(), placing)


def version(body: shapes.AttemptShape) -> str:
    """Return a version that changes with the attempt, and with others' results where it has one."""
    result = body["result"]
    placing = f"-{result['rank']}-{result['of']}" if result else ""
    return f"{body['id']}-{body['ply']}-{body['status']}{placing}"


def identifier(text: str) -> UUID:
    """Parse the id in an address. Raises Refusal `not_found` for a malformed one."""
    if not re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", text):
        raise not_found("attempt")
    return UUID(text)


class DealAttempts(Endpoint):
    """Start an attempt."""

    tag = "attempts"
    player_only = ["POST"]
    answers = {"POST": {201: shapes.AttemptShape, 200: shapes.AttemptShape}}
    codes = {"POST": ["not_found", "deal_closed", "deal_being_made"]}

    def post(self, request: Request, day: str, challenge: str) -> Response:
        """Start the clock and show the cards; 200 if the caller already has an attempt."""
        deal = asked_for(day, challenge)
        row, new = attempts.start(deal=deal, player_id=self.player_id)
        if new:
            metrics.STARTS.labels(row.deal.challenge_id).inc()
        return self.answer(shape(row), status=201 if new else 200)


class OneAttempt(Endpoint):
    """One attempt."""

    tag = "attempts"
    answers = {"GET": {200: shapes.AttemptShape, 304: None}}
    codes = {"GET": ["not_found"]}

    def get(self, request: Request, attempt_id: str) -> Response:
        """Read an attempt: one's own at any time, anybody's once the deal is sealed."""
        row = queries.attempt_seen_by(attempt_id=identifier(attempt_id), player_id=self.caller_id)
        body = shape(row)
        return self.answer(body, version=version(body), private=True)


class Moves(Endpoint):
    """Play a move; read the log."""

    tag = "attempts"
    player_only = ["POST"]
    query_forms = {"GET": LogQuery}
    body_forms = {"POST": MoveBody}
    answers = {
        "GET": {200: shapes.LogShape, 304: None},
        "POST": {200: shapes.AttemptShape},
    }
    codes = {
        "GET": ["not_found"],
        "POST": [
            "not_found",
            "invalid_notation",
            "attempt_over",
            "stale_ply",
            "log_full",
            "nothing_to_undo",
            "illegal_move",
        ],
    }
    problems = {"POST": shapes.MoveProblemShape}

    def post(self, request: Request, attempt_id: str) -> Response:
        """Play a move or an undo. Sending the last one again changes nothing."""
        try:
            played = attempts.play(
                attempt_id=identifier(attempt_id),
                player_id=self.player_id,
                move=self.body["move"],
                ply=self.body["ply"],
            )
        except Refusal as refusal:
            metrics.MOVES.labels(refusal.code).inc()
            if isinstance(refusal, attempts.StalePlyError):
                refusal.data["attempt"] = shape(refusal.attempt, refusal.game)
            raise
        metrics.MOVES.labels("replayed" if played.replayed else "accepted").inc()
        headers = {"Idempotent-Replayed": "true"} if played.replayed else {}
        return self.answer(shape(played.attempt, played.game, played.at), headers=headers)

    def get(self, request: Request, attempt_id: str) -> Response:
        """Read the log; `positions=1` adds the position at the start and after each move."""
        row = queries.attempt_seen_by(attempt_id=identifier(attempt_id), player_id=self.caller_id)
        log = queries.log_of(row)
        page = LOG.page(log, cursor=self.query.get("cursor"), limit=self.query["limit"])
        items = [shapes.move(logged) for logged in page.items]
        body: shapes.LogShape = {"items": items, "next": page.next, "previous": page.previous}
        if self.query["positions"] == "1":
            start = engine.Game.start(row.deal.deal, row.deal.rules)
            body["start"] = engine.format_position(start.shown)
            played = queries.moves_up_to(row, items[-1]["number"]) if items else []
            shown = _shown_after(row, played, first=items[0]["number"] if items else 1)
            for item, position in zip(items, shown, strict=True):
                item["position"] = engine.format_position(position)
        return self.answer(body, version=f"{row.pk}-{row.ply}", private=True)


class Resign(Endpoint):
    """Give up."""

    tag = "attempts"
    player_only = ["POST"]
    answers = {"POST": {200: shapes.AttemptShape}}
    codes = {"POST": ["not_found", "attempt_over"]}

    def post(self, request: Request, attempt_id: str) -> Response:
        """Resign: the attempt ends without a result. Safe to repeat."""
        row = attempts.resign(attempt_id=identifier(attempt_id), player_id=self.player_id)
        return self.answer(shape(row))


class OwnAttempts(Endpoint):
    """The caller's attempts."""

    tag = "attempts"
    player_only = ["GET"]
    query_forms = {"GET": OwnAttemptsQuery}
    answers = {"GET": {200: Listing[shapes.AttemptShape]}}

    def get(self, request: Request) -> Response:
        """List the caller's attempts, newest first. Reading starts no clock."""
        own = queries.attempts_of(
            player_id=self.player_id,
            day=self.query.get("date"),
            challenge_id=self.query.get("challenge"),
        )
        now = clock.now()
        page = NEWEST.page(own, cursor=self.query.get("cursor"), limit=self.query["limit"])
        body: Listing[shapes.AttemptShape] = {
            "items": [shape(row, at=now) for row in page.items],
            "next": page.next,
            "previous": page.previous,
        }
        return self.answer(body, private=True)


def _shown_after(row: Attempt, moves: list[str], *, first: int) -> Iterator[engine.Position]:
    """Yield what the player saw after each move of a log, from move `first` on."""
    rules = row.deal.rules
    played = replays.games_after(
        row.deal.deal, rules, (engine.parse_move(text, rules) for text in moves)
    )
    return (game.shown for game in islice(played, first - 1, None))
