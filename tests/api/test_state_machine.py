"""The engine and the HTTP API side by side, through random play of every rule set."""

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from games import engine, queries
from games.models import Attempt, LoggedMove
from tests.api.client import Json, Reply, sign_up
from tests.builders import CERTIFIED, store
from tests.conftest import SimulatedClock

WORDS = st.one_of(
    st.text(max_size=6), st.from_regex(r"[a-j][0-9]([a-j][0-9]|[WS])?", fullmatch=True)
)


class Play(RuleBasedStateMachine):
    """One player at one deal. `game` is what the engine makes of the accepted moves."""

    clock: SimulatedClock

    def __init__(self) -> None:
        super().__init__()
        self.example = transaction.atomic()
        self.example.__enter__()
        queries.cached_deal.cache_clear()  # SQLite gives out the ids of the last example again
        self.clock.set("2026-11-30T12:00:00.000Z")
        self.log: list[tuple[str, int, str]] = []
        self.elapsed_ms = 0
        self.resigned = False

    def teardown(self) -> None:
        try:
            if self.log:
                self.check_the_stored_log()
        finally:
            transaction.set_rollback(True)
            self.example.__exit__(None, None, None)

    @initialize(challenge=st.sampled_from(list(CERTIFIED)), seed=st.binary(min_size=1, max_size=32))
    def start(self, challenge: str, seed: bytes) -> None:
        """A winnable deal or, more often, any."""
        rules = engine.RULE_SETS[challenge]
        self.line: list[str] = []
        if seed[0] % 4 == 0:
            certified = CERTIFIED[challenge]
            deal, self.line = engine.parse_deal(certified.deal, rules), certified.moves
        else:
            deal = engine.Deal.from_deck(engine.shuffle(seed.ljust(32, b"\0"), rules.decks), rules)
        store(deal, rules, challenge=challenge)
        self.game = engine.Game.start(deal, rules)
        self.ada, self.challenge = sign_up(), challenge
        self.attempt = self.ada.begin(challenge)

    @property
    def cleared(self) -> bool:
        return self.game.outcome is engine.Outcome.CLEARED

    @property
    def over(self) -> bool:
        return self.resigned or self.cleared

    def send(self, move: str, ply: int | None = None) -> Reply:
        self.clock.advance(ms=10)
        self.elapsed_ms += 0 if self.over else 10
        return self.ada.move(self.attempt["id"], move, self.game.ply if ply is None else ply)

    def accepted(self, move: str) -> None:
        """Plays a move that both take."""
        reply = self.send(move)
        parsed = engine.parse_move(move, self.game.rules)
        self.game = self.game.play(parsed)
        assert reply.status == 200, reply.body
        assert "Idempotent-Replayed" not in reply.headers
        self.attempt = reply.body
        self.log.append(
            (engine.format_move(parsed), self.elapsed_ms, reply.body["position"]["text"])
        )

    def refused(self, reply: Reply, code: str) -> None:
        assert reply.code == code, reply.body
        self.attempt = self.ada.attempt(self.attempt["id"]).body

    @precondition(lambda self: not self.over and self.game.outcome is None)
    @rule(choice=st.integers(0, 1_000), backwards=st.booleans())
    def plays(self, choice: int, backwards: bool) -> None:
        moves = engine.legal_moves(self.game.position)
        move = moves[choice % len(moves)]
        text = engine.format_move(move)
        if backwards and isinstance(move, engine.Pair):
            text = move.second + move.first
        self.accepted(text)

    @precondition(lambda self: not self.over)
    @rule(count=st.integers(1, 15))
    def draws_and_redeals(self, count: int) -> None:
        for _ in range(count):
            for move in ("D", "R"):
                if engine.is_legal(self.game.position, engine.parse_move(move, self.game.rules)):
                    self.accepted(move)
                    break

    @precondition(lambda self: not self.over and self.line[: self.played] == self.played_line)
    @rule(count=st.integers(1, 60))
    def follows_the_winning_line(self, count: int) -> None:
        for move in self.line[self.played :][:count]:
            self.accepted(move)

    @property
    def played(self) -> int:
        return len(self.game.line)

    @property
    def played_line(self) -> list[str]:
        return [engine.format_move(move) for move in self.game.line]

    @precondition(lambda self: not self.over and self.game.can_undo)
    @rule(count=st.integers(1, 5))
    def takes_back(self, count: int) -> None:
        for _ in range(min(count, self.played)):
            self.accepted("U")

    @precondition(lambda self: not self.over and not self.game.can_undo)
    @rule()
    def takes_back_nothing(self) -> None:
        self.refused(self.send("U"), "nothing_to_undo")

    @precondition(lambda self: not self.over)
    @rule(choice=st.integers(0, 100_000))
    def plays_what_the_rules_forbid(self, choice: int) -> None:
        illegal = self.illegal_moves()
        move = illegal[choice % len(illegal)]
        reply = self.send(engine.format_move(move))
        self.refused(reply, "illegal_move")
        with pytest.raises(engine.IllegalMoveError) as error:
            engine.check_legal(self.game.position, move)
        assert reply.body["rule"] == error.value.rule
        assert reply.body["detail"] == str(error.value)

    def illegal_moves(self) -> list[engine.Move]:
        rows = "abcdefghi"[: self.game.rules.rows]
        spots = [
            f"{row}{number}"
            for length, row in enumerate(rows, 1)
            for number in range(1, length + 1)
        ]
        places = [*spots, "W", "S"]
        moves: list[engine.Move] = [engine.Draw(), engine.Redeal(), *map(engine.King, places)]
        moves += [
            engine.Pair(first, second)
            for number, first in enumerate(places)
            for second in places[number + 1 :]
        ]
        return [move for move in moves if not engine.is_legal(self.game.position, move)]

    @rule(text=WORDS)
    def writes_what_is_no_move(self, text: str) -> None:
        try:
            engine.parse_move(text, self.game.rules)
        except engine.NotationError:
            self.refused(self.send(text), "invalid_notation")

    @precondition(lambda self: self.log)
    @rule()
    def sends_the_last_move_again(self) -> None:
        reply = self.send(self.log[-1][0], self.game.ply - 1)
        assert (reply.status, reply.headers["Idempotent-Replayed"]) == (200, "true")
        self.attempt = reply.body

    @rule(behind=st.integers(-5, 5), move=st.sampled_from(["D", "R", "U", "g1g7", "W"]))
    def is_at_another_ply(self, behind: int, move: str) -> None:
        ply = self.game.ply - behind
        retry = behind == 1 and self.log and self.log[-1][0] == move
        if ply < 0 or ply == self.game.ply or retry:
            return
        reply = self.send(move, ply)
        self.refused(reply, "attempt_over" if self.over else "stale_ply")
        if not self.over:
            assert reply.body["attempt"] == self.attempt

    @rule()
    def starts_again(self) -> None:
        reply = self.ada.start(self.challenge)
        assert reply.status == 200
        self.attempt = reply.body

    @precondition(lambda self: not self.cleared and self.game.ply > 20)
    @rule(really=st.integers(0, 9))
    def resigns(self, really: int) -> None:
        if really == 0 or self.resigned:
            self.resigned = True
            self.attempt = self.ada.resign(self.attempt["id"]).body

    @precondition(lambda self: self.over)
    @rule()
    def goes_on_when_it_is_over(self) -> None:
        self.refused(self.send("D"), "attempt_over")

    @invariant()
    def the_attempt_is_what_the_engine_says(self) -> None:
        game, shown = self.game, self.game.shown
        assert self.attempt | self.told(game, shown) == self.attempt
        assert (self.attempt["result"] is None) == (not self.cleared)

    def told(self, game: engine.Game, shown: engine.Position) -> Json:
        status = "resigned" if self.resigned else "cleared" if self.cleared else "active"
        moves = [] if self.over else engine.legal_moves(game.position)
        text = engine.format_position(shown)
        assert self.attempt["position"]["text"] == text
        return {
            "status": status,
            "ply": game.ply,
            "undo_count": game.undo_count,
            "legal_moves": [engine.format_move(move) for move in moves],
            "can_undo": game.can_undo and not self.over,
            "stuck": game.outcome is engine.Outcome.STUCK,
            "elapsed_ms": self.elapsed_ms,
        }

    def check_the_stored_log(self) -> None:
        """The log as stored, as read over HTTP and as replayed by the engine is the one played."""
        moves = [move for move, _, _ in self.log]
        attempt = Attempt.objects.get()
        stored = LoggedMove.objects.order_by("number").values_list("number", "move", "at_ms")
        expected = [(number, move, at) for number, (move, at, _) in enumerate(self.log, start=1)]
        assert list(stored) == expected
        rules = self.game.rules
        replayed = engine.replay(
            attempt.deal.deal, rules, (engine.parse_move(move, rules) for move in moves)
        )
        assert replayed == self.game == attempt.game
        assert moves.count("U") == attempt.undo_count
        log = self.ada.get(f"/attempts/{attempt.pk}/moves", positions=1).body["items"]
        assert [(row["move"], row["at_ms"], row["position"]) for row in log] == self.log


@pytest.mark.core
def test_the_api_plays_as_the_engine_does(db: None, clock: SimulatedClock) -> None:
    class PlayByThisClock(Play):
        pass

    PlayByThisClock.clock = clock
    run_state_machine_as_test(
        PlayByThisClock,
        settings=settings(
            max_examples=15,
            stateful_step_count=30,
            database=None,
            deadline=None,
            phases=[Phase.generate],  # told at once, not after minutes of shrinking
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
    )
