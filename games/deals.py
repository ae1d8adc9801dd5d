"""Finding a deal that players may know of, and sealing it."""

from datetime import date

from django.db import transaction

from games import attempts, queries
from games.models import AttemptStatus, Challenge, DailyDeal, Seal
from leaderboards import standings
from pyramid_site import clock, health
from pyramid_site.refusals import Refusal, not_found


def find(*, day: str, challenge_id: str) -> DailyDeal:
    """The deal of `day` (YYYY-MM-DD or `today`) that players may know of.

    Raises Refusal `not_found` for the future, for what never was and for what is no day, all
    alike; `deal_being_made` for one of today that nobody has made yet.
    """
    today = clock.today()
    wanted = today if day == "today" else _day(day)
    if wanted is None or wanted > today:
        raise not_found("deal")
    deal = queries.deals().filter(date=wanted, challenge=challenge_id).first()
    if deal is not None:
        return deal
    if wanted < today or not Challenge.objects.filter(pk=challenge_id).exists():
        raise not_found("deal")
    raise Refusal(
        "deal_being_made", "Today's deal is being made. Ask again in a moment.", retry_after=5
    )


def seal_due() -> int:
    """Seals each deal whose play has ended; how many were sealed."""
    sealed = 0
    for deal_id in queries.deals_to_seal(clock.now()):
        with health.timed("seal"):
            sealed += seal(deal_id=deal_id)
    return sealed


@transaction.atomic
def seal(*, deal_id: int) -> bool:
    """Makes the deal's results final and opens its secrets; False if it is not due, or was done.

    What is still open of it expires first. The clock is read again once no finish is under way:
    one that holds its lock before is counted, one that comes after is too late by the same clock.
    Attempts are locked before the deal, as a finish locks them.
    """
    deal = queries.deals().get(pk=deal_id)
    if clock.now() < deal.seals_at:
        return False
    attempts.expire_all_of(deal)
    queries.lock_deal_to_seal(deal_id)
    now = clock.now()
    if now < deal.seals_at or Seal.objects.filter(deal=deal).exists():
        return False
    standings.finalize(deal_id=deal.pk)
    ranked = deal.attempts.filter(ranked=True)
    Seal.objects.create(
        deal=deal,
        sealed_at=now,
        players=ranked.count(),
        cleared=ranked.filter(status=AttemptStatus.CLEARED).count(),
    )
    return True


def _day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.isoformat() == text else None  # fromisoformat knows other spellings too
