"""Deals that operators order: made anew, or written by hand."""

from datetime import date

import pytest
from django.db import transaction

from games import deals, engine, making, orders, queries, solver
from games.models import Challenge, DailyDeal, DealOrder
from pyramid_site.refusals import Refusal
from tests import builders
from tests.api.client import Client
from tests.conftest import SimulatedClock

pytestmark = [pytest.mark.core, pytest.mark.django_db]

COMING = date(2026, 12, 3)
HAND = builders.CERTIFIED["double"].deal


@pytest.fixture
def deal(clock: SimulatedClock) -> DailyDeal:
    """The deal of a coming day, of the challenge whose deals are found at once; the only one."""
    Challenge.objects.exclude(pk="double").delete()
    return builders.publish_short("double", day=COMING)


def refused(code: str) -> "pytest.RaisesExc[Refusal]":
    return pytest.raises(Refusal, match=code)


def test_a_deal_made_anew_takes_the_place_of_the_one_that_it_names(deal: DailyDeal) -> None:
    orders.remake(deal_id=deal.pk)
    assert orders.fulfil_all() == 1
    order = DealOrder.objects.get()
    assert (order.source, order.outcome, order.cards) == ("seed", "Made.", "")
    standing = queries.deals().get(date=COMING)
    assert standing.replaces_id == deal.pk
    assert (standing.source, standing.difficulty, standing.target) == ("seed", "easy", "easy")
    assert standing.cards != deal.cards
    assert DailyDeal.objects.count() == 2  # nothing is ever taken away
    assert orders.fulfil_all() == 0
    assert queries.missing_deals([COMING]) == []


def test_a_deal_made_anew_may_be_made_anew_and_only_the_last_stands(deal: DailyDeal) -> None:
    for _ in range(2):
        orders.remake(deal_id=queries.deals().get(date=COMING).pk)
        assert orders.fulfil_all() == 1
    chain = list(DailyDeal.objects.order_by("pk").values_list("pk", "replaces"))
    assert [replaces for _, replaces in chain] == [None, chain[0][0], chain[1][0]]
    assert queries.deals().get(date=COMING).pk == chain[2][0]
    with builders.nothing_changes(), refused("not_found"):
        orders.remake(deal_id=deal.pk)


@pytest.mark.parametrize("instant", ["2026-12-02T23:59:00.000Z", "2026-12-03T00:00:00.000Z"])
def test_a6_a_day_that_has_begun_or_is_about_to_keeps_its_deal(
    instant: str, deal: DailyDeal, clock: SimulatedClock
) -> None:
    orders.remake(deal_id=deal.pk)
    clock.set(instant)
    assert orders.fulfil_all() == 0
    assert DealOrder.objects.get().outcome.startswith("That day has begun")
    assert queries.deals().get(date=COMING) == deal
    with builders.nothing_changes(), refused("deal_closed"):
        orders.remake(deal_id=deal.pk)
    with builders.nothing_changes(), refused("deal_closed"):
        orders.write(day=COMING, challenge_id="double", cards=HAND)


def test_until_a_minute_before_its_day_a_deal_may_be_replaced(
    deal: DailyDeal, clock: SimulatedClock
) -> None:
    clock.set("2026-12-02T23:58:59.999Z")
    orders.write(day=COMING, challenge_id="double", cards=HAND)
    assert orders.fulfil_all() == 1


def test_the_players_get_the_deal_that_stands(deal: DailyDeal, clock: SimulatedClock) -> None:
    orders.write(day=COMING, challenge_id="double", cards=HAND)
    orders.fulfil_all()
    clock.set("2026-12-03T12:00:00.000Z")
    found = Client().get("/deals/today/double").body
    assert (found["source"], found["status"], found["difficulty"]) == ("hand", "open", "easy")
    assert [it["source"] for it in Client().get("/deals/today").body["items"]] == ["hand"]
    clock.set("2026-12-04T02:00:00.000Z")
    assert deals.seal_due() == 1  # and not the one that was replaced
    assert [it["source"] for it in Client().get("/deals").body["items"]] == ["hand"]


def test_a_deal_written_by_hand_is_certified_like_any_other(deal: DailyDeal) -> None:
    orders.write(day=COMING, challenge_id="double", cards=HAND)
    assert orders.fulfil_all() == 1
    written = queries.deals().get(date=COMING)
    assert written.cards == HAND
    assert (written.source, written.k, bytes(written.seed)) == ("hand", None, b"")
    assert written.wins == solver.rate(written.deal, written.rules)
    line = engine.parse_log(written.winning_line, written.rules)
    assert engine.replay(written.deal, written.rules, line).outcome is engine.Outcome.CLEARED


