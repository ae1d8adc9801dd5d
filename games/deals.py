"""Every write to deals: making one for a day, and sealing it."""

import secrets
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import transaction

from games import attempts, engine, queries
from games.models import AttemptStatus, Challenge, DailyDeal, Seal
from leaderboards import standings
from pyramid_site import clock
from pyramid_site.refusals import Refusal, not_found


class Making(NamedTuple):
    """How far the making of a deal has come: how many candidates were tried."""

    day: date
    challenge: Challenge
    tried: int
    made: bool

    def __str__(self) -> str:
        state = "made" if self.made else "searching"
        return f"{self.day} {self.challenge.pk}: {state}, {self.tried} candidates tried"


Progress = Callable[[Making], None]


def quiet(making: Making) -> None:
    """Progress that nobody watches."""


class NoWinnableDealError(Exception):
    """No candidate of a seed was found winnable."""


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


def make_missing(*, days: int, progress: Progress = quiet) -> int:
    """Makes what is missing of the next `days` days, today's first; how many were made.

    Each is stored as soon as it is made. Safe to run twice at once: the first one stored stays.
    """
    made = 0
    while missing := queries.missing_deals(_coming(days)):
        day, challenge = missing[0]
        make(day=day, challenge=challenge, progress=progress)
        made += 1
    return made


def make(*, day: date, challenge: Challenge, progress: Progress = quiet) -> None:
    """A deal for a day, certified winnable, from a seed of its own. Takes seconds to minutes."""
    seed = secrets.token_bytes(32)
    rules = challenge.rules
    for k in range(engine.MAX_CANDIDATES):
        deck = engine.deal_deck(seed, challenge.pk, k, rules.decks)
        deal = engine.Deal.from_deck(deck, rules)
        line = engine.solve(deal, rules, budget=engine.SOLVER_BUDGET).line
        if line is not None:
            break
        progress(Making(day, challenge, k + 1, made=False))
    else:
        raise NoWinnableDealError(f"none of {engine.MAX_CANDIDATES} deals for {challenge.pk}")
    # The proof is the engine's replay, whatever the solver thinks of its line.
    if engine.replay(deal, rules, line).outcome is not engine.Outcome.CLEARED:
        raise RuntimeError(f"the solver {engine.SOLVER_ID} gave a line that clears nothing")
    row = DailyDeal(
        date=day,
        challenge=challenge,
        rules_line=engine.format_rules(rules),
        shuffle_id=engine.SHUFFLE_ID,
        solver_id=engine.SOLVER_ID,
        made_at=clock.now(),
        cards=engine.format_deal(deal),
        seed=seed,
        k=k,
        winning_line=engine.format_log(line),
    )
    DailyDeal.objects.bulk_create([row], ignore_conflicts=True)
    progress(Making(day, challenge, k + 1, made=True))


def seal_due() -> int:
    """Seals each deal whose play has ended; how many were sealed."""
    return sum(seal(deal_id=deal_id) for deal_id in queries.deals_to_seal(clock.now()))


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


def _coming(days: int) -> list[date]:
    today = clock.today()
    return [today + timedelta(days=ahead) for ahead in range(days)]


def _day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.isoformat() == text else None  # fromisoformat knows other spellings too


def days_ahead() -> int:
    """How many days have their deals in advance, today included."""
    return int(settings.DEALS_AHEAD_DAYS) + 1
