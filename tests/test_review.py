"""What stands out in a log (H): numbers, and flags that ask a person to look."""

from collections.abc import Sequence

import pytest

from games import engine, replays, review
from games.replays import Step
from tests import builders
from tests.test_docs import ROOT

CERTIFIED = builders.CERTIFIED["one-pass"]
DEAL = engine.parse_deal(CERTIFIED.deal, CERTIFIED.rules)
LINE = CERTIFIED.moves


def log(moves: Sequence[str], gaps: Sequence[int]) -> list[Step]:
    """Moves with the ms before each, which are repeated as often as they are needed."""
    at, timed = 0, []
    for number, move in enumerate(moves):
        at += gaps[number % len(gaps)]
        timed.append((move, at))
    return replays.steps(DEAL, CERTIFIED.rules, timed)


def human(moves: Sequence[str] = LINE) -> list[Step]:
    return log(moves, [900, 2_400, 1_300, 5_200, 700, 1_900, 3_100])


def test_a_step_knows_its_gap_and_what_it_showed() -> None:
    steps = log(["g1", "D", "D", "U", "D"], [1_000, 250])
    assert [(it.number, it.at_ms, it.gap_ms) for it in steps] == [
        (1, 1_000, 1_000), (2, 1_250, 250), (3, 2_250, 1_000), (4, 2_500, 250), (5, 3_500, 1_000),
    ]  # fmt: skip
    assert [it.shows_a_card for it in steps] == [False, True, True, False, False]
    assert [it.is_undo for it in steps] == [False, False, False, True, False]
    assert steps[3].after.position == steps[1].after.position
    assert steps[3].after.seen == 2  # what was seen stays seen


def test_h_the_numbers_of_a_log() -> None:
    gaps = [9_000, 100, 200, 300, 400]
    found = review.measure(log(["g1", "D", "D", "U", "D"], gaps))
    assert (found.moves, found.undos) == (5, 1)
    assert (found.median_ms, found.least_ms) == (250, 100)  # the first move is for reading
    assert found.spread_ms == 250  # 125 to 375
    assert (found.after_new_ms, found.after_known_ms) == (250, 250)  # 200, 300 and 100, 400
    assert (found.longest_burst, found.moves_after_last_undo) == (1, 1)


@pytest.mark.parametrize("moves", [[], ["g1"]])
def test_h_a_log_too_short_to_measure_has_no_numbers_and_no_flags(moves: list[str]) -> None:
    found = review.measure(log(moves, [1]))
    assert (found.median_ms, found.least_ms, found.spread_ms) == (None, None, None)
    assert (found.after_new_ms, found.after_known_ms) == (None, None)
    assert review.flags(log(moves, [1])) == []


def test_h_a_person_s_log_has_no_flags() -> None:
    assert review.flags(human()) == []


@pytest.mark.parametrize(
    ("steps", "flags"),
    [
        (log(LINE, [299]), ["fast moves", "even pace", "no pause at new cards"]),
        (log(LINE, [2_000]), ["even pace"]),
        (log(LINE, [2_000, 2_050, 1_950]), ["even pace"]),
        (log(LINE, [2_000, 2_400, 1_600]), []),
        (log(LINE, [900, 2_400, 59, 5_200]), ["moves faster than a hand"]),
        (log(LINE, [900, 2_400, 60, 5_200]), []),
        (log(LINE[:20], [2_000]), []),  # too few to tell a pace
    ],
)
def test_h_what_is_flagged_and_what_is_not_yet(steps: list[Step], flags: list[str]) -> None:
    assert review.flags(steps) == flags


@pytest.mark.parametrize(("scouted", "flags"), [(10, ["many undos at once, then none"]), (9, [])])
def test_h_scouting_and_then_a_line_without_a_slip(scouted: int, flags: list[str]) -> None:
    assert review.flags(human([*LINE[:scouted], *["U"] * scouted, *LINE])) == flags


def test_h_undos_at_the_very_end_are_no_line_without_a_slip() -> None:
    assert review.flags(human([*LINE[:30], *["U"] * 10, *LINE[20:29]])) == []


def test_h_the_published_rule_names_every_bound() -> None:
    published = (ROOT / "docs/review.md").read_text().replace(",", "")
    for bound in (
        review.ENOUGH, review.FAST_MS, review.LEAST_MS, review.ENOUGH_CARDS, review.BURST,
        review.SURE, f"{review.EVEN:.0%}".replace("%", " %"),
    ):  # fmt: skip
        assert f"**{bound}" in published, bound
