"""PostgreSQL writes what it refuses into a log of its own: of our refusals it sees none (A5, E)."""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings as django_settings
from django.db import DatabaseError, connection, transaction

from games import departures, engine, making, orders, solver
from games.models import Attempt, Challenge, DailyDeal, DealMaking, DealOrder
from leaderboards import periods, standings
from leaderboards.models import CountedDay
from players import accounts
from players.models import FormerName, Player
from pyramid_site import clock as the_clock
from pyramid_site.refusals import Refusal
from tests import builders
from tests.api.client import PASSWORD, Client, claimed, sign_up
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.django_db

TOMORROW = builders.DAY + timedelta(days=1)
CARDS = builders.CERTIFIED["one-pass"].deal
EMAIL = "ada.canary@example.org"

Log = Callable[[], list[str]]


@pytest.fixture
def logged(db: None, clock: SimulatedClock) -> Log:
    """Gives what PostgreSQL has logged of this connection since the beginning of the test."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite keeps no log")
    file = Path(django_settings.DATABASES["default"]["HOST"]).parent / "postgres.log"
    if not file.is_file():
        pytest.skip("the log of a PostgreSQL that DATABASE_URL names cannot be read from here")
    connection.ensure_connection()
    own = f"[{connection.connection.info.backend_pid}] "
    start = file.stat().st_size

    def read() -> list[str]:
        with file.open() as log:
            log.seek(start)
            return [line for line in log if own in line]

    return read


@pytest.fixture
def ada(db: None, clock: SimulatedClock) -> Client:
    """A player with a password and a mail address."""
    client = claimed("Ada")
    Player.objects.filter(pk=client.player["id"]).update(email=EMAIL)
    return client


def refused(do: Callable[[], object], code: str) -> None:
    with builders.nothing_changes(), pytest.raises(Refusal, match=code):
        do()


def test_a5_what_the_database_refuses_stands_in_its_log(logged: Log, ada: Client) -> None:
    """The control: it is this log, and a row that is refused is quoted in it."""
    with suppress(DatabaseError), transaction.atomic():
        Player.objects.filter(pk=ada.player["id"]).update(gone_at=the_clock.now())
    assert any("violates check constraint" in line for line in logged())
    assert any(EMAIL in line for line in logged())


@pytest.mark.parametrize("name", ["Ben", "bEN", "B\u0435n"])
def test_e_a_refused_name_is_no_error_of_the_database(logged: Log, ada: Client, name: str) -> None:
    guest = sign_up("Cyd")
    sign_up("Ben")
    taken = (409, "name_taken")
    assert Client().post("/players", {"name": name}).refusal == taken
    assert ada.patch("/me", {"name": name}).refusal == taken
    claim = {"name": name, "password": PASSWORD, "email": EMAIL}
    assert guest.post("/me/claim", claim).refusal == taken
    ada_id = ada.player["id"]
    refused(lambda: accounts.rename(player_id=ada_id, name=name, by_staff=True), "name_taken")
    assert logged() == []


def test_e_a_name_that_was_given_up_twice_is_no_error_of_the_database(logged: Log) -> None:
    FormerName.objects.create(name_key="aba", skeleton="aba", freed_at=the_clock.now())
    FormerName.objects.update(freed_at=the_clock.now() - timedelta(days=91))
    ada = sign_up("Aba")
    assert ada.patch("/me", {"name": "Ada"}).status == 200
    assert ada.patch("/me", {"name": "Aba"}).status == 200
    assert ada.delete("/me").status == 204
    assert logged() == []


def test_e_a_rename_writes_the_name_alone(logged: Log, ada: Client) -> None:
    """What else stands in the row would stand in the log whenever the statement fails."""
    said: list[str] = []

    def overhear(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        said.append(f"{sql} {params}")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(overhear):
        assert ada.patch("/me", {"name": "Ben"}).status == 200
    assert any("Ben" in it for it in said)
    assert [it for it in said if EMAIL in it or "argon2" in it] == []


def test_e_one_who_begins_to_play_is_not_cleared_away_and_no_error(logged: Log) -> None:
    builders.publish_short()
    ada, ben = sign_up("Ada"), sign_up("Ben")
    ada.begin()
    Player.objects.update(joined_at=the_clock.now() - timedelta(days=91))
    cleared = [departures.clear_away(player_id=UUID(it.player["id"])) for it in (ada, ben)]
    assert cleared == [False, True]
    assert list(Player.objects.values_list("name", flat=True)) == ["Ada"]
    assert logged() == []


def test_a5_a_second_order_is_no_error_of_the_database(logged: Log) -> None:
    """It would quote the deck that was ordered first, or the one that was not taken."""
    write = partial(orders.write, day=TOMORROW, challenge_id="one-pass", cards=CARDS)
    write()
    refused(write, "already_ordered")
    deal = builders.publish_short(day=TOMORROW)
    refused(lambda: orders.remake(deal_id=deal.pk), "already_ordered")
    assert logged() == []


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> DailyDeal:
    """Whatever is made is the canary, and while it is made another maker has stored a deal."""
    certified = builders.CERTIFIED["one-pass"]
    deal = engine.parse_deal(certified.deal, certified.rules)
    line = engine.parse_log(certified.line, certified.rules)
    challenge = Challenge.objects.get(pk="one-pass")
    found = solver.Candidate(certified.k, deal, line, 1000, solver.Difficulty.EASY)
    monkeypatch.setattr(solver, "derive", lambda **arguments: found)
    deal_row = making.drawn(day=TOMORROW, challenge=challenge, progress=making.quiet)
    assert deal_row
    return deal_row


def test_a5_a_deal_that_comes_too_late_is_no_error_of_the_database(
    logged: Log, drawn: DailyDeal, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders.write(day=TOMORROW, challenge_id="one-pass", cards=CARDS)
    first = builders.publish_short(day=TOMORROW)
    monkeypatch.setattr("games.queries.lock_deal_of", lambda **day: None)
    assert orders.fulfil_all() == 0
    assert DealOrder.objects.get().settled_at is None, "it is tried again"
    monkeypatch.undo()
    assert making.make(day=TOMORROW, challenge=first.challenge)
    assert list(DailyDeal.objects.all()) == [first]
    assert logged() == []


def test_a5_what_another_has_begun_meanwhile_is_no_error_of_the_database(
    logged: Log, drawn: DailyDeal
) -> None:
    """A making, a tally, a counted day: each of two has looked before the other wrote."""
    making.make(day=TOMORROW, challenge=drawn.challenge)
    making.make(day=TOMORROW, challenge=drawn.challenge)
    assert DealMaking.objects.count() == 1
    deal = builders.publish_short()
    for _ in range(2):
        standings.void(deal_id=deal.pk)
        periods.count(deal_id=deal.pk, challenge="one-pass", day=deal.date)
    assert (Attempt.objects.count(), CountedDay.objects.count()) == (0, 0)
    assert logged() == []
