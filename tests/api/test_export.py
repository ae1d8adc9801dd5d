"""All that the server holds of a player, in one document."""

import pytest
from django.apps import apps
from django.db.models import ForeignKey

from players.models import Player
from tests.api.client import PASSWORD, Client, log_in
from tests.builders import SHORT_LINE, publish_short, seal
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core


def test_the_export_holds_everything(ada: Client, ben: Client, clock: SimulatedClock) -> None:
    deal = publish_short()
    first = ada.begin("one-pass", "D", "U")
    clock.advance(ms=5_000)
    ada.play(first, *SHORT_LINE)
    ben.begin("one-pass", *SHORT_LINE)
    ada.patch("/me", {"name": "Cyd"})
    ada.post("/me/claim", {"password": PASSWORD, "email": "ada@example.org"})
    log_in("Cyd")
    group = ada.post("/groups", {"name": "friends"}).body
    clock.set("2026-12-01T02:00:00.000Z")
    seal(deal)
    ada.start(day="2026-11-30")

    reply = ada.get("/me/export")
    assert reply.status == 200
    assert reply.headers["Cache-Control"] == "no-store"
    assert reply.body == {
        "player": {**ada.player, "name": "Cyd", "guest": False},
        "claimed_at": "2026-11-30T12:00:05.000Z",
        "email": "ada@example.org",
        "email_confirmed_at": None,
        "former_names": [{"name": "ada", "freed_at": "2026-11-30T12:00:05.000Z"}],
        "tokens": [
            {"created_at": "2026-11-30T12:00:00.000Z", "expires_at": "2027-11-30T12:00:00.000Z"},
            {"created_at": "2026-11-30T12:00:05.000Z", "expires_at": "2027-11-30T12:00:05.000Z"},
        ],
        "known_places": [{"seen_at": "2026-11-30T12:00:05.000Z"}],
        "groups": [
            {
                "id": group["id"],
                "name": "friends",
                "own": True,
                "joined_at": "2026-11-30T12:00:05.000Z",
            }
        ],
        "scores": [],
        "attempts": [
            {"attempt": attempt, "log": ada.get(f"/attempts/{attempt['id']}/moves").body["items"]}
            for attempt in reversed(ada.get("/me/attempts").body["items"])
        ],
    }
    [played, practice] = reply.body["attempts"]
    assert [move["move"] for move in played["log"]] == ["D", "U", *SHORT_LINE]
    assert played["attempt"]["result"]["rank"] == 2
    assert (practice["attempt"]["ranked"], practice["log"]) == (False, [])


def test_the_export_of_one_who_has_just_come(ada: Client) -> None:
    body = ada.get("/me/export").body
    assert (body["player"], body["claimed_at"], body["email"]) == (ada.player, None, "")
    assert (body["attempts"], len(body["tokens"]), body["former_names"]) == ([], 1, [])


def test_head_of_the_export_has_no_body(ada: Client) -> None:
    reply = ada.request("HEAD", "/me/export")
    assert (reply.status, reply.content) == (200, b"")
    assert reply.headers["Content-Type"] == "application/json"


def test_e_the_export_is_of_the_caller_alone(ada: Client, ben: Client) -> None:
    publish_short()
    attempt = ben.begin("one-pass", "D")
    exported = ada.get("/me/export").content.decode()
    for theirs in (ben.player["id"], attempt["id"], "Ben"):
        assert theirs not in exported
    assert attempt["id"] in ben.get("/me/export").content.decode()


def test_a_long_export_takes_a_query_for_each_attempt(
    ada: Client, clock: SimulatedClock, django_assert_max_num_queries: object
) -> None:
    deal = publish_short()
    clock.set("2026-12-01T02:00:00.000Z")
    seal(deal)
    for _ in range(5):
        ada.play(ada.start(day="2026-11-30").body, "D", *SHORT_LINE)
    with django_assert_max_num_queries(9 + 2 * 5):  # type: ignore[operator]
        assert len(ada.get("/me/export").body["attempts"]) == 5


def test_every_table_that_knows_a_player_is_in_the_export() -> None:
    """Who adds one exports it as well, and names it here."""
    knowing = {
        model.__name__
        for model in apps.get_models()
        if any(
            isinstance(field, ForeignKey) and field.related_model is Player
            for field in model._meta.get_fields()
        )
    }
    # A mail is a matter of a day, and what is held of its key is a hash.
    assert knowing == {
        "Attempt", "FormerName", "Group", "KnownPlace", "Mail", "Membership", "PeriodScore",
        "Result", "Token"
    }  # fmt: skip
