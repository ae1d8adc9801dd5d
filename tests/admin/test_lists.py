"""Lists at any length: as many queries, no counting, found by an index."""

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import pyramid_site.admin
from games.models import Attempt, DailyDeal, LoggedMove
from leaderboards.models import Result
from players.models import Player
from pyramid_site import health
from tests import builders
from tests.admin.pages import AFTER_THE_SEAL, OURS, address, play
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.django_db


@pytest.fixture
def long(deal: DailyDeal) -> DailyDeal:
    """A list of moves that fills three pages and begins a fourth."""
    play(deal, "Cyd", ["D", "U"] * 55)
    assert 150 < LoggedMove.objects.count() < 200
    return deal


def test_lists_take_no_more_queries_the_longer_they_are(
    root: Client, clock: SimulatedClock
) -> None:
    deal = builders.publish_short()
    ours = [model for model in admin.site._registry if model._meta.app_label in OURS]

    def counted() -> dict[str, int]:
        found = {}
        for model in ours:
            with CaptureQueriesContext(connection) as queries:
                assert root.get(address(model, "changelist")).status_code == 200
            found[model.__name__] = len(queries)
        return found

    def grow(number: int) -> None:
        past = builders.publish_short("double", day=builders.DAY.replace(day=number))
        for another in (past, deal):
            clock.instant = another.opens_at
            play(another, f"Player {number}{another.challenge_id[0]}", builders.SHORT_LINE)
        clock.set(AFTER_THE_SEAL)
        builders.seal(past)
        health.beat(f"task {number}")

    grow(1)
    one = counted()
    for number in range(2, 8):
        grow(number)
    assert counted() == one
    assert max(one.values()) <= 10


def test_no_list_counts_its_rows(root: Client, long: DailyDeal) -> None:
    for model, model_admin in admin.site._registry.items():
        if isinstance(model_admin, pyramid_site.admin.ReadOnlyAdmin):
            with CaptureQueriesContext(connection) as queries:
                assert root.get(address(model, "changelist")).status_code == 200
            assert [it["sql"] for it in queries if "COUNT(" in it["sql"].upper()] == [], model
            assert len(queries) <= 12, model


def test_a_list_knows_the_pages_before_and_the_one_after(root: Client, long: DailyDeal) -> None:
    page = address(LoggedMove, "changelist")
    rows = list(LoggedMove.objects.order_by("-id"))
    for number, last in [(1, 2), (2, 3), (3, 4), (4, 4)]:
        shown = root.get(f"{page}?p={number}")
        found = shown.context["cl"]
        assert list(found.result_list) == rows[50 * number - 50 : 50 * number]
        assert (found.page_num, found.paginator.num_pages) == (number, last)
        assert f'href="?p={number + 1}"' in shown.content.decode() or number == last


@pytest.mark.parametrize("wrong", ["5", "0", "-1", "x", "1.5", "\u0663", "99999999999999999999"])
def test_what_is_no_page_of_a_list_leads_back_to_it(
    wrong: str, root: Client, long: DailyDeal
) -> None:
    response = root.get(f"{address(LoggedMove, 'changelist')}?p={wrong}", follow=True)
    assert response.status_code == 200
    assert len(response.context["cl"].result_list) <= 50


def test_a_list_ends_where_paging_would_grow_slow(
    root: Client, long: DailyDeal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pyramid_site.admin, "LISTED", 100)
    page = address(LoggedMove, "changelist")
    assert root.get(f"{page}?p=2").context["cl"].paginator.num_pages == 2
    assert root.get(f"{page}?p=3").status_code == 302


@pytest.mark.core
def test_rows_are_found_by_a_name_or_an_id(deal: DailyDeal, root: Client) -> None:
    ben = Attempt.objects.get(player__name="Ben")
    for model, query, names in [
        (Attempt, "ben", ["Ben"]),
        (Attempt, "BEN", ["Ben"]),
        (Attempt, "be", []),
        (Attempt, str(ben.pk), ["Ben"]),
        (Attempt, str(ben.player_id), ["Ben"]),
        (Attempt, str(deal.pk), []),
        (Result, "ada", ["Ada"]),
        (Result, "ben", []),
        (Player, "be", ["Ben"]),
        (Player, str(ben.player_id), ["Ben"]),
        (Player, str(ben.pk), []),
    ]:
        found = root.get(address(model, "changelist"), {"q": query}).context["cl"].result_list
        assert [str(getattr(row, "player", row)) for row in found] == names, (model, query)
