"""Requests at the very same time, on real threads and a real PostgreSQL (B2, C1)."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations_with_replacement

import pytest
from django.db import connection

from games import deals, engine
from games.models import Attempt, DailyDeal, LoggedMove
from leaderboards.models import Result
from tests import recomputation
from tests.api.client import Client, Json, Reply, sign_up
from tests.builders import SHORT_PYRAMID, SHORT_RULES, publish_short, store
from tests.conftest import Database, SimulatedClock
from tests.threads import at_once

SEALS_AT = "2026-12-01T02:00:00.000Z"


@pytest.fixture(autouse=True)
def on_postgresql() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time: there is nothing to race")


@pytest.fixture
def deal(on_postgresql: None, committed_db: Database, clock: SimulatedClock) -> DailyDeal:
    return publish_short()


def moves(client: Client, attempt: Json, *texts: str) -> list[Reply]:
    """Moves that are all sent at once, with the present ply."""
    callers = [Client(client.token) for _ in texts]
    return at_once(
        *[
            partial(caller.move, attempt["id"], text, attempt["ply"])
            for caller, text in zip(callers, texts, strict=True)
        ]
    )


def outcomes(replies: Sequence[Reply]) -> Counter[str]:
    """How many were played, replayed, and refused by which code."""
    return Counter(
        reply.code or ("replayed" if "Idempotent-Replayed" in reply.headers else "played")
        for reply in replies
    )


def logged() -> list[str]:
    rows = list(LoggedMove.objects.order_by("number").values_list("number", "move"))
    assert [number for number, _ in rows] == list(range(1, len(rows) + 1))
    return [move for _, move in rows]


def test_b2_fifty_starts_at_once_are_one_start(deal: DailyDeal) -> None:
    ada = sign_up()
    replies = at_once(*[Client(ada.token).start for _ in range(50)])
    assert Counter(reply.status for reply in replies) == {201: 1, 200: 49}
    assert len({reply.content for reply in replies}) == 1
    assert Attempt.objects.count() == 1


def test_practice_starts_at_once_are_one_start(deal: DailyDeal, clock: SimulatedClock) -> None:
    ada = sign_up()
    clock.set(SEALS_AT)
    assert deals.seal_due() == 1
    replies = at_once(*[partial(Client(ada.token).start, day="2026-11-30") for _ in range(8)])
    assert Counter(reply.status for reply in replies) == {201: 1, 200: 7}
    assert Attempt.objects.count() == 1


def test_c1_of_different_moves_at_one_ply_exactly_one_is_logged(deal: DailyDeal) -> None:
    ada = sign_up()
    attempt = ada.begin("one-pass", "D")
    texts = ["D", "U", "b1b2", "D", "U", "b1b2", "D", "U"]
    replies = moves(ada, attempt, *texts)
    first, won = logged()
    assert (first, texts.count(won)) == ("D", [reply.status for reply in replies].count(200))
    assert outcomes(replies)["played"] == 1
    now = ada.attempt(attempt["id"]).body
    for text, reply in zip(texts, replies, strict=True):
        if text == won:
            assert (reply.status, reply.body) == (200, now)
        else:
            assert (reply.code, reply.body["attempt"]) == ("stale_ply", now)


@pytest.mark.parametrize("move", ["D", "U", "b1b2"])
def test_c2_the_same_move_eight_times_at_once_is_logged_once(deal: DailyDeal, move: str) -> None:
    ada = sign_up()
    attempt = ada.begin("one-pass", "D")
    replies = moves(ada, attempt, *[move] * 8)
    assert outcomes(replies) == {"played": 1, "replayed": 7}
    assert len({reply.content for reply in replies}) == 1
    assert logged() == ["D", move]


def test_c1_eight_finishes_at_once_are_one_result(deal: DailyDeal) -> None:
    ada = sign_up()
    attempt = ada.begin("one-pass", "b1b2")
    replies = moves(ada, attempt, *["a1"] * 8)
    assert outcomes(replies) == {"played": 1, "replayed": 7}
    assert {reply.body["result"]["of"] for reply in replies} == {1}
    assert Result.objects.count() == 1


ACTS = {"draw": "D", "undo": "U", "move": "W", "finish": "a1", "resign": None}
ROUNDS = 5


@pytest.mark.parametrize(
    ("one", "other"),
    [pytest.param(*pair, id="-".join(pair)) for pair in combinations_with_replacement(ACTS, 2)],
)
def test_c1_of_two_acts_at_once_one_comes_after_the_other(
    committed_db: Database, clock: SimulatedClock, one: str, other: str
) -> None:
    """What comes of them is what comes of them in one order or in the other."""
    publish_king_first()
    first, second = act(one), act(other)
    allowed = [
        outcome(lambda player, attempt: [first(player, attempt), second(player, attempt)]),
        outcome(lambda player, attempt: [second(player, attempt), first(player, attempt)][::-1]),
    ]
    for _ in range(ROUNDS):
        raced = outcome(
            lambda player, attempt: at_once(
                partial(first, Client(player.token), attempt),
                partial(second, Client(player.token), attempt),
            )
        )
        assert raced in allowed
    recomputation.check()


Act = Callable[[Client, Json], Reply]


def act(name: str) -> Act:
    """A move at the ply of an attempt, or the end of it."""
    move = ACTS[name]
    if move is None:
        return lambda player, attempt: player.resign(attempt["id"])
    return lambda player, attempt: player.move(attempt["id"], move, attempt["ply"])


def outcome(acts: Callable[[Client, Json], Sequence[Reply]]) -> tuple[object, ...]:
    """What the acts at a new attempt were answered, and what they made of it."""
    player = sign_up()
    attempt = player.begin("one-pass", "b1b2", "D")
    answers = [
        reply.code or ("replayed" if "Idempotent-Replayed" in reply.headers else "done")
        for reply in acts(player, attempt)
    ]
    after = Attempt.objects.get(pk=attempt["id"])
    log = list(after.log.order_by("number").values_list("move", flat=True))
    return answers, log, after.status, Result.objects.filter(attempt_id=after.pk).count()


def publish_king_first() -> DailyDeal:
    """The short deal with a King as the first card of the stock."""
    rest = [card for card in engine.DECK if card not in (*SHORT_PYRAMID, "Kc")]
    deck = [*SHORT_PYRAMID, "Kc", *rest]
    return store(engine.Deal.from_deck(deck, SHORT_RULES), SHORT_RULES)


def test_finishes_of_eight_players_at_once_are_all_ranked(deal: DailyDeal) -> None:
    players = [sign_up() for _ in range(8)]
    started = [player.begin("one-pass", "b1b2") for player in players]
    replies = at_once(
        *[
            partial(player.move, attempt["id"], "a1", 1)
            for player, attempt in zip(players, started, strict=True)
        ]
    )
    assert {reply.body["result"]["rank"] for reply in replies} == {1}
    assert players[0].attempt(started[0]["id"]).body["result"]["of"] == 8
