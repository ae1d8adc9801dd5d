"""One attempt a deal and player, whatever is tried for another (B1, B2, B5, B7)."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import IntegrityError, connection, transaction
from pytest_django import Settings

from games import attempts, deals, queries
from games.models import Attempt, DailyDeal
from leaderboards.models import Result
from pyramid_site import clock as the_clock
from tests import recomputation
from tests.api.client import PASSWORD, claimed, log_in, sign_up
from tests.builders import SHORT_LINE, nothing_changes, publish_short, seal
from tests.conftest import Database, SimulatedClock
from tests.threads import at_once

SEALS_AT = "2026-12-01T02:00:00.000Z"


@pytest.fixture
def deal(db: None, clock: SimulatedClock) -> DailyDeal:
    return publish_short()


@pytest.fixture
def guests_unranked(settings: Settings) -> None:
    """Only accounts that were claimed a week ago are ranked."""
    settings.RANKED_ACCOUNT_AGE_DAYS = "7"


@pytest.mark.core
def test_b1_an_undo_is_logged_counted_and_shows_no_card_twice_for_nothing(
    deal: DailyDeal,
) -> None:
    ada = sign_up()
    attempt = ada.begin("one-pass", "D", "U", "D", "U")
    assert (attempt["ply"], attempt["undo_count"]) == (4, 2)
    assert attempt["position"]["stock"][:2] == ["Ac", "??"]
    finished = ada.play(attempt, *SHORT_LINE)
    assert finished["result"]["ranked_ms"] == finished["elapsed_ms"] + 2 * 10_000
    recomputation.check()


@pytest.mark.core
def test_b5_a_guest_plays_for_practice_where_the_settings_say_so(
    deal: DailyDeal, guests_unranked: None
) -> None:
    ada = sign_up()
    attempt = ada.begin("one-pass", *SHORT_LINE)
    assert (attempt["ranked"], attempt["expires_at"], attempt["result"]) == (False, None, None)
    assert attempt["status"] == "cleared"
    assert ada.board().body["total"] == 0
    told = ada.get("/deals/today/one-pass").body
    assert (told["players"], told["cleared"]) == (0, 0)
    me = ada.get("/me").body
    assert (me["streak"], me["stats"]) == (0, [])
    assert not Result.objects.exists()
    recomputation.check()


@pytest.mark.core
def test_b5_what_is_not_ranked_counts_nowhere_after_the_seal_either(
    deal: DailyDeal, guests_unranked: None, clock: SimulatedClock
) -> None:
    ada = sign_up()
    assert ada.begin("one-pass", *SHORT_LINE)["status"] == "cleared"
    ben = sign_up()
    ben.resign(ben.begin()["id"])
    clock.set(SEALS_AT)
    assert deals.seal_due() == deals.count_sealed() == 1
    seal = deal.seal
    assert (seal.players, seal.cleared) == (0, 0)
    [archived] = ada.get("/deals").body["items"]
    for told in (archived, ada.get("/deals/2026-11-30/one-pass").body):
        assert (told["players"], told["cleared"]) == (0, 0)
    stats = ada.get("/deals/2026-11-30/one-pass/stats").body
    assert (stats["players"], stats["cleared"], stats["clear_rate"]) == (0, 0, None)
    assert stats["times"] == stats["percentiles"] == stats["undo_counts"] == []
    for board in ("overall", "clean"):
        assert ada.board(day="2026-11-30", board=board).body["total"] == 0
        refused = ada.board(day="2026-11-30", board=board, around="me")
        assert refused.refusal == (404, "not_ranked")
    for period in ("2026-W49", "2026-11", "all-time"):
        assert ada.get(f"/leaderboards/one-pass/{period}").body["total"] == 0
    me = ada.get("/me").body
    assert (me["streak"], me["stats"]) == (0, [])
    recomputation.check()


@pytest.mark.core
def test_b5_the_age_of_an_account_runs_from_its_claim_and_not_from_its_joining(
    db: None, clock: SimulatedClock, guests_unranked: None
) -> None:
    ada = sign_up()
    clock.advance(days=30)
    assert ada.post("/me/claim", {"name": "Ada", "password": PASSWORD}).status == 200
    publish_short(day=the_clock.today())
    assert ada.begin()["ranked"] is False
    clock.advance(days=7, ms=-1)
    publish_short("double", day=the_clock.today())
    assert ada.start("double").body["ranked"] is False
    clock.advance(ms=1)
    publish_short(day=the_clock.today())
    assert ada.start().body["ranked"] is True


@pytest.mark.core
@pytest.mark.parametrize(
    ("days", "age", "ranked"),
    [("7", timedelta(days=7), True), ("7", timedelta(days=7) - timedelta(milliseconds=1), False),
     ("0", timedelta(0), True), ("", timedelta(0), True), ("1", timedelta(hours=1), False)],
)  # fmt: skip
def test_b5_an_account_is_ranked_from_the_age_that_the_settings_say(
    db: None, clock: SimulatedClock, settings: Settings, days: str, age: timedelta, ranked: bool
) -> None:
    ada = claimed("Ada")
    clock.instant += age
    publish_short(day=the_clock.today())
    settings.RANKED_ACCOUNT_AGE_DAYS = days
    assert ada.begin()["ranked"] is ranked
    settings.RANKED_ACCOUNT_AGE_DAYS = ""
    assert ada.start().body["ranked"] is ranked


@pytest.mark.core
def test_b2_an_unranked_attempt_of_the_day_has_no_second_either(
    deal: DailyDeal, guests_unranked: None, settings: Settings, clock: SimulatedClock
) -> None:
    ada = sign_up()
    first = ada.begin("one-pass", "D")
    over = ada.resign(first["id"]).body
    settings.RANKED_ACCOUNT_AGE_DAYS = ""
    for instant in ("2026-11-30T13:00:00.000Z", "2026-12-01T01:00:00.000Z"):
        clock.set(instant)
        with nothing_changes():
            again = ada.start(day="2026-11-30")
        assert (again.status, again.body) == (200, over)
    clock.set(SEALS_AT)
    seal(deal)
    practice = ada.start(day="2026-11-30")
    assert (practice.status, practice.body["ranked"]) == (201, False)


@pytest.mark.core
def test_b2_unranked_play_of_the_day_goes_on_after_the_seal(
    deal: DailyDeal, guests_unranked: None, clock: SimulatedClock
) -> None:
    ada = sign_up()
    attempt = ada.begin("one-pass", "b1b2")
    clock.set(SEALS_AT)
    seal(deal)
    again = ada.start(day="2026-11-30")
    assert (again.status, again.body["id"]) == (200, attempt["id"])
    assert ada.play(attempt, "a1")["status"] == "cleared"
    assert ada.board(day="2026-11-30").body["total"] == 0
    recomputation.check()


@pytest.mark.core
def test_b2_the_database_holds_one_attempt_of_the_day(deal: DailyDeal) -> None:
    ada = sign_up()
    ada.resign(ada.begin()["id"])
    [stored] = Attempt.objects.values()
    for change in ({"ranked": False, "status": "cleared"}, {"ranked": True}):
        second = Attempt(**{**stored, **change})
        second.pk = second._meta.pk.get_default()
        with nothing_changes(), pytest.raises(IntegrityError), transaction.atomic():
            second.save(force_insert=True)
    ranked_practice = Attempt(**{**stored, "daily": False, "ranked": True})
    ranked_practice.pk = ranked_practice._meta.pk.get_default()
    with nothing_changes(), pytest.raises(IntegrityError), transaction.atomic():
        ranked_practice.save(force_insert=True)


def test_b2_starts_and_resignations_at_once_leave_one_attempt(
    committed_db: Database, clock: SimulatedClock, guests_unranked: None
) -> None:
    """A start that has looked before another was stored and ended, stores none after it."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time: there is nothing to race")
    deal = publish_short()
    ada = sign_up()
    player_id = ada.player["id"]

    def start_and_resign() -> None:
        attempt, _ = attempts.start(deal=DailyDeal.objects.get(), player_id=player_id)
        attempts.resign(attempt_id=attempt.pk, player_id=player_id)

    at_once(*[start_and_resign] * 10)
    assert Attempt.objects.filter(deal=deal).count() == 1


