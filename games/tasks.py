"""What the worker does. Every task may come late, twice or never: each looks for what is due."""

import logging
from contextlib import suppress

from celery import shared_task
from django.conf import settings
from django.core.cache import cache

from games import attempts, deals, departures, making, orders, queries
from games.models import DealMaking
from players import accounts
from players.tasks import hand_out_mails
from pyramid_site import clock, counting, health, limits
from pyramid_site.isolation import unit

logger = logging.getLogger(__name__)

ASKED = "deals-asked-for"  # cache keys
MAKING = "deals-being-made"
CLEARED = "players-cleared-away"
CLEARED_AT_ONCE = 2_000


@shared_task
def sweep() -> None:
    """Seal and count deals whose play has ended, clean up, and send mail.

    Whatever fails does so alone (`pyramid_site.isolation`).
    """
    sealed = expired = 0
    with health.timed("sweep"):
        with unit("expiry"):
            expired = attempts.expire_due()
        with unit("seal"):
            sealed = deals.seal_due()
        for forget in (
            counting.forget_lapsed,
            limits.forget_failed_logins,
            accounts.forget_lapsed,
        ):
            with unit("clean_up", forget.__module__):
                forget()
        with unit("mail"):
            hand_out_mails()
    if sealed or expired:
        logger.info("sealed %d deals, expired %d attempts", sealed, expired)
    with health.timed("count"), unit("count"):  # which takes minutes where a million have played
        deals.count_sealed()
    if cache.add(CLEARED, True, timeout=3600):  # looking for them takes a while
        with health.timed("clear_away"), unit("clear_away"):
            clear_away()


def clear_away() -> None:
    """Remove some of the idle players."""
    for player_id in queries.players_to_clear_away(clock.now(), most=CLEARED_AT_ONCE):
        with unit("clear_away", player_id):
            departures.clear_away(player_id=player_id)


@shared_task
def make_deals() -> None:
    """Makes the missing deals of the coming days and those on order, unless a worker is at it.

    The mark only saves work: two makers at once do no harm. It lapses, so that one that died is
    not waited for; each sign of progress renews it.
    """
    if not cache.add(MAKING, True, timeout=300):
        return
    try:
        with health.timed("make_deals"):
            making.make_missing(days=making.days_to_have(), progress=_note)
            orders.fulfil_all(progress=_note)
    finally:
        cache.delete(MAKING)


def ask_for_deals(*, anew: bool = False) -> None:
    """Queue `make_deals` at most once a minute, or at once with `anew`.

    A broker that is gone fails no request: the next beat, or the run command, makes the deals.
    """
    if not settings.REDIS_URL:
        return
    try:
        if cache.add(ASKED, True, timeout=60) or anew:
            make_deals.delay()
    except Exception:
        logger.exception("The making of a deal could not be set off")
        with suppress(Exception):  # whoever asks next tries again
            cache.delete(ASKED)


def _note(progress: DealMaking) -> None:
    with suppress(Exception):  # a cache that is away for a moment ends no search
        cache.touch(MAKING, timeout=300)
    if progress.outcome:
        logger.info("%s", progress)
