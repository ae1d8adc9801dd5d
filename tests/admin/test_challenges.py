"""Challenges: their rules and targets, and the days on which they are not on offer."""

import pytest
from django.test import Client

from games import engine
from games.models import Challenge, DailyDeal, WeekdayTarget
from tests import builders
from tests.admin.pages import address

pytestmark = pytest.mark.django_db


FORM = {
    "id": "one-pass",
    "title": "One Pass",
    "list_order": 1,
    "rows": 7,
    "decks": 1,
    "passes": 1,
    "goal": "pyramid",
    "undo_penalty_ms": 10_000,
    "targets-TOTAL_FORMS": 0,
    "targets-INITIAL_FORMS": 0,
}


@pytest.mark.core
def test_a_challenge_is_changed_for_deals_not_yet_made(deal: DailyDeal, root: Client) -> None:
    challenge = Challenge.objects.get(pk="one-pass")
    changes = {"id": "other", "title": "One Way", "passes": 2, "undo_penalty_ms": 0}
    assert root.post(address(challenge, "change"), {**FORM, **changes}).status_code == 302
    challenge.refresh_from_db()
    assert (challenge.pk, challenge.title) == ("one-pass", "One Way")
    assert (challenge.passes, challenge.undo_penalty_ms) == (2, 0)
    assert not Challenge.objects.filter(pk="other").exists()
    deal = DailyDeal.objects.get(pk=deal.pk)
    assert deal.rules == engine.RULE_SETS["one-pass"]


def test_the_target_of_a_weekday_is_changed_with_its_challenge(
    deal: DailyDeal, root: Client
) -> None:
    challenge = Challenge.objects.get(pk="one-pass")
    monday = WeekdayTarget.objects.get(challenge=challenge, weekday=0)
    target = {
        "targets-TOTAL_FORMS": 1,
        "targets-INITIAL_FORMS": 1,
        "targets-0-id": monday.pk,
        "targets-0-challenge": "one-pass",
        "targets-0-weekday": 0,
        "targets-0-difficulty": "expert",
    }
    assert root.post(address(challenge, "change"), {**FORM, **target}).status_code == 302
    monday.refresh_from_db()
    assert monday.difficulty == "expert"


@pytest.mark.core
@pytest.mark.parametrize(
    "wrong",
    [
        {"rows": 0},
        {"rows": 10},
        {"decks": 3},
        {"passes": 0},
        {"passes": 100},
        {"goal": "none"},
        {"undo_penalty_ms": 600_001},
        {"undo_penalty_ms": -1},
        {"list_order": 2},
        {"title": ""},
    ],
)
def test_a_challenge_that_no_game_could_have_is_refused(
    wrong: dict[str, object], root: Client
) -> None:
    challenge = Challenge.objects.get(pk="one-pass")
    with builders.nothing_changes():
        response = root.post(address(challenge, "change"), {**FORM, **wrong})
        assert response.status_code == 200
        assert response.context["errors"]


def test_a_challenge_is_added_and_deleted_until_it_has_a_deal(root: Client) -> None:
    root.post(address(Challenge, "add"), {**FORM, "id": "short", "title": "Short", "list_order": 5})
    short = Challenge.objects.get(pk="short")
    deal = builders.publish_short("short")
    assert root.post(address(short, "delete"), {"post": "yes"}).status_code == 403
    assert DailyDeal.objects.filter(pk=deal.pk).exists()

    root.post(address(Challenge, "add"), {**FORM, "id": "new", "title": "New", "list_order": 6})
    new = Challenge.objects.get(pk="new")
    assert root.post(address(new, "delete"), {"post": "yes"}).status_code == 302
    assert not Challenge.objects.filter(pk="new").exists()
