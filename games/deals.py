"""Find visible deals, seal them, void their days, pause challenges."""

from datetime import date

from django.db import transaction

from games import attempts, queries
from games.models import AttemptStatus, Challenge, DailyDeal, Seal, Voiding
from leaderboards import periods, standings
from pyramid_site import clock, health
from pyramid_site.isolation import unit
from pyramid_site.refusals import Refusal, not_found


def find(*, day: str, challenge_id: str) -> DailyDeal:
    """Return the visible deal of `day` (YYYY-MM-DD or `today`).

    Raises Refusal `not_found` for the future, for what never was and for what is no day, all
    alike; `deal_being_made` for one of today that nobody has made yet.
    """
    today = queries.present_day()
    wanted = today if day == "today" else _day(day)
    known = queries.deals().filter(challenge=challenge_id, date__lte=today)
    deal = known.filter(date=wanted).first() if wanted is not None else None
    if deal is not None and (deal.sealed or not deal.challenge.paused_on(deal.date)):
        return deal
    is_today = day == "today" or wanted == clock.today()
    challenge = Challenge.objects.filter(pk=challenge_id).first()
    if not is_today or challenge is None or challenge.paused_on(clock.today()):
        raise not_found("deal")
    raise Refusal(
        "deal_being_made", "Today's deal is being made. Ask again in a moment.", retry_after=5
    )


def seal_due() -> int:
    """Seal each deal whose play has ended, independently; return how many were sealed."""
    sealed = 0
    for deal_id in queries.deals_to_seal(clock.now()):
        with unit("seal", deal_id), health.timed("seal"):
            sealed += seal(deal_id=deal_id)
    return sealed


@transaction.atomic
def seal(*, deal_id: int) -> bool:
    """Make the deal's results final and its secrets public; False if not due or already sealed.

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
    standings.finalize(deal_id=deal.pk, at=now)
    ranked = deal.attempts.filter(ranked=True)
    Seal.objects.create(
        deal=deal,
        sealed_at=now,
        players=ranked.count(),
        cleared=ranked.filter(status=AttemptStatus.CLEARED).count(),
    )
    return True


def count_sealed() -> int:
    """Add the results of sealed deals to their period boards; return how many deals.

    One that fails stops no other.
    """
    counted = 0
    for deal in queries.deals_to_count():
        with unit("count", deal.pk):
            counted += periods.count(deal_id=deal.pk, challenge=deal.challenge_id, day=deal.date)
    return counted


@transaction.atomic
def void(*, deal_id: int, reason: str) -> None:
    """Void the day of a faulty deal for good: no ranks. The reason is public.

    No more attempts begin; those begun may go on, unranked. Raises Refusal `not_found`,
    `deal_not_open` for a day that has not begun, `deal_void`.
    """
    deal = queries.deals().filter(pk=deal_id).first()
    if deal is None:
        raise not_found("deal")
    queries.lock_deal_to_seal(deal_id)
    now = clock.now()
    if now < deal.opens_at:
        raise Refusal("deal_not_open", "Its day has not begun: have it made anew instead.")
    if Voiding.objects.filter(deal=deal).exists():
        raise Refusal("deal_void", "This day is void already.")
    Voiding.objects.create(deal=deal, voided_at=now, reason=reason)
    standings.void(deal_id=deal.pk)


@transaction.atomic
def pause(*, challenge_id: str, first_day: date) -> None:
    """Pause a challenge from a day that has not begun.

    Raises Refusal `not_found`, `deal_closed` for today and before.
    """
    challenge = queries.lock_challenge(challenge_id)
    if first_day <= clock.today():
        raise Refusal("deal_closed", "That day has begun: it can be paused from tomorrow on.")
    challenge.paused_from = first_day
    challenge.save(update_fields=["paused_from"])


@transaction.atomic
def resume(*, challenge_id: str) -> None:
    """Resume a paused challenge. Raises Refusal `not_found`."""
    challenge = queries.lock_challenge(challenge_id)
    challenge.paused_from = None
    challenge.save(update_fields=["paused_from"])


def _day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.isoformat() == text else None  # fromisoformat knows other spellings too
