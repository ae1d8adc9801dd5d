"""One row that cannot be dealt with stops no other, and the failure is told (C3)."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import OperationalError, connection
from django.test import Client as DjangoClient
from prometheus_client import CollectorRegistry, generate_latest
from pytest_django import Settings

from games import attempts, deals, making, orders, queries, tasks
from games.models import Attempt, AttemptStatus, Challenge, DailyDeal, DealOrder, Seal
from leaderboards import live, periods, standings
from leaderboards.models import CountedDay, Tally
from leaderboards.tasks import rebuild_boards
from players import accounts
from players.models import Player
from pyramid_site import counting, health, isolation, metrics
from pyramid_site.models import Heartbeat
from pyramid_site.refusals import Refusal
from tests import builders
from tests.api.client import sign_up
from tests.builders import DAY, SHORT_LINE, publish_short
from tests.conftest import Database, SimulatedClock

pytestmark = pytest.mark.core

SEALS_AT = "2026-12-01T02:00:00.000Z"
SECRET = "Qs of a hidden row"


@pytest.fixture(autouse=True)
def stage(request: pytest.FixtureRequest, clock: SimulatedClock) -> None:
    if "committed_db" not in request.fixturenames:
        request.getfixturevalue("db")


@pytest.fixture
def poison(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes a function fail for some of its calls, as a row that breaks a rule would."""

    def make(module: Any, name: str, is_poison: Callable[..., bool]) -> None:
        real = getattr(module, name)

        def call(*arguments: Any, **named: Any) -> Any:
            if is_poison(*arguments, **named):
                raise ValueError(SECRET)
            return real(*arguments, **named)

        monkeypatch.setattr(module, name, call)

    return make


def failed(task: str) -> dict[str, int]:
    """The units of the last run of a task that failed."""
    return Heartbeat.objects.get(task=task).failed or {}


def two_deals() -> tuple[DailyDeal, DailyDeal]:
    """Of one day, each cleared by Ada and left open by Ben; the first comes first in each loop."""
    both = publish_short("one-pass"), publish_short("double")
    ada, ben = sign_up(), sign_up()
    for challenge in ("one-pass", "double"):
        ada.begin(challenge, *SHORT_LINE)
        ben.begin(challenge)
    return both


