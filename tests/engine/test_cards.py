import pytest

from games.engine import DECK, HIDDEN, NotationError, card_of, value
from games.engine.cards import parse_cards


def test_r3_values() -> None:
    assert [value(rank + "h") for rank in "A23456789TJQK"] == list(range(1, 14))


def test_a_deck_has_52_different_cards_in_the_order_of_their_numbers() -> None:
    assert len(set(DECK)) == 52
    assert [card_of(number) for number in (0, 12, 13, 26, 39, 51)] == [
        "Ac",
        "Kc",
        "Ad",
        "Ah",
        "As",
        "Ks",
    ]
    assert [card_of(52 + number) for number in range(52)] == list(DECK)


def test_nobody_may_ask_for_the_value_of_an_unseen_card() -> None:
    with pytest.raises(KeyError):
        value(HIDDEN)


@pytest.mark.parametrize("text", ["K", "Kdd", "kd", "KD", "1d", "10d", "??", "--", "Kd ", "Kd Tc"])
def test_a_text_that_is_no_run_of_cards_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is not a card") as refusal:
        parse_cards(text)
    assert repr(text) in str(refusal.value)