@pytest.mark.core
def test_b2_a_practice_that_ends_while_another_begins_leaves_a_new_one(
    deal: DailyDeal, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first look comes before the other practice, the second right after its end."""
    clock.set(SEALS_AT)
    seal(deal)
    ada = sign_up()
    in_the_way = ada.start(day="2026-11-30").body["id"]
    look, looks = queries.resumable_attempt, list[dict[str, Any]]()

    def looked(**asked: Any) -> Attempt | None:
        looks.append(asked)
        if len(looks) == 2:
            attempts.resign(attempt_id=UUID(in_the_way), player_id=UUID(ada.player["id"]))
        return look(**asked) if len(looks) > 1 else None

    monkeypatch.setattr(queries, look.__name__, looked)
    fresh = ada.start(day="2026-11-30")
    assert (fresh.status, fresh.body["status"], fresh.body["ply"]) == (201, "active", 0)
    assert (fresh.body["id"] != in_the_way, len(looks)) == (True, 4)
    assert ada.attempt(in_the_way).body["status"] == "resigned"


@pytest.mark.core
def test_b7_a_claim_makes_an_unranked_attempt_neither_ranked_nor_two(
    deal: DailyDeal, guests_unranked: None
) -> None:
    guest = sign_up()
    attempt = guest.begin("one-pass", "D")
    assert guest.post("/me/claim", {"name": "Ada", "password": PASSWORD}).status == 200
    for ada in (guest, log_in("Ada")):
        again = ada.start()
        assert (again.status, again.body["id"], again.body["ranked"]) == (200, attempt["id"], False)
    assert Attempt.objects.count() == 1
