"""Attempts: their logs, played over again, and verdicts on them."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from games.models import Attempt, DailyDeal, LoggedMove
from tests import builders
from tests.admin.pages import AFTER_THE_SEAL, address, play, staff
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.django_db


def test_the_log_of_an_attempt_is_for_those_who_may_see_moves(
    deal: DailyDeal, clock: SimulatedClock
) -> None:
    clock.set(AFTER_THE_SEAL)
    builders.seal(deal)
    page = address(Attempt.objects.get(player__name="Ben"), "change")
    client = staff("view_attempt")
    assert "<td>g1</td>" not in client.get(page).content.decode()
    user = User.objects.get(username="staff")
    user.user_permissions.add(Permission.objects.get(codename="view_loggedmove"))
    assert "<td>g1</td>" in client.get(page).content.decode()


def test_the_page_of_an_attempt_shows_the_end_of_a_long_log(
    root: Client, clock: SimulatedClock
) -> None:
    deal = builders.publish_short()
    long = play(deal, "Eve", ["D", "U"] * 150)
    seen = root.get(address(long, "change")).content.decode()
    numbers = [number for number in range(1, 301) if f"<tr><td>{number}</td>" in seen]
    assert numbers == list(range(101, 301))
    assert "all 300 moves" in seen
    whole = root.get(f"{address(LoggedMove, 'changelist')}?attempt__exact={long.pk}")
    assert whole.context["cl"].paginator.num_pages == 2  # and then more
