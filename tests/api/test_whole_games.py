"""Each challenge played over HTTP to the end, and its rank read everywhere."""

import pytest

from games import engine
from tests.api.client import Client, sign_up
from tests.builders import CERTIFIED, Certified, publish
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core
each_challenge = pytest.mark.parametrize("certified", CERTIFIED.values(), ids=CERTIFIED)


def test_every_challenge_has_a_certified_deal() -> None:
    assert list(CERTIFIED) == list(engine.RULE_SETS)


@each_challenge
def test_a_certified_deal_is_of_its_seed_and_its_line_clears_it(certified: Certified) -> None:
    rules = certified.rules
    deck = engine.deal_deck(certified.seed, certified.challenge, certified.k, rules.decks)
    deal = engine.Deal.from_deck(deck, rules)
    assert engine.format_deal(deal) == certified.deal
    game = engine.replay(deal, rules, engine.parse_log(certified.line, rules))
    assert game.outcome is engine.Outcome.CLEARED


@each_challenge
def test_a_whole_game_to_its_rank(
    ada: Client, ben: Client, clock: SimulatedClock, certified: Certified
) -> None:
    challenge = certified.challenge
    publish(challenge)
    sign_up("Cyd").begin(challenge, *certified.moves)  # in no time at all
    attempt = ada.begin(challenge)
    *moves, last = certified.moves
    for number, move in enumerate(moves, start=1):
        clock.advance(ms=1_000)
        assert move in attempt["legal_moves"]
        attempt = ada.play(attempt, move)
        assert (attempt["status"], attempt["ply"], attempt["stuck"]) == ("active", number, False)
    clock.advance(ms=1_000)
    attempt = ada.play(attempt, last)

    ms = 1_000 * len(certified.moves)
    result = {
        "rank": 2,
        "of": 2,
        "ranked_ms": ms,
        "elapsed_ms": ms,
        "undo_count": 0,
        "ply": len(certified.moves),
    }
    assert (attempt["status"], attempt["result"]) == ("cleared", result)
    assert not any(card for row in attempt["position"]["pyramid"] for card in row)
    assert ada.attempt(attempt["id"]).body == attempt
    assert ada.get("/me/attempts").body["items"] == [attempt]

    entry = {
        "rank": 2,
        "player": {"id": ada.player["id"], "name": "Ada"},
        "ranked_ms": ms,
        "elapsed_ms": ms,
        "undo_count": 0,
        "ply": None,
        "finished_at": attempt["finished_at"],
        "attempt_id": None,
    }
    for board in ("overall", "clean"):
        items = ben.board(challenge, board=board).body["items"]
        assert items[1] == entry
        assert ada.board(challenge, board=board, around="me").body["items"] == items
    deal = ben.get(f"/deals/today/{challenge}").body
    assert (deal["players"], deal["cleared"]) == (2, 2)
    log = ada.get(f"/attempts/{attempt['id']}/moves").body["items"]
    assert [row["move"] for row in log] == certified.moves
    assert ada.get("/me").body["streak"] == 1
