"""Walking a list by its pages: writes elsewhere shift nothing."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from players.models import Player
from pyramid_site import clock as the_clock
from pyramid_site.paging import Keys, Page
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core

OLDEST_FIRST = Keys(("joined_at", "id"))
NEWEST_FIRST = Keys(("joined_at", "id"), descending=True)
BOTH = pytest.mark.parametrize("keys", [OLDEST_FIRST, NEWEST_FIRST])


def join(*seconds: int) -> list[UUID]:
    """Players who joined so many seconds from now; some at one instant."""
    joined = [
        Player(
            name="x",
            name_key=uuid4().hex,
            skeleton=uuid4().hex,
            joined_at=the_clock.now() + timedelta(seconds=it),
        )
        for it in seconds
    ]
    return [player.pk for player in Player.objects.bulk_create(joined)]


def page(keys: Keys, cursor: str | None = None, limit: int = 3) -> Page[Player]:
    return keys.page(Player.objects.all(), cursor=cursor, limit=limit)


def ids(page: Page[Player]) -> list[UUID]:
    return [player.pk for player in page.items]


def in_order(keys: Keys) -> list[UUID]:
    """All players, sorted without the database."""
    rows = sorted(Player.objects.all(), key=keys.of, reverse=keys.descending)
    return [player.pk for player in rows]


@BOTH
@pytest.mark.parametrize("limit", [1, 2, 3, 6, 7, 8])
def test_f3_forwards_and_backwards_meet_every_row_once(
    keys: Keys, limit: int, db: None, clock: SimulatedClock
) -> None:
    join(5, 3, 3, 3, 9, 1, 3)
    here = page(keys, limit=limit)
    assert here.previous is None
    pages = [here]
    while here.next:
        here = page(keys, here.next, limit)
        pages.append(here)
    assert [it for one in pages for it in ids(one)] == in_order(keys)
    assert all(len(ids(one)) == limit for one in pages[:-1])

    back = []
    while here.previous:
        here = page(keys, here.previous, limit)
        back.append(ids(here))
    assert back == [ids(one) for one in pages[-2::-1]]


def test_a_list_without_rows_has_one_empty_page(db: None) -> None:
    assert page(OLDEST_FIRST) == Page([], None, None)


def test_f3_a_cursor_outlives_its_row(db: None, clock: SimulatedClock) -> None:
    players = join(1, 2, 3, 4, 5)
    first = page(OLDEST_FIRST, limit=2)
    Player.objects.filter(pk=players[1]).delete()
    assert ids(page(OLDEST_FIRST, first.next, limit=2)) == players[2:4]


def test_f3_rows_that_come_before_the_first_page_are_found_going_back(
    db: None, clock: SimulatedClock
) -> None:
    players = join(1, 2, 3, 4)
    second = page(OLDEST_FIRST, page(OLDEST_FIRST, limit=2).next, limit=2)
    earlier = join(-1)
    first = page(OLDEST_FIRST, second.previous, limit=2)
    assert ids(first) == players[:2]
    assert ids(page(OLDEST_FIRST, first.previous, limit=2)) == earlier


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    standing=st.lists(st.integers(0, 9), max_size=12),
    coming=st.lists(st.integers(0, 9), max_size=12),
    limit=st.integers(1, 4),
    keys=st.sampled_from([OLDEST_FIRST, NEWEST_FIRST]),
)
def test_f3_under_inserts_nothing_is_met_twice_and_nothing_that_stood_is_lost(
    db: None,
    clock: SimulatedClock,
    standing: list[int],
    coming: list[int],
    limit: int,
    keys: Keys,
) -> None:
    with transaction.atomic():
        stood = join(*standing)
        here = page(keys, limit=limit)
        forwards = ids(here)
        while here.next:
            join(*coming[:1])
            del coming[:1]
            here = page(keys, here.next, limit)
            forwards += ids(here)
        assert set(stood) <= set(forwards)
        assert forwards == [it for it in in_order(keys) if it in forwards]

        stood = in_order(keys)[: in_order(keys).index(forwards[-1]) + 1] if forwards else []
        backwards = ids(here)
        while here.previous:
            join(*coming[:1])
            del coming[:1]
            here = page(keys, here.previous, limit)
            backwards = ids(here) + backwards
        assert set(stood) <= set(backwards)
        assert backwards == [it for it in in_order(keys) if it in backwards]
        transaction.set_rollback(True)
