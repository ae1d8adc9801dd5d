"""A day begins and ends at its very ms, whatever the server's zone and machine say (G)."""

import os
import time
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from random import Random

import pytest
import time_machine

from games import deals, queries, tasks
from games.models import Seal
from pyramid_site import clock as the_clock
from tests import recomputation
from tests.api.client import Client, Reply, sign_up
from tests.builders import publish_short
from tests.conftest import SimulatedClock

pytestmark = [pytest.mark.core, pytest.mark.django_db]

MS = timedelta(milliseconds=1)
ORDINARY = date(2026, 11, 30)
DST = {  # the nights on which local time leaps or falls back, and an island at the date line
    "UTC": [ORDINARY],
    "America/New_York": [date(2026, 3, 7), date(2026, 3, 8), date(2026, 10, 31), date(2026, 11, 1)],
    "Pacific/Apia": [date(2026, 12, 31), date(2027, 1, 1)],
}
LIFE = [
    ("opens - 1 ms", "look", 404, "not_found"),
    ("opens - 1 ms", "Ada starts", 404, "not_found"),
    ("opens", "look", 200, "open"),
    ("opens", "Ada starts", 201, "active"),
    ("closes - 1 ms", "look", 200, "open"),
    ("closes - 1 ms", "Ben starts", 201, "active"),
    ("closes", "look", 200, "closing"),
    ("closes", "Cyd starts", 409, "deal_closed"),
    ("closes", "Ben goes on", 200, "active"),
    ("seals - 1 ms", "look", 200, "closing"),
    ("seals - 1 ms", "Ada goes on", 200, "active"),
    ("seals - 1 ms", "Ben finishes", 200, "cleared"),
    ("seals - 1 ms", "sealed", 0, ""),
    ("seals", "Ada goes on", 409, "attempt_over"),
    ("seals", "Ada looks", 200, "expired"),
    ("seals", "sealed", 1, ""),
    ("seals", "look", 200, "sealed"),
    ("seals", "Cyd starts", 201, "active"),
]


def life(day: date, clock: SimulatedClock) -> list[tuple[str, str, int, str]]:
    """What becomes of a deal, and of three who come to it, at each edge of its day."""
    deal = publish_short(day=day)
    ada, ben, cyd = (sign_up() for _ in range(3))
    edges = {"opens": deal.opens_at, "closes": deal.closes_at, "seals": deal.seals_at}
    ids: dict[Client, str] = {}

    def start(player: Client) -> Reply:
        reply = player.start(day=str(day))
        ids[player] = reply.body.get("id", "")
        return reply

    def go_on(player: Client, move: str, ply: int) -> Callable[[], Reply]:
        return lambda: player.move(ids[player], move, ply)

    ada_goes_on = iter([go_on(ada, "D", 0), go_on(ada, "D", 1)])
    acts: dict[str, Callable[[], Reply]] = {
        "look": lambda: ada.get(f"/deals/{day}/one-pass"),
        "Ada starts": lambda: start(ada),
        "Ben starts": lambda: start(ben),
        "Cyd starts": lambda: start(cyd),
        "Ada goes on": lambda: next(ada_goes_on)(),
        "Ada looks": lambda: ada.attempt(ids[ada]),
        "Ben goes on": go_on(ben, "b1b2", 0),
        "Ben finishes": go_on(ben, "a1", 1),
    }
    told = []
    for when, what, _, _ in LIFE:
        clock.instant = edges[when.split(" ")[0]] - MS * when.endswith("ms")
        if what == "sealed":
            told.append((when, what, deals.seal_due(), ""))
        else:
            reply = acts[what]()
            told.append((when, what, reply.status, reply.code or reply.body["status"]))
    return told


@pytest.fixture
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The time zone of the process."""
    name: str = request.param
    with monkeypatch.context() as patch:
        patch.setenv("TZ", name)
        time.tzset()
        yield name
    time.tzset()


@pytest.mark.parametrize("zone", DST, indirect=True)
def test_g_a_deal_opens_closes_and_seals_at_its_very_ms_in_every_time_zone(
    zone: str, clock: SimulatedClock
) -> None:
    assert os.environ["TZ"] == zone
    for day in DST[zone]:
        assert life(day, clock) == LIFE
    recomputation.check()


@pytest.mark.parametrize("hours", [-1, 1, 24 * 365])
def test_g_a_web_server_whose_own_clock_is_wrong_answers_the_same(
    clock: SimulatedClock, hours: int
) -> None:
    wrong = datetime.fromisoformat("2026-11-30T12:00:00Z") + timedelta(hours=hours)
    with time_machine.travel(wrong):
        assert life(ORDINARY, clock) == LIFE


def test_g_a_year_of_late_doubled_and_missing_beats_opens_and_seals_each_deal_once(
    clock: SimulatedClock,
) -> None:
    random, anyone = Random(365), Client()
    first = date(2027, 1, 1)
    year = [first + timedelta(days=number) for number in range(365)]
    clock.instant = the_clock.midnight(first)
    make_a_week()
    for day in year:
        for minute in sorted(random.choices(range(24 * 60), k=random.choice([0, 1, 2]))):
            clock.instant = the_clock.midnight(day) + timedelta(minutes=minute)
            for task in random.choices([make_a_week, tasks.sweep], k=random.choice([1, 2])):
                task()
        clock.instant = the_clock.midnight(day + timedelta(days=1)) - MS
        assert anyone.get("/deals/today/one-pass").body["date"] == str(day)
        if day.weekday() == 0:
            make_a_week()  # it is not missing for longer
            assert status(anyone, day) == "open"
            assert status(anyone, day + timedelta(days=1)) == "not_found"
            assert status(anyone, day - timedelta(days=1)) in ("closing", "sealed")
    clock.advance(days=1, hours=2)
    tasks.sweep()
    sealed = list(Seal.objects.order_by("deal__date").select_related("deal"))
    assert [seal.deal.date for seal in sealed] == year
    assert all(seal.sealed_at >= seal.deal.seals_at for seal in sealed)


def make_a_week() -> None:
    """What is missing of the coming days, of one challenge and with no search."""
    days = [the_clock.today() + timedelta(days=ahead) for ahead in range(8)]
    for day, challenge in queries.missing_deals(days):
        if challenge.pk == "one-pass":
            publish_short(day=day)


def status(anyone: Client, day: date) -> str:
    reply = anyone.get(f"/deals/{day}/one-pass")
    return reply.code or str(reply.body["status"])
