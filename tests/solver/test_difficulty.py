from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings

from games import solver
from games.engine import RULE_SETS, Deal, Rules, parse_deal
from games.solver import Difficulty
from games.solver.difficulty import rating_seed
from tests.engine import cases
from tests.solver import blind

VECTORS = cases.vectors("ratings.jsonl")


def deal_of(vector: dict[str, Any]) -> tuple[Deal, Rules]:
    rules = RULE_SETS[vector["rules"]]
    return parse_deal(vector["deal"], rules), rules


@pytest.mark.parametrize("vector", VECTORS)
def test_a_deals_rating_is_a_fact_of_the_deal(vector: dict[str, Any]) -> None:
    deal, rules = deal_of(vector)
    assert f"{rating_seed(deal, rules):016x}" == vector["seed"]
    assert solver.rate(deal, rules) == vector["wins"]
    assert solver.difficulty(vector["wins"]) == vector["difficulty"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("vector", VECTORS)
def test_plain_python_counts_the_same_wins(vector: dict[str, Any]) -> None:
    assert blind.wins(*deal_of(vector), playouts=20_000) == vector["wins"]


@settings(max_examples=100)
@given(cases.small_deals())
def test_small_deals_are_rated_as_by_plain_python(case: tuple[Deal, Rules]) -> None:
    deal, rules = case
    assert solver.rate(deal, rules, playouts=40) == blind.wins(deal, rules, playouts=40)


@settings(max_examples=10)
@given(cases.full_deals())
def test_full_deals_are_rated_as_by_plain_python(case: tuple[Deal, Rules]) -> None:
    deal, rules = case
    assert solver.rate(deal, rules, playouts=20) == blind.wins(deal, rules, playouts=20)


def test_the_generator_is_split_mix_64() -> None:
    """The first numbers from 1234567, as its author's program gives them."""
    assert list(islice(blind.split_mix(1234567), 3)) == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@pytest.mark.parametrize(
    ("wins", "tier"),
    [
        (20_000, "easy"),
        (500, "easy"),
        (499, "medium"),
        (50, "medium"),
        (49, "hard"),
        (5, "hard"),
        (4, "expert"),
        (0, "expert"),
    ],
)
def test_a_tier_begins_where_it_should(wins: int, tier: str) -> None:
    assert solver.difficulty(wins) is Difficulty(tier)