def test_a_deal_is_written_for_a_day_that_has_none(deal: DailyDeal) -> None:
    christmas = date(2026, 12, 25)
    orders.write(day=christmas, challenge_id="double", cards=HAND)
    assert orders.fulfil_all() == 1
    assert queries.deals().get(date=christmas).replaces is None
    assert queries.missing_deals([christmas]) == []


def test_a_written_deal_that_cannot_be_won_is_refused_with_the_reason(deal: DailyDeal) -> None:
    rules = engine.RULE_SETS["one-pass"]
    cards = engine.format_deal(
        engine.Deal.from_deck(engine.deal_deck(bytes(32), "one-pass", 0, 1), rules)
    )
    Challenge.objects.create(
        id="one-pass", title="One Pass", list_order=1, rows=7, decks=1, passes=1, stock_top=False,
        outside_pairs=False, goal="pyramid",
    )  # fmt: skip
    orders.write(day=COMING, challenge_id="one-pass", cards=cards)
    assert orders.fulfil_all() == 0
    order = DealOrder.objects.get()
    assert order.outcome == "Refused: it cannot be won, which the solver has proved."
    assert order.cards == ""
    assert not DailyDeal.objects.filter(challenge="one-pass").exists()


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("", "no Ac"),
        ("Kd/Tc", "no Ac"),
        (HAND.replace("Ks", "Kx", 1), "'Kx' is not a card"),
        (HAND.replace("Ks", "Kd", 1), r"full deck\(s\): no Ks, Kd too often"),
        (HAND.replace("/", "", 1), "is not a deal of 9 rows"),
        (HAND + " ", "is not a deal of 9 rows"),
        (builders.CERTIFIED["one-pass"].deal, "no Ac"),
    ],
)
def test_what_is_no_deal_is_refused_with_what_is_wrong_with_it(
    cards: str, words: str, deal: DailyDeal
) -> None:
    with builders.nothing_changes(), pytest.raises(Refusal, match=words) as refusal:
        orders.write(day=COMING, challenge_id="double", cards=cards)
    assert refusal.value.code == "invalid_notation"


def test_a_deal_that_was_dealt_before_is_not_dealt_again(deal: DailyDeal) -> None:
    builders.seal(builders.publish("double", day=date(2026, 11, 1)))
    with builders.nothing_changes(), refused("deal_known"):
        orders.write(day=COMING, challenge_id="double", cards=HAND)


def test_a4_ordering_a_guess_does_not_tell_whether_it_is_the_deal_of_today(deal: DailyDeal) -> None:
    """Only the worker sees that, and an order stays on record."""
    builders.publish("double", day=builders.DAY)
    orders.write(day=COMING, challenge_id="double", cards=HAND)
    [order] = queries.open_orders()
    assert not orders.fulfil(order=order)
    assert DealOrder.objects.get().outcome == orders.KNOWN


def test_a_day_has_one_open_order(deal: DailyDeal) -> None:
    orders.remake(deal_id=deal.pk)
    with builders.nothing_changes(), refused("already_ordered"):
        orders.write(day=COMING, challenge_id="double", cards=HAND)


def test_nothing_is_ordered_for_a_challenge_that_is_not_there_or_paused(deal: DailyDeal) -> None:
    with builders.nothing_changes(), refused("not_found"):
        orders.write(day=COMING, challenge_id="triple", cards=HAND)
    deals.pause(challenge_id="double", first_day=COMING)
    with builders.nothing_changes(), refused("deal_closed"):
        orders.remake(deal_id=deal.pk)


def test_an_order_waits_while_somebody_else_makes_the_deal_of_its_day(
    deal: DailyDeal, monkeypatch: pytest.MonkeyPatch
) -> None:
    another = date(2026, 12, 25)
    orders.write(day=another, challenge_id="double", cards=HAND)
    monkeypatch.setattr(queries, "lock_deal_of", lambda **_: None)  # it is made just after that
    builders.publish_short("double", day=another)
    with transaction.atomic():
        assert orders.fulfil_all() == 0
    assert DealOrder.objects.get().settled_at is None
    monkeypatch.undo()
    assert orders.fulfil_all() == 1


def test_the_worker_makes_what_is_missing_and_then_what_is_on_order(deal: DailyDeal) -> None:
    orders.remake(deal_id=deal.pk)
    assert making.make_missing(days=1) == 1
    assert orders.fulfil_all() == 1
