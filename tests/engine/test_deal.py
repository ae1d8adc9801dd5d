import pytest
from hypothesis import given

from games.engine import (
    DECK,
    RULE_SETS,
    Deal,
    NotationError,
    Rules,
    format_deal,
    parse_deal,
    parse_deck,
)
from games.engine.layout import SPOTS, covers
from tests.engine import cases

ONE_PASS = RULE_SETS["one-pass"]
LINE = (
    "Ac/2c3c/4c5c6c/7c8c9cTc/JcQcKcAd2d/3d4d5d6d7d8d/9dTdJdQdKdAh2h"
    " 3h4h5h6h7h8h9hThJhQhKhAs2s3s4s5s6s7s8s9sTsJsQsKs"
)


@pytest.mark.parametrize(
    ("rule_set", "pyramid", "stock"), [("one-pass", 28, 24), ("double", 45, 59)]
)
def test_r1_the_first_cards_fill_the_pyramid_and_the_rest_are_the_stock(
    rule_set: str, pyramid: int, stock: int
) -> None:
    rules = RULE_SETS[rule_set]
    deck = DECK * rules.decks
    deal = Deal.from_deck(deck, rules)
    assert (deal.pyramid, deal.stock) == (deck[:pyramid], deck[pyramid:])
    assert (len(deal.pyramid), len(deal.stock)) == (pyramid, stock)


def test_r1_a_deck_must_fill_the_pyramid() -> None:
    with pytest.raises(ValueError, match="27 cards do not fill a pyramid of 7 rows"):
        Deal.from_deck(DECK[:27], ONE_PASS)
    assert Deal.from_deck(DECK[:28], ONE_PASS).stock == ()


def test_r2_a_spot_is_covered_by_two_of_the_next_row() -> None:
    names = {SPOTS[spot]: [SPOTS[cover] for cover in over] for spot, over in enumerate(covers(7))}
    assert names["a1"] == ["b1", "b2"]
    assert names["b2"] == ["c2", "c3"]
    assert names["f1"] == ["g1", "g2"]
    assert names["f6"] == ["g6", "g7"]
    assert [name for name, over in names.items() if not over] == [
        "g1",
        "g2",
        "g3",
        "g4",
        "g5",
        "g6",
        "g7",
    ]


def test_a_deal_line_reads_apex_first_and_next_draw_first() -> None:
    deal = parse_deal(LINE, ONE_PASS)
    assert deal == Deal.from_deck(DECK, ONE_PASS)
    assert format_deal(deal) == LINE


@given(cases.full_deals())
def test_deals_survive_their_text(case: tuple[Deal, Rules]) -> None:
    deal, rules = case
    assert parse_deal(format_deal(deal), rules) == deal
    assert parse_deck("".join(deal.pyramid + deal.stock), rules) == deal


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        LINE + " ",
        " " + LINE,
        LINE + "\n",
        LINE.replace(" ", ""),
        LINE.replace(" ", "  "),
        LINE.replace("/", ""),
        LINE.replace("/", " "),
        LINE.replace("Ac/2c3c", "Ac2c/3c"),
        LINE.replace("Ac/", "/Ac"),
        LINE.replace("Ac", "ac"),
        LINE.replace("Ac", "--"),
        LINE.replace("Ac", "??"),
        LINE.replace("Ac", "2c"),
        LINE.removesuffix("Ks"),
        LINE + "Ks",
        LINE.removesuffix("Ks") + "K",
    ],
)
def test_a_deal_line_is_strict(text: str) -> None:
    with pytest.raises(NotationError):
        parse_deal(text, ONE_PASS)


def test_a_deal_needs_the_decks_of_its_rules() -> None:
    with pytest.raises(NotationError, match="full deck"):
        parse_deck("".join(DECK), RULE_SETS["double"])
    with pytest.raises(NotationError, match="full deck"):
        parse_deck("".join(DECK * 2), ONE_PASS)
