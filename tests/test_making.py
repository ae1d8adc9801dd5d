"""Making the deals of the coming days, as hard as their weekdays want."""

from datetime import date, timedelta

import pytest

from games import engine, making, queries, solver
from games.models import Challenge, DailyDeal, DealMaking, MakingOutcome, WeekdayTarget
from games.solver import Difficulty
from tests.api.client import Client
from tests.builders import DAY
from tests.conftest import SimulatedClock

pytestmark = [pytest.mark.core, pytest.mark.django_db]

WEEKS = {  # Monday to Sunday, by the first letter of each tier
    "one-pass": "mmmhhhx",
    "three-pass": "eemmhhx",
    "full-clear": "eemmhhx",
    "double": "eeeemmm",
}
TIERS = {"e": "easy", "m": "medium", "h": "hard", "x": "expert"}


@pytest.fixture
def double(clock: SimulatedClock) -> Challenge:
    """The challenge whose deals are found at once, and the only one."""
    Challenge.objects.exclude(pk="double").delete()
    return Challenge.objects.get(pk="double")


@pytest.mark.parametrize("challenge", WEEKS)
def test_the_week_rises(challenge: str) -> None:
    monday = date(2026, 11, 30)
    row = Challenge.objects.get(pk=challenge)
    week = [
        queries.target_difficulty(challenge=row, day=monday + timedelta(days=ahead))
        for ahead in range(7)
    ]
    assert week == [TIERS[letter] for letter in WEEKS[challenge]]


def test_a_weekday_without_a_target_is_to_be_medium(double: Challenge) -> None:
    WeekdayTarget.objects.all().delete()
    assert queries.target_difficulty(challenge=double, day=DAY) == Difficulty.MEDIUM


def test_a_deal_has_the_difficulty_of_its_weekday_and_a_proof(double: Challenge) -> None:
    assert making.make(day=DAY, challenge=double)
    deal = DailyDeal.objects.get()
    assert (deal.target, deal.difficulty) == ("easy", "easy")
    assert solver.rate(deal.deal, deal.rules) == deal.wins
    line = engine.parse_log(deal.winning_line, deal.rules)
    assert engine.replay(deal.deal, deal.rules, line).outcome is engine.Outcome.CLEARED
    assert deal.k is not None
    deck = engine.deal_deck(bytes(deal.seed), "double", deal.k, 2)
    assert engine.Deal.from_deck(deck, deal.rules) == deal.deal
    assert deal.solver_id == solver.SOLVER_ID


def test_the_target_is_the_one_of_the_moment_at_which_a_deal_is_made(double: Challenge) -> None:
    WeekdayTarget.objects.filter(weekday=DAY.weekday()).update(difficulty="medium")
    making.make(day=DAY, challenge=double)
    deal = DailyDeal.objects.get()
    assert (deal.target, deal.difficulty) == ("medium", "medium")


def test_the_api_tells_the_difficulty_and_not_the_wins(double: Challenge) -> None:
    making.make(day=DAY, challenge=double)
    body = Client().get("/deals/today/double").body
    assert body["difficulty"] == "easy"
    assert "wins" not in body


def test_what_is_missing_is_made_a_day_after_the_other(double: Challenge) -> None:
    assert making.make_missing(days=3) == 3
    days = DailyDeal.objects.order_by("pk").values_list("date", flat=True)
    assert list(days) == [DAY, DAY + timedelta(days=1), DAY + timedelta(days=2)]
    assert making.make_missing(days=3) == 0


def test_operators_see_how_far_a_making_has_come(double: Challenge) -> None:
    shown: list[str] = []
    making.make(day=DAY, challenge=double, progress=lambda it: shown.append(str(it)))
    kept = DealMaking.objects.get()
    assert kept.outcome == MakingOutcome.MADE
    assert [kept.tried - 1] == list(DailyDeal.objects.values_list("k", flat=True))
    assert kept.tried == kept.unwinnable + kept.undecided + kept.other_tier + 1
    assert shown[0] == "2026-11-30 double, easy: searching, 1 tried"
    assert shown[-1] == "2026-11-30 double, easy: made"


def test_a_challenge_that_nothing_wins_keeps_no_other_from_its_deals(
    clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    Challenge.objects.exclude(pk="double").delete()
    real = solver.derive

    def derive(**arguments: object) -> solver.Candidate:
        if arguments["challenge_id"] == "hopeless":
            raise solver.NoWinnableDealError("none of its candidates can be won")
        return real(**arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(solver, "derive", derive)
    Challenge.objects.create(
        id="hopeless", title="Hopeless", list_order=9, rows=7, decks=1, passes=9, stock_top=False,
        outside_pairs=False, goal="pyramid",
    )  # fmt: skip
    assert making.make_missing(days=2) == 2
    assert set(DailyDeal.objects.values_list("challenge", flat=True)) == {"double"}
    outcomes = DealMaking.objects.filter(challenge="hopeless").values_list("outcome", flat=True)
    assert list(outcomes) == [MakingOutcome.HOPELESS]
