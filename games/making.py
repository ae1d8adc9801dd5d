"""Make the deals of coming days, certified winnable and at their weekday's difficulty."""

import secrets
import time
from collections.abc import Callable, Sequence
from datetime import date

from django.conf import settings
from django.db import DatabaseError

from games import engine, queries, solver
from games.models import Challenge, DailyDeal, DealMaking, MakingOutcome
from pyramid_site import clock
from pyramid_site.isolation import unit

Progress = Callable[[DealMaking], object]

NOTED_EVERY = 1.0  # s between two notes of how far a making has come


def quiet(making: DealMaking) -> None:
    """Progress that nobody watches."""


def days_to_have() -> int:
    """Return how many days, starting today, should have deals."""
    return int(settings.DEALS_AHEAD_DAYS) + 1


def make_missing(*, days: int, progress: Progress = quiet) -> int:
    """Make the missing deals of the next `days` days, today's first; return how many.

    Each is stored as soon as it is made. Safe to run twice at once: the first one stored stays.
    A rule set under which nothing can be won is passed over, and so is a deal whose making
    fails; both are tried again the next time.
    """
    coming = queries.coming_days(days)
    made = 0
    tried: set[tuple[date, str]] = set()
    hopeless: set[str] = set()
    while missing := [
        (day, challenge)
        for day, challenge in queries.missing_deals(coming)
        if (day, challenge.pk) not in tried and challenge.pk not in hopeless
    ]:
        day, challenge = missing[0]
        tried.add((day, challenge.pk))
        with unit("making", f"{day} {challenge.pk}"):
            if make(day=day, challenge=challenge, progress=progress):
                made += 1
            else:
                hopeless.add(challenge.pk)
    return made


def make(*, day: date, challenge: Challenge, progress: Progress = quiet) -> bool:
    """Make a deal for a day without one, from a fresh seed, at the weekday's difficulty.

    Takes seconds to minutes; False if no candidate can be won. How far it has come is kept in
    its DealMaking, for operators to see.
    """
    row = drawn(day=day, challenge=challenge, progress=progress)
    if row is None:
        return False
    store(row)
    return True


def drawn(*, day: date, challenge: Challenge, progress: Progress) -> DailyDeal | None:
    """Draw a deal from a new seed, not yet stored; None if no candidate can be won."""
    seed = secrets.token_bytes(32)
    rules = challenge.rules
    target = queries.target_difficulty(challenge=challenge, day=day)
    making = _begin(day, challenge, target)
    note = _noting(making, progress)
    try:
        found = solver.derive(
            seed=seed, challenge_id=challenge.pk, rules=rules, target=target, progress=note
        )
    except solver.NoWinnableDealError:
        _end(making, MakingOutcome.HOPELESS, progress)
        return None
    row = certified(
        day=day,
        challenge=challenge,
        deal=found.deal,
        line=found.line,
        wins=found.wins,
        target=target,
    )
    row.seed, row.k = seed, found.k
    _end(making, MakingOutcome.MADE, progress)
    return row


def certified(
    *,
    day: date,
    challenge: Challenge,
    deal: engine.Deal,
    line: Sequence[engine.Move],
    wins: int,
    target: solver.Difficulty,
) -> DailyDeal:
    """Build the row of a deal that the line clears, without its source.

    The proof is the engine's replay, whatever the solver thinks of its line.
    """
    rules = challenge.rules
    if engine.replay(deal, rules, line).outcome is not engine.Outcome.CLEARED:
        raise RuntimeError(f"the solver {solver.SOLVER_ID} gave a line that clears nothing")
    return DailyDeal(
        date=day,
        challenge=challenge,
        rules_line=engine.format_rules(rules),
        shuffle_id=engine.SHUFFLE_ID,
        solver_id=solver.SOLVER_ID,
        target=target,
        difficulty=solver.difficulty(wins),
        made_at=clock.now(),
        cards=engine.format_deal(deal),
        winning_line=engine.format_log(line),
        wins=wins,
    )


def store(row: DailyDeal) -> bool:
    """Store a deal unless its day has another that it does not replace; return whether it did.

    What a database says of a row that it refuses quotes it, cards and all, and would bring them
    into the log. The error raised instead is of the same type.
    """
    try:
        DailyDeal.objects.bulk_create([row], ignore_conflicts=True)
    except DatabaseError as error:
        raise type(error)(f"{row} was not stored") from None
    same = {"date": row.date, "challenge": row.challenge_id, "cards": row.cards}
    return DailyDeal.objects.filter(**same).exists()


def _begin(day: date, challenge: Challenge, target: solver.Difficulty) -> DealMaking:
    now = clock.now()
    fresh = {"target": target, "started_at": now, "updated_at": now, "outcome": ""}
    counts = dict.fromkeys(("tried", "unwinnable", "undecided", "other_tier"), 0)
    making = DealMaking(date=day, challenge=challenge, **fresh, **counts)
    DealMaking.objects.bulk_create(
        [making],
        update_conflicts=True,
        unique_fields=["date", "challenge"],
        update_fields=[*fresh, *counts],
    )
    return making


def _noting(making: DealMaking, progress: Progress) -> Callable[[solver.CandidateCounts], None]:
    """Record progress in the database, at most once in NOTED_EVERY seconds."""
    noted = time.monotonic()

    def note(counts: solver.CandidateCounts) -> None:
        nonlocal noted
        making.tried, making.unwinnable = counts.tried, counts.unwinnable
        making.undecided, making.other_tier = counts.undecided, counts.other_tier
        progress(making)
        if time.monotonic() - noted >= NOTED_EVERY:
            noted = time.monotonic()
            making.updated_at = clock.now()
            making.save()

    return note


def _end(making: DealMaking, outcome: str, progress: Progress) -> None:
    making.outcome = outcome
    making.updated_at = clock.now()
    making.save()
    progress(making)
