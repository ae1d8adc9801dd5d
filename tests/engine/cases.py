"""What the tests are given: stored truth, and deals and games drawn by Hypothesis."""

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from hypothesis import strategies as st

from games.engine import (
    RULE_SETS,
    Deal,
    Game,
    Move,
    Position,
    Rules,
    Undo,
    legal_moves,
    parse_deck,
    parse_position,
    shuffle,
)
from games.engine.cards import parse_cards

Walk: TypeAlias = tuple[Game, list[Move]]
"""A game's start and moves of it, undos included."""

seeds = st.integers(0, 2**64 - 1)

TESTS = Path(__file__).parent.parent


def vectors(name: str, part: str | None = None) -> list[Any]:
    """The cases of a file in tests/vectors: JSON lines, a JSON list, or one part of an object."""
    text = (TESTS / "vectors" / name).read_text()
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in text.splitlines()]
    stored = json.loads(text)
    cases: list[Any] = stored if part is None else stored[part]
    return cases


def decided_deals(rule_set: str) -> list[dict[str, str]]:
    """The rows of the file in tests/data that holds decided deals of a rule set."""
    (path,) = (TESTS / "data").glob(f"{rule_set}-*.csv")
    lines = (line for line in path.read_text().splitlines() if not line.startswith("#"))
    return list(csv.DictReader(lines))


def decided_deal(row: dict[str, str], rules: Rules) -> Deal:
    """The deal of such a row: written out, or the shuffle of its label's SHA-256."""
    if "deck" in row:
        return parse_deck(row["deck"], rules)
    return Deal.from_deck(shuffle(sha256(row["label"].encode()).digest(), rules.decks), rules)


def position(text: str, rule_set: str = "one-pass") -> Position:
    """A position of any size under the rules of a rule set."""
    rows = text.split(" ")[0].count("/") + 1
    return parse_position(text, replace(RULE_SETS[rule_set], rows=rows))


def rules(*, max_rows: int = 9) -> st.SearchStrategy[Rules]:
    return st.builds(
        Rules,
        rows=st.integers(1, max_rows),
        decks=st.integers(1, 2),
        passes=st.integers(1, 3),
        stock_top=st.booleans(),
        outside_pairs=st.booleans(),
        goal=st.sampled_from(["pyramid", "all"]),
        undo_penalty_ms=st.integers(0, 60_000),
    )


@st.composite
def full_deals(draw: st.DrawFn) -> tuple[Deal, Rules]:
    """A full deal under one of the four rule sets."""
    rule_set = draw(st.sampled_from(list(RULE_SETS.values())))
    seed = draw(st.binary(min_size=32, max_size=32))
    return Deal.from_deck(shuffle(seed, rule_set.decks), rule_set), rule_set


@st.composite
def small_deals(draw: st.DrawFn, max_rows: int = 4, max_stock: int = 8) -> tuple[Deal, Rules]:
    """A short pyramid and stock of cards that mostly find partners, under any rules."""
    small = draw(rules(max_rows=max_rows))
    size = small.rows * (small.rows + 1) // 2 + draw(st.integers(0, max_stock))
    chance = Random(draw(seeds))
    pairs = draw(st.sampled_from([["6c7d"], ["6c7d", "5h8s"], ["6c7d", "5h8s", "4c9d"]]))
    cards = parse_cards("".join(chance.choices(pairs, k=size)))[:size]
    cards = (*cards[:-1], draw(st.sampled_from([cards[-1], "Kh"])))
    return Deal.from_deck(chance.sample(cards, size), small), small


@st.composite
def walks(draw: st.DrawFn, undos: bool = True) -> Walk:
    """A full deal's start and the moves of a random game of it, one in five an undo."""
    deal, rule_set = draw(full_deals())
    start = game = Game.start(deal, rule_set)
    chance = Random(draw(seeds))
    moves: list[Move] = []
    for _ in range(draw(st.integers(10, 150))):
        choices: list[Move] = legal_moves(game.position)
        if undos and game.can_undo and (not choices or chance.random() < 0.2):
            choices = [Undo()]
        if not choices:
            break
        moves.append(chance.choice(choices))
        game = game.play(moves[-1])
    return start, moves


def games(start: Game, moves: list[Move]) -> Iterator[Game]:
    """The game after each of the moves, the start first."""
    yield start
    for move in moves:
        start = start.play(move)
        yield start


def rules_with(rules: Rules, **changes: Any) -> Rules:
    return replace(rules, **changes)
