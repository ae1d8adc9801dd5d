"""Two worlds whose deals agree on all that is revealed and differ in what is not."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from random import Random

import pytest
import time_machine
from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from pytest_django import DjangoDbBlocker

from games import engine
from games.models import DailyDeal, DealMaking, MakingOutcome
from leaderboards import statistics
from pyramid_site import clock as the_clock
from tests import builders
from tests.builders import DAY
from tests.conftest import SimulatedClock, copied_database

YESTERDAY, TOMORROW = DAY - timedelta(days=1), DAY + timedelta(days=1)
SHORT = "one-pass"
"""The challenge whose deal of the day is one of two rows, which can be cleared at once."""


@contextmanager
def world(
    twin: bool, blocker: DjangoDbBlocker, clock: SimulatedClock, *, agreed: int
) -> Iterator[None]:
    """A database with the deals of one of the twins; `agreed` as a slice counts it.

    All else that could differ is given: the clocks, and the source of ids and tokens.
    """
    random = Random(2026)
    with (
        blocker.unblock(),
        copied_database(),
        pytest.MonkeyPatch.context() as patch,
        time_machine.travel("2026-11-30T12:00:00Z", tick=False),
    ):
        cache.clear()  # or what the first of the twins has set off, the second would not
        ContentType.objects.clear_cache()
        statistics._computed.cache_clear()
        patch.setattr("secrets.token_hex", lambda size: named(random, size))
        patch.setattr("os.urandom", random.randbytes)
        patch.setattr("random._urandom", random.randbytes)
        clock.set("2026-11-29T12:00:00.000Z")
        builders.publish_short("double", day=YESTERDAY)
        clock.set("2026-11-30T09:00:00.000Z")
        builders.seal(DailyDeal.objects.get())
        for challenge in engine.RULE_SETS:
            publish(challenge, DAY, twin, agreed=agreed)
            publish(challenge, TOMORROW, twin, agreed=None)
        appoint_staff()
        yield


def named(random: Random, size: int) -> str:
    """A name of random bytes; none in what a client of Redis calls itself."""
    return "00" * size if size == 4 else random.randbytes(size).hex()


def publish(challenge: str, day: date, twin: bool, *, agreed: int | None) -> None:
    """A deal whose stock, but for the first `agreed` cards, is turned over in one of the twins.

    With None agreed the pyramid is turned over, too.
    """
    rules = engine.RULE_SETS[challenge]
    deck = list(engine.DECK * rules.decks)
    Random(challenge).shuffle(deck)
    if challenge == SHORT:
        rules = builders.SHORT_RULES
        deck = [*builders.SHORT_PYRAMID, *(it for it in deck if it not in builders.SHORT_PYRAMID)]
    deal = engine.Deal.from_deck(deck, rules)
    if twin and agreed is None:
        deal = engine.Deal.from_deck(deck[::-1], rules)
    elif twin:
        deal = deal._replace(stock=deal.stock[:agreed] + deal.stock[agreed:][::-1])
    builders.store(
        deal,
        rules,
        challenge=challenge,
        day=day,
        seed=bytes([twin]) * 32,
        k=int(twin),
        winning_line="D D D" if twin else "D D",
        wins=int(twin),
    )
    making = {"target": "easy", "started_at": the_clock.now(), "updated_at": the_clock.now()}
    tried = {"tried": twin + 1, "unwinnable": int(twin), "outcome": MakingOutcome.MADE}
    DealMaking.objects.create(date=day, challenge_id=challenge, **making, **tried)


def appoint_staff() -> None:
    """One who may do all that permissions allow but see the secrets, and a superuser."""
    operator = User.objects.create_user("operator", is_staff=True)
    operator.user_permissions.set(Permission.objects.exclude(codename="view_secrets"))
    User.objects.create_superuser("root")
