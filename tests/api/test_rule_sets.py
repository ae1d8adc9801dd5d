"""Rule sets have one source: the table of the engine. Its rows become challenges."""

import pytest

from games import engine, making, queries, solver
from games.engine import rulesets
from games.models import Challenge, DailyDeal
from games.offering import offer
from tests import rulesets as the_page
from tests.api.client import Client
from tests.builders import DAY
from tests.conftest import SimulatedClock

pytestmark = [pytest.mark.core, pytest.mark.django_db]


def weeks() -> dict[str, tuple[str, ...]]:
    return {
        it.pk: tuple(it.targets.order_by("weekday").values_list("difficulty", flat=True))
        for it in Challenge.objects.all()
    }


def test_each_row_of_the_engine_is_offered_as_it_stands_there() -> None:
    """One that is missing here has no migration yet."""
    found = [(it.pk, it.title, it.rules) for it in queries.challenges()]
    assert found == [(it.id, it.title, it.rules) for it in rulesets.OFFERED]
    assert weeks() == {it.id: it.week for it in rulesets.OFFERED}
    assert {tier for it in rulesets.OFFERED for tier in it.week} <= set(solver.Difficulty)


def test_a_row_that_was_added_is_played_to_its_rank(
    ada: Client, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = the_page.add_the_row(monkeypatch)
    the_page.migrate()
    assert ada.get("/challenges").body["items"][-1]["id"] == row.id
    assert weeks()[row.id] == row.week

    challenge = Challenge.objects.get(pk=row.id)
    assert making.make(day=DAY, challenge=challenge)
    deal = DailyDeal.objects.get(challenge=challenge)
    assert deal.rules == row.rules
    assert deal.rules_line == engine.format_rules(row.rules)
    assert (deal.target, deal.difficulty) == (row.week[DAY.weekday()], "easy")
    assert deal.wins == solver.rate(deal.deal, deal.rules)

    shown = ada.get("/deals/today").body["items"]
    assert [it["status"] for it in shown if it["challenge"] == row.id] == ["open"]
    attempt = ada.begin(row.id)
    for move in deal.winning_line.split(" "):
        clock.advance(ms=1_000)
        attempt = ada.play(attempt, move)
    assert attempt["status"] == "cleared"
    assert attempt["result"]["rank"] == 1
    (entry,) = ada.board(row.id).body["items"]
    assert (entry["rank"], entry["player"]["name"]) == (1, "Ada")


def test_what_an_operator_changed_stays_his(monkeypatch: pytest.MonkeyPatch) -> None:
    row = the_page.add_the_row(monkeypatch)
    the_page.migrate()
    changed = {"title": "Five", "undo_penalty_ms": 1, "paused_from": DAY, "list_order": 9}
    Challenge.objects.filter(pk=row.id).update(**changed)
    Challenge.objects.get(pk=row.id).targets.all().delete()
    the_page.migrate()
    assert Challenge.objects.filter(pk=row.id, **changed).exists()
    assert weeks()[row.id] == ()


def test_a_rule_set_that_the_engine_does_not_have_is_not_offered() -> None:
    before = weeks()
    with pytest.raises(KeyError, match="six-rows"):
        the_page.run(offer("one-pass", "six-rows"))
    assert weeks() == before
