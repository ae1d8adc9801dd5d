"""Workers and operators at the very same time (C3)."""

from datetime import date
from functools import partial

import pytest
from django.db import connection

from games import deals, orders, queries
from games.models import DailyDeal, Voiding
from pyramid_site.refusals import Refusal
from tests import builders
from tests.conftest import Database, SimulatedClock
from tests.threads import at_once

COMING = date(2026, 12, 3)


@pytest.fixture
def deal(committed_db: Database, clock: SimulatedClock) -> DailyDeal:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time: there is nothing to race")
    return builders.publish_short("double", day=COMING)


def test_c3_an_order_that_several_workers_take_up_is_fulfilled_once(deal: DailyDeal) -> None:
    orders.write(day=COMING, challenge_id="double", cards=builders.CERTIFIED["double"].deal)
    assert sorted(at_once(*[orders.fulfil_all] * 4)) == [0, 0, 0, 1]
    assert DailyDeal.objects.count() == 2
    assert queries.deals().get(date=COMING).replaces_id == deal.pk


def test_c3_a_day_is_voided_once_however_many_do_it(deal: DailyDeal, clock: SimulatedClock) -> None:
    clock.set("2026-12-03T12:00:00.000Z")

    def void(reason: str) -> str:
        try:
            deals.void(deal_id=deal.pk, reason=reason)
        except Refusal as refusal:
            return refusal.code
        return "done"

    answers = at_once(*(partial(void, f"Reason {number}.") for number in range(4)))
    assert sorted(answers) == ["deal_void", "deal_void", "deal_void", "done"]
    assert Voiding.objects.count() == 1
