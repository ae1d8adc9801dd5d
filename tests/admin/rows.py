"""A database in which every model of the admin has a row."""

from datetime import timedelta

from django.contrib.auth.models import Group as StaffGroup

from games import deals, engine, orders
from games.models import DailyDeal, DealMaking
from leaderboards import groups, standings
from players import accounts, queries
from players.models import Mail, Player
from pyramid_site import audit_log, health
from pyramid_site import clock as the_clock
from pyramid_site.models import Outage
from tests import builders
from tests.admin.pages import SEED, K, play
from tests.conftest import SimulatedClock

BOSS = audit_log.Staff(7, "boss")


def make(clock: SimulatedClock) -> DailyDeal:
    """A deal of today that one player has cleared by its winning line, and one is playing.

    Beside it sealed ones, one of them void.
    """
    clock.set("2026-11-28T12:00:00.000Z")
    past = builders.publish_short("double", day=clock.instant.date())
    faulty = builders.publish_short("three-pass", day=clock.instant.date())
    attempt = play(past, "Eve", builders.SHORT_LINE)
    clock.set("2026-11-30T12:00:00.000Z")
    builders.seal(past)
    builders.seal(faulty)
    deals.count_sealed()
    deals.void(deal_id=faulty.pk, reason="A card was missing.")
    standings.disqualify(attempt_id=attempt.pk, by=BOSS, why="a test")
    standings.reinstate(attempt_id=attempt.pk, by=BOSS, why="a test")

    certified = builders.CERTIFIED["one-pass"]
    cards = engine.parse_deal(certified.deal, certified.rules)
    deal = builders.store(cards, certified.rules, seed=SEED, k=K, winning_line=certified.line)
    play(deal, "Ada", certified.moves)
    play(deal, "Ben", certified.moves[:3])
    fill_the_rest(deal)
    return deal


def fill_the_rest(deal: DailyDeal) -> None:
    """A row of each model that no play has made."""
    now = the_clock.now()
    DealMaking.objects.create(
        date=deal.date,
        challenge_id="one-pass",
        target="medium",
        started_at=now,
        updated_at=now,
    )
    coming = builders.publish_short("double", day=builders.DAY.replace(month=12, day=3))
    orders.remake(deal_id=coming.pk)
    health.beat("sweep")
    Outage.objects.create(began_at="2026-11-01T00:00:00Z", ended_at="2026-11-01T01:00:00Z")
    eve = Player.objects.get(name="Eve")
    accounts.rename(player_id=eve.pk, name="Evelyn")
    groups.make(name="Friends", owner_id=eve.pk)
    Mail.objects.create(
        kind="reset",
        player=eve,
        email="eve@example.org",
        recipient=queries.digest("eve@example.org"),
        digest=bytes(32),
        asked_at=now,
        due_at=now + timedelta(minutes=1),
        expires_at=now + timedelta(hours=1),
        tries=1,
        error="TimeoutError",
    )
    StaffGroup.objects.create(name="operators")
    audit_log.record(by=BOSS, act="test", on=deal, why="a test")
