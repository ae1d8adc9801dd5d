"""The calendar: which deal each day of some weeks has under each challenge, and how it stands."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from games import making, queries
from games.models import Challenge, DailyDeal, DealMaking, MakingOutcome
from pyramid_site import clock

SHOWN = timedelta(weeks=4)


@dataclass(frozen=True, slots=True)
class Cell:
    """What a day has under a challenge. `state` is a word for people, and a class of the style."""

    challenge: Challenge
    state: str
    deal: DailyDeal | None = None
    counts: queries.DealCounts | None = None
    coming: bool = False
    """Its day has not begun: a deal may be written for it."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Weeks:
    """Days from a Monday on, each with a cell for each challenge, and the Mondays beside them."""

    challenges: list[Challenge]
    days: list[tuple[date, list[Cell]]]
    today: date
    earlier: date
    later: date


def state(deal: DailyDeal, now: datetime) -> str:
    """How a deal that was not replaced stands, in a word."""
    if deal.void:
        return "void"
    if deal.sealed:
        return "sealed"
    if now >= deal.seals_at:
        return "unsealed"
    if now >= deal.closes_at:
        return "closing"
    return "open" if now >= deal.opens_at else "made"


def weeks(text: str) -> Weeks:
    """Four weeks, the first with the day YYYY-MM-DD; else the two past ones and the two to come."""
    now = clock.now()
    try:
        wanted = date.fromisoformat(text)
        first = wanted - timedelta(days=wanted.weekday())
        earlier, later = first - SHOWN, first + SHOWN
    except (ValueError, OverflowError):
        return weeks(f"{now.date() - SHOWN / 2:%Y-%m-%d}")
    challenges = list(Challenge.objects.order_by("list_order"))
    deals = list(queries.deals_between(first, later - timedelta(days=1)))
    counts = queries.counts(deals)
    made = {(deal.date, deal.challenge_id): deal for deal in deals}
    waiting = _waiting(first, later)
    days = []
    for ahead in range(SHOWN.days):
        day = first + timedelta(days=ahead)
        cells = [
            _cell(day, it, made.get((day, it.pk)), counts, waiting.get((day, it.pk), ""), now)
            for it in challenges
        ]
        days.append((day, cells))
    return Weeks(challenges, days, now.date(), earlier, later)


def _cell(
    day: date,
    challenge: Challenge,
    deal: DailyDeal | None,
    counts: Mapping[int, queries.DealCounts],
    waiting: str,
    now: datetime,
) -> Cell:
    coming = day > now.date()
    paused = challenge.paused_on(day) and day >= now.date()
    if deal is not None:
        shown = "paused" if paused and not deal.sealed else state(deal, now)
        return Cell(challenge, shown, deal, counts[deal.pk], coming, waiting if coming else "")
    if paused:
        return Cell(challenge, "paused", coming=coming)
    due = now.date() <= day < now.date() + timedelta(days=making.days_to_have())
    return Cell(challenge, "missing" if due else "none", coming=coming, note=waiting)


def _waiting(first: date, last: date) -> dict[tuple[date, str], str]:
    """What is on order or being made, by day and challenge."""
    found = {
        (it.date, it.challenge_id): "being made" if not it.outcome else it.outcome
        for it in DealMaking.objects.filter(date__range=(first, last)).exclude(
            outcome=MakingOutcome.MADE
        )
    }
    for order in queries.open_orders().filter(date__range=(first, last)):
        found[order.date, order.challenge_id] = "on order"
    return found