def test_c3_a_deal_that_cannot_be_sealed_keeps_no_other_from_its_seal(
    clock: SimulatedClock, poison: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = two_deals()
    clock.set(SEALS_AT)
    with monkeypatch.context() as patch:
        real = standings.finalize
        patch.setattr(
            standings,
            "finalize",
            lambda **its: 1 / 0 if its["deal_id"] == bad.pk else real(**its),
        )
        tasks.sweep()
    assert [seal.deal_id for seal in Seal.objects.all()] == [good.pk]
    assert CountedDay.objects.get().deal_id == good.pk
    assert failed("sweep") == {"seal": 1}
    tasks.sweep()
    assert set(Seal.objects.values_list("deal", flat=True)) == {bad.pk, good.pk}
    assert failed("sweep") == {}


def test_c3_a_sealed_deal_that_cannot_be_counted_keeps_no_other_from_its_boards(
    clock: SimulatedClock, poison: Callable[..., None]
) -> None:
    bad, good = two_deals()
    clock.set(SEALS_AT)
    poison(periods, "count", lambda **its: its["deal_id"] == bad.pk)
    tasks.sweep()
    assert Seal.objects.count() == 2
    assert [it.deal_id for it in CountedDay.objects.all()] == [good.pk]
    assert (failed("sweep"), failed("count")) == ({}, {"count": 1})


def test_c3_an_attempt_that_cannot_expire_keeps_no_other_open(
    clock: SimulatedClock, poison: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a batch of it and others, and in the batches after it."""
    publish_short()
    for _ in range(5):
        sign_up().begin()
    bad = Attempt.objects.order_by("pk")[1]
    clock.set(SEALS_AT)
    poison(attempts, "_end", lambda attempt, *rest: attempt.pk == bad.pk)
    monkeypatch.setattr(attempts, "BATCH", 2)
    tasks.sweep()
    assert [it.pk for it in Attempt.objects.filter(status=AttemptStatus.ACTIVE)] == [bad.pk]
    assert failed("sweep") == {"expiry": 1, "seal": 1}  # its deal waits for it


def test_c3_a_making_that_fails_keeps_no_other_deal_from_being_made(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of one challenge on one day: its other days, and the others on that day, have theirs."""
    settings.DEALS_AHEAD_DAYS = 1
    missing = [(day, it.pk) for day, it in queries.missing_deals(queries.coming_days(2))]
    bad = missing[0]

    def make(*, day: date, challenge: Challenge, progress: object) -> bool:
        if (day, challenge.pk) == bad:
            raise ValueError(SECRET)
        publish_short(challenge.pk, day)
        return True

    monkeypatch.setattr(making, "make", make)
    tasks.make_deals()
    assert set(DailyDeal.objects.values_list("date", "challenge")) == {*missing} - {bad}
    assert failed("make_deals") == {"making": 1}


def test_c3_an_order_that_fails_keeps_no_other_from_being_seen_to(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DEALS_AHEAD_DAYS = 0
    for challenge in builders.CERTIFIED:
        publish_short(challenge)
    bad, good = (DAY + timedelta(days=number) for number in (2, 3))
    for day in (bad, good):
        orders.write(day=day, challenge_id="double", cards=builders.CERTIFIED["double"].deal)

    def written(order: DealOrder) -> DailyDeal:
        if order.date == bad:
            raise ValueError(SECRET)
        raise Refusal("not_winnable", "Nothing wins it.")

    monkeypatch.setattr(orders, "_written", written)
    tasks.make_deals()
    seen_to = DealOrder.objects.values_list("date", "outcome").order_by("date")
    assert list(seen_to) == [(bad, ""), (good, "Nothing wins it.")]
    assert failed("make_deals") == {"order": 1}


def test_c3_a_player_who_cannot_be_cleared_away_keeps_no_other(
    clock: SimulatedClock,
) -> None:
    """A row that another one protects, which the look did not know of."""
    kept, gone = (accounts.sign_up(name=name).player for name in ("Ada", "Ben"))
    deal = publish_short()
    standings.record(
        attempt_id=UUID(int=7), deal_id=deal.pk, player_id=kept.pk, elapsed_ms=1, undo_count=0,
        undo_penalty_ms=0, ply=2, finished_at=clock.instant,
    )  # fmt: skip
    clock.advance(days=91)
    tasks.sweep()
    assert [it.pk for it in Player.objects.all()] == [kept.pk]
    assert failed("clear_away") == {"clear_away": 1}
    assert gone.pk != kept.pk


@pytest.mark.parametrize(
    ("module", "name"),
    [(attempts, "expire_due"), (deals, "seal_due"), (counting, "forget_lapsed"),
     (accounts, "forget_lapsed"), (deals, "count_sealed")],
)  # fmt: skip
def test_c3_a_part_of_the_sweep_that_fails_whole_stops_no_other_part(
    module: Any, name: str, clock: SimulatedClock, poison: Callable[..., None]
) -> None:
    two_deals()
    old = accounts.sign_up(name=None).player
    clock.set(SEALS_AT)
    Player.objects.filter(pk=old.pk).update(joined_at=clock.instant - timedelta(days=91))
    poison(module, name, lambda: True)
    tasks.sweep()
    assert Seal.objects.count() == (0 if name == "seal_due" else 2)
    assert CountedDay.objects.count() == (0 if name in ("seal_due", "count_sealed") else 2)
    assert Attempt.objects.filter(status=AttemptStatus.ACTIVE).count() == 0
    assert not Player.objects.filter(pk=old.pk).exists()
    assert health.heartbeats() != []


def test_c3_a_board_that_cannot_be_built_keeps_no_other_from_it(
    poison: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    two_deals()
    bad, good = Tally.objects.order_by("pk")
    asked: list[int] = []
    monkeypatch.setattr(live, "catch_up", lambda tally, *, clean: asked.append(tally.pk))
    poison(live, "catch_up", lambda tally, **its: tally.pk == bad.pk)
    rebuild_boards()
    assert asked == [good.pk] * 2
    assert failed("rebuild_boards") == {"board": 2}


# What is told of it


@pytest.mark.usefixtures("asked_by_the_test_itself")
def test_c3_a_failed_unit_is_told_by_health_and_metrics_and_the_worker_lives(
    client: DjangoClient, clock: SimulatedClock, poison: Callable[..., None]
) -> None:
    two_deals()
    clock.set(SEALS_AT)
    poison(standings, "finalize", lambda **its: True)
    tasks.sweep()
    body = client.get("/readyz").json()
    assert body["status"] == "ready"
    assert "seal" in body["degraded"]
    assert "sweep" not in body["degraded"]
    registry = CollectorRegistry()
    registry.register(metrics.read)
    text = generate_latest(registry).decode()
    assert 'pyramid_failed_units{task="sweep",unit="seal"} 2.0' in text


def test_a5_the_log_says_what_failed_and_where_and_nothing_of_what_it_held(
    clock: SimulatedClock, poison: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    bad, _ = two_deals()
    clock.set(SEALS_AT)
    poison(standings, "finalize", lambda **its: its["deal_id"] == bad.pk)
    with caplog.at_level(logging.INFO):
        tasks.sweep()
    [record] = [it for it in caplog.records if it.levelno == logging.ERROR]
    said = record.getMessage()
    assert said.startswith(f"seal {bad.pk} failed and is left for the next run: ValueError at ")
    assert "deals.py:" in said
    assert SECRET not in caplog.text


# Locks that nobody gives back, and a database that is away


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no lock of a row")
    monkeypatch.setattr(isolation, "PATIENCE", "200ms")


ATTEMPT = "SELECT 1 FROM games_attempt WHERE id = %s FOR UPDATE"
HEARTBEAT = "SELECT 1 FROM pyramid_site_heartbeat WHERE task = %s FOR UPDATE"


def test_c3_an_attempt_that_is_locked_for_ever_holds_up_its_own_deal_alone(
    committed_db: Database, clock: SimulatedClock, impatient: None
) -> None:
    bad, good = two_deals()
    locked = Attempt.objects.get(deal=bad, status=AttemptStatus.ACTIVE)
    clock.set(SEALS_AT)
    with held_elsewhere(ATTEMPT, locked.pk):
        tasks.sweep()
        assert [seal.deal_id for seal in Seal.objects.all()] == [good.pk]
        assert [it.pk for it in Attempt.objects.filter(status="active")] == [locked.pk]
        assert failed("sweep") == {"seal": 1}
    tasks.sweep()
    assert Seal.objects.count() == 2
    assert failed("sweep") == {}


def test_c3_a_heartbeat_that_is_locked_for_ever_holds_up_no_sweep(
    committed_db: Database, clock: SimulatedClock, impatient: None
) -> None:
    tasks.sweep()
    two_deals()
    clock.set(SEALS_AT)
    with held_elsewhere(HEARTBEAT, "sweep"):
        tasks.sweep()
    assert Seal.objects.count() == 2


def test_c3_a_unit_leaves_the_patience_of_its_connection_as_it_was(
    committed_db: Database, impatient: None
) -> None:
    def patience() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SHOW lock_timeout")
            return str(cursor.fetchone()[0])

    before = patience()
    with isolation.unit("outer"):
        with isolation.unit("inner"):
            assert patience() == "200ms"
        assert patience() == "200ms"
        int("no number")
    assert patience() == before


def test_c3_a_unit_that_loses_its_connection_stops_no_other(
    committed_db: Database, clock: SimulatedClock, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = two_deals()
    clock.set(SEALS_AT)
    real = standings.finalize

    def finalize(**its: Any) -> None:
        if its["deal_id"] == bad.pk:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        real(**its)

    monkeypatch.setattr(standings, "finalize", finalize)
    tasks.sweep()
    assert [seal.deal_id for seal in Seal.objects.all()] == [good.pk]


def test_c3_a_unit_that_loses_its_connection_between_transactions_stops_no_other(
    committed_db: Database,
) -> None:
    with isolation.unit("bad"), connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    with isolation.counted() as failures, isolation.unit("good"):
        assert Player.objects.count() == 0
    assert failures == {}


def test_c3_a_sweep_without_a_database_fails_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or it would log each unit, and take the time of each."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no server that could be away")

    def fail(*args: object) -> None:
        raise OperationalError("the server closed the connection")

    with connection.execute_wrapper(fail), pytest.raises(OperationalError):
        tasks.sweep()
    assert not Heartbeat.objects.exists()


@contextmanager
def held_elsewhere(statement: str, key: UUID | str) -> Iterator[None]:
    """A row that another connection locks and does not give back before the block ends."""
    other = connection.copy()
    other.set_autocommit(False)
    try:
        with other.cursor() as cursor:
            cursor.execute(statement, [key])
        yield
    finally:
        other.close()
