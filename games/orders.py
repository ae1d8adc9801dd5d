"""Deals that operators order for coming days: made anew from a new seed, or written by hand.

An order is only a wish. The worker fulfils it, so that no request waits for the solver, and says
in the order what came of it.
"""

import logging
from datetime import date, timedelta

from django.db import IntegrityError, transaction

from games import engine, making, queries, solver
from games.models import Challenge, DailyDeal, DealOrder, Source
from pyramid_site import clock
from pyramid_site.isolation import unit
from pyramid_site.refusals import Refusal, not_found

logger = logging.getLogger(__name__)

SETTLED = timedelta(minutes=1)
"""How long before its day a deal is beyond change: no start must meet one that is replaced."""

KNOWN = "This deal was dealt before: players may know it."
REASONS = {
    solver.Answer.UNWINNABLE: "Refused: it cannot be won, which the solver has proved.",
    solver.Answer.UNDECIDED: "Refused: the solver found no way to win it, and no proof of none.",
}


def remake(*, deal_id: int) -> None:
    """Orders another deal for the day of this one.

    Raises Refusal `not_found`, `deal_closed` for a day that has begun, `already_ordered`.
    """
    deal = queries.deals().filter(pk=deal_id).first()
    if deal is None:
        raise not_found("deal")
    _order(day=deal.date, challenge=deal.challenge, source=Source.SEED)


def write(*, day: date, challenge_id: str, cards: str) -> None:
    """Orders the deal of this deal line for a day, in the place of the one that it has, if any.

    Raises Refusal `not_found`, `deal_closed`, `invalid_notation` for what is no deal of the
    challenge's decks, `deal_known` for one that was dealt before, `already_ordered`. That a deal
    is the one of a day to come or of today is left for the worker to see: the answer would tell.
    """
    challenge = Challenge.objects.filter(pk=challenge_id).first()
    if challenge is None:
        raise not_found("challenge")
    _check_settled(day)
    _parsed(cards, challenge)
    if queries.sealed_deals(challenge_id).filter(cards=cards).exists():
        raise Refusal("deal_known", KNOWN)
    _order(day=day, challenge=challenge, source=Source.HAND, cards=cards)


def fulfil_all(*, progress: making.Progress = making.quiet) -> int:
    """Sees to every open order; how many deals came of them. Safe to run twice at once.

    One that fails stops no other.
    """
    fulfilled = 0
    for order in queries.open_orders():
        with unit("order", order.pk):
            fulfilled += fulfil(order=order, progress=progress)
    return fulfilled


def fulfil(*, order: DealOrder, progress: making.Progress = making.quiet) -> bool:
    """Makes what was ordered and puts it in place, or writes down why not."""
    try:
        deal = _written(order) if order.source == Source.HAND else _drawn(order, progress)
        return _put_in_place(deal, order)
    except Refusal as refusal:
        _give_up(order, refusal.detail)
    except IntegrityError:  # a trigger's, which refuses to replace what somebody has begun
        logger.info("the order of %s waits", order)
    return False


@transaction.atomic
def _order(*, day: date, challenge: Challenge, source: Source, cards: str = "") -> None:
    """Note a wish. The lock lets one in at a time: PostgreSQL would log the cards of a second one
    that only a constraint refuses.
    """
    locked = queries.lock_challenge(challenge.pk)
    _check_settled(day)
    if locked.paused_on(day):
        raise Refusal("deal_closed", "The challenge is paused on that day.")
    if queries.open_orders().filter(date=day, challenge=locked).exists():
        raise Refusal("already_ordered", "A deal for that day is on order already.")
    DealOrder.objects.create(
        date=day, challenge=locked, source=source, cards=cards, ordered_at=clock.now()
    )


def _written(order: DealOrder) -> DailyDeal:
    """The deal that an operator wrote, once the solver has found a way to win it."""
    deal, rules = _parsed(order.cards, order.challenge), order.challenge.rules
    if DailyDeal.objects.filter(cards=order.cards).exists():
        raise Refusal("deal_known", KNOWN)
    solution = solver.solve(deal, rules)
    if solution.line is None:
        raise Refusal("not_winnable", REASONS[solution.answer])
    row = making.certified(
        day=order.date,
        challenge=order.challenge,
        deal=deal,
        line=solution.line,
        wins=solver.rate(deal, rules),
        target=queries.target_difficulty(challenge=order.challenge, day=order.date),
    )
    row.source = Source.HAND
    return row


def _drawn(order: DealOrder, progress: making.Progress) -> DailyDeal:
    row = making.drawn(day=order.date, challenge=order.challenge, progress=progress)
    if row is None:
        raise Refusal("not_winnable", "No candidate of the seed can be won. Order it again.")
    return row


def _parsed(cards: str, challenge: Challenge) -> engine.Deal:
    try:
        return engine.parse_deal(cards, challenge.rules)
    except engine.NotationError as error:
        raise Refusal("invalid_notation", str(error)) from error


@transaction.atomic
def _put_in_place(deal: DailyDeal, order: DealOrder) -> bool:
    """Store a deal as that of its day, in the place of the one that it has, if any.

    False if another worker has fulfilled the order meanwhile, or has just made the day's first
    deal, which the next time is replaced.
    """
    if not queries.lock_open_order(order.pk):
        return False
    deal.replaces = queries.lock_deal_of(day=deal.date, challenge_id=deal.challenge_id)
    _check_settled(deal.date)
    if not making.store(deal):
        logger.info("the order of %s waits", order)
        return False
    _settle(order, "Made.")
    return True


@transaction.atomic
def _give_up(order: DealOrder, reason: str) -> None:
    """Writes down why there is no such deal, unless another worker has made it."""
    if queries.lock_open_order(order.pk):
        _settle(order, reason)


def _check_settled(day: date) -> None:
    if clock.now() >= clock.midnight(day) - SETTLED:
        raise Refusal("deal_closed", "That day has begun, or is about to: its deal is settled.")


def _settle(order: DealOrder, outcome: str) -> None:
    order.settled_at, order.outcome, order.cards = clock.now(), outcome, ""
    order.save()
