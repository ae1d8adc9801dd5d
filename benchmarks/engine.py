"""What the engine costs on this machine: `python -m benchmarks.engine`."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from time import perf_counter

from games.engine import (
    RULE_SETS,
    Deal,
    Game,
    Move,
    Position,
    Rules,
    deal_deck,
    format_log,
    legal_moves,
    parse_log,
)

REPEATS = 200


def seconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """The mean time of one call."""
    start = perf_counter()
    for _ in range(repeats):
        work()
    return (perf_counter() - start) / repeats


def a_deal(rule_set: str, seed: bytes = bytes(32)) -> Deal:
    rules = RULE_SETS[rule_set]
    return Deal.from_deck(deal_deck(seed, rule_set, 0, rules.decks), rules)


def long_line(rules: Rules, deal: Deal, length: int) -> tuple[Move, ...]:
    """The first legal move each time, which is a draw or a redeal while there is one."""
    game = Game.start(deal, rules)
    while len(game.line) < length:
        game = game.play(legal_moves(game.position)[0])
    return game.line


def replay_costs() -> None:
    rules, deal = replace(RULE_SETS["double"], passes=9), a_deal("double")
    for length in (50, 250):
        line = long_line(rules, deal, length)
        text = format_log(line)
        parse = partial(parse_log, text, rules)
        resume = partial(Game.resume, deal, rules, line=line, ply=length, undo_count=0, seen=0)
        print(
            f"line of {length} moves: parsed in {seconds(parse) * 1e3:.3f} ms,"
            f" replayed in {seconds(resume) * 1e3:.3f} ms"
        )


def legal_moves_cost() -> None:
    for name, rules in RULE_SETS.items():
        position = Position.start(a_deal(name), rules)
        cost = seconds(partial(legal_moves, position))
        print(f"legal moves of a {name} deal: {cost * 1e6:.0f} µs")


if __name__ == "__main__":
    replay_costs()
    legal_moves_cost()
