from collections import Counter
from typing import Any

import pytest

from games.engine import DECK, RULE_SETS, Deal, card_of, deal_deck, format_deal, shuffle
from tests.engine import cases


@pytest.mark.parametrize("case", cases.vectors("shuffle.json"))
def test_the_shuffle_of_a_seed(case: Any) -> None:
    cards = shuffle(bytes.fromhex(case["seed"]), case["decks"])
    assert cards == tuple(map(card_of, case["order"]))
    assert "".join(cards) == case["cards"]


@pytest.mark.parametrize("case", cases.vectors("fair.json", "derivation"))
def test_the_deck_of_a_deal_seed(case: Any) -> None:
    rules = RULE_SETS[case["challenge"]]
    deck = deal_deck(bytes.fromhex(case["seed"]), case["challenge"], case["k"], rules.decks)
    assert format_deal(Deal.from_deck(deck, rules)) == case["deal"]


@pytest.mark.parametrize("decks", [1, 2])
def test_a_shuffle_keeps_every_card(decks: int) -> None:
    assert Counter(shuffle(b"\x01" * 32, decks)) == Counter(DECK * decks)
