"""Who may open which page, and what nobody may write."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.models import Challenge, DailyDeal
from pyramid_site.models import Heartbeat
from tests import builders
from tests.admin.pages import AFTER_THE_SEAL, OURS, address, pages, staff
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.django_db


@pytest.mark.core
def test_nothing_but_challenges_is_written(
    deal: DailyDeal, root: Client, clock: SimulatedClock
) -> None:
    clock.set(AFTER_THE_SEAL)
    builders.seal(deal)
    ours = [model for model in admin.site._registry if model._meta.app_label in OURS]
    beats = list(Heartbeat.objects.values())
    for model in ours:
        if model is Challenge:
            continue
        row = model._default_manager.all()[0]
        with builders.nothing_changes():
            for page in (address(model, "add"), address(row, "change"), address(row, "delete")):
                assert root.post(page, {"post": "yes"}).status_code == 403, page
            action = {"action": "delete_selected", "_selected_action": row.pk, "post": "yes"}
            root.post(address(model, "changelist"), action)
    assert list(Heartbeat.objects.values()) == beats


@pytest.mark.core
def test_e_staff_without_permissions_see_nothing(deal: DailyDeal, superuser: User) -> None:
    client = staff()
    for page in pages(superuser):
        if page == reverse("admin:index"):
            assert client.get(page).context["app_list"] == []
        else:
            assert client.get(page).status_code in (403, 404), page


@pytest.mark.core
def test_e_whoever_is_not_staff_is_sent_to_the_login(deal: DailyDeal, superuser: User) -> None:
    player = Client()
    player.force_login(User.objects.create_user("player"))
    for client in (Client(), player):
        for page in pages(superuser):
            response = client.get(page)
            assert response.status_code == 302, page
            assert response["Location"].startswith("/admin/login/")
