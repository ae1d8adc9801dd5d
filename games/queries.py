"""Every read of the game's tables, and every row lock."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from uuid import UUID

from django.conf import settings
from django.core.cache import caches
from django.db import connection
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet
from django.db.models.functions import TruncDate

from games.models import (
    GRACE,
    OPEN_FOR,
    Attempt,
    AttemptStatus,
    Challenge,
    DailyDeal,
    DealOrder,
    LoggedMove,
    WeekdayTarget,
)
from games.solver.difficulty import Difficulty
from leaderboards.models import Group, Result
from players.models import Player
from players.queries import name_changes
from pyramid_site import clock
from pyramid_site.refusals import not_found
from pyramid_site.uuids import stored

MANY = 1000  # ranked attempts at a deal, above which a count is not made anew for everybody
LAG = 10  # s for which it is good

# What play never needs of a deal, and so never loads.
SECRETS = ("seed", "k", "winning_line", "wins")
IDLE = timedelta(days=90)  # for which a guest who has not played yet is waited for


@dataclass(frozen=True, slots=True)
class DealCounts:
    """Ranked attempts at a deal, and how many of them cleared it."""

    players: int = 0
    cleared: int = 0


def challenges(day: date | None = None) -> list[Challenge]:
    """Return the challenges on offer on a day, or all of them, in display order."""
    found = Challenge.objects.order_by("list_order")
    return [it for it in found if day is None or not it.paused_on(day)]


def present_day() -> TruncDate:
    """Return today (UTC) as a query expression."""
    return TruncDate(clock.Now(), tzinfo=UTC)


def today_of(*, challenge_id: str) -> tuple[date, int]:
    """Return today (UTC) and the name-change counter; raises `not_found` for an unknown challenge.

    Raises Refusal `not_found`.
    """
    found = (
        Challenge.objects.filter(pk=challenge_id).values_list(present_day(), name_changes()).first()
    )
    if found is None:
        raise not_found("challenge")
    day, changes = found
    return day, changes


def deals() -> "QuerySet[DailyDeal]":
    """Return all current deals with related rows, without their secrets."""
    return (
        DailyDeal.objects.filter(replacement=None)
        .select_related("challenge", "seal", "voiding")
        .defer(*SECRETS)
        .annotate(changes=F("tally__version"), name_changes=name_changes())
    )


def boards_version(deal: DailyDeal) -> str:
    """Return a version that changes with the deal's results, verdicts, seal, and any name."""
    return f"{vars(deal)['changes'] or 0}-{vars(deal)['name_changes']}"


def there_is_a_deal_to_play() -> bool:
    """Return whether a deal of today can be started."""
    today = clock.today()
    made = DailyDeal.objects.filter(date=today).values_list("challenge", flat=True)
    return any(it.pk in set(made) for it in challenges(today))


def last_played(since: datetime, until: datetime) -> datetime | None:
    """Return when an attempt last started or ended between two instants."""
    between = (since, until)
    open_then = Attempt.objects.filter(
        deal__date__range=(since.date() - timedelta(days=1), until.date())
    )
    by_players = open_then.filter(status__in=(AttemptStatus.CLEARED, AttemptStatus.RESIGNED))
    found = (
        open_then.filter(started_at__range=between).aggregate(last=Max("started_at"))["last"],
        by_players.filter(finished_at__range=between).aggregate(last=Max("finished_at"))["last"],
    )
    return max((at for at in found if at), default=None)


def deals_of(day: date) -> dict[str, DailyDeal]:
    """The deals of a day by challenge id."""
    return {deal.challenge_id: deal for deal in deals().filter(date=day)}


def deals_between(first: date, last: date) -> "QuerySet[DailyDeal]":
    """The deals of a span of days, both ends included."""
    return deals().filter(date__range=(first, last))


def unmade_deal(*, day: date, challenge_id: str) -> DailyDeal:
    """Return an unsaved deal that has only its day and challenge."""
    return DailyDeal(date=day, challenge=Challenge.objects.get(pk=challenge_id))


def sealed_deals(challenge_id: str | None) -> "QuerySet[DailyDeal]":
    """Return sealed deals, of one challenge or all."""
    found = deals().filter(seal__isnull=False)
    return found.filter(challenge_id=challenge_id) if challenge_id else found


def coming_days(count: int) -> list[date]:
    """Return this many days, starting today."""
    today = clock.today()
    return [today + timedelta(days=ahead) for ahead in range(count)]


def missing_deals(days: Iterable[date]) -> list[tuple[date, Challenge]]:
    """Return missing deals by day; within a day the quickest to make first.

    More passes make a deal likelier to be winnable, and so sooner found.
    """
    days = list(days)
    made = set(DailyDeal.objects.filter(date__in=days).values_list("date", "challenge_id"))
    offered = Challenge.objects.order_by("-passes", "-list_order")
    return [
        (day, it)
        for day in days
        for it in offered
        if (day, it.pk) not in made and not it.paused_on(day)
    ]


def open_orders() -> "QuerySet[DealOrder]":
    """Return open orders, the nearest day first."""
    return DealOrder.objects.select_related("challenge").filter(settled_at=None).order_by("date")


def target_difficulty(*, challenge: Challenge, day: date) -> Difficulty:
    """Return the target difficulty of a day, medium by default."""
    target = WeekdayTarget.objects.filter(challenge=challenge, weekday=day.weekday()).first()
    return Difficulty(target.difficulty) if target else Difficulty.MEDIUM


def counts(some: Iterable[DailyDeal]) -> Mapping[int, DealCounts]:
    """Return counts by deal id: final for sealed deals, up to LAG s old for crowded ones."""
    found = {}
    unsealed = []
    for deal in some:
        if deal.sealed:
            found[deal.pk] = DealCounts(deal.seal.players, deal.seal.cleared)
        else:
            unsealed.append(deal.pk)
    crowded = caches["process"].get_many(unsealed)
    return {**found, **crowded, **_counted([pk for pk in unsealed if pk not in crowded])}


def _counted(deal_ids: Sequence[int]) -> Mapping[int, DealCounts]:
    """Counted now. Everybody asks for this, and of a crowd nobody misses the last few."""
    cleared = Q(status=AttemptStatus.CLEARED)
    rows = (
        Attempt.objects.filter(deal__in=deal_ids, ranked=True)
        .values_list("deal")
        .annotate(players=Count("pk"), cleared=Count("pk", filter=cleared))
    )
    found = {pk: DealCounts(players, cleared) for pk, players, cleared in rows}
    crowded = {pk: counts for pk, counts in found.items() if counts.players > MANY}
    caches["process"].set_many(crowded, timeout=LAG)
    return {**dict.fromkeys(deal_ids, DealCounts()), **found}


def deals_to_seal(now: datetime) -> list[int]:
    """Return the ids of unsealed deals whose play has ended, oldest first."""
    due = DailyDeal.objects.filter(seal=None, replacement=None, date__lte=ended_by(now))
    return list(due.order_by("date").values_list("pk", flat=True))


def deals_to_count() -> "QuerySet[DailyDeal]":
    """Return sealed deals not yet counted in their periods, oldest first."""
    uncounted = deals().filter(seal__isnull=False, counted=None, voiding=None)
    return uncounted.order_by("date", "challenge")


def attempts_to_expire(now: datetime) -> "QuerySet[Attempt]":
    """Ranked attempts still open at deals whose play has ended."""
    return _open_ranked_attempts().filter(deal__date__lte=ended_by(now))


def batches_to_expire(now: datetime, size: int) -> Iterator[list[UUID]]:
    """Yield the ids of `attempts_to_expire` in batches, each once even if its expiry fails."""
    due = attempts_to_expire(now).order_by("pk").values_list("pk", flat=True)
    batch = list(due[:size])
    while batch:
        yield batch
        batch = list(due.filter(pk__gt=batch[-1])[:size])


def open_ranked_attempts(deal: DailyDeal) -> "QuerySet[Attempt]":
    """The ranked attempts at a deal that have not ended."""
    return _open_ranked_attempts().filter(deal=deal)


def _open_ranked_attempts() -> "QuerySet[Attempt]":
    return Attempt.objects.select_related("deal").filter(ranked=True, status=AttemptStatus.ACTIVE)


def attempts() -> "QuerySet[Attempt]":
    """All attempts with deal and seal, without the deals' secrets."""
    return Attempt.objects.select_related("deal__seal", "deal__voiding").defer(
        *(f"deal__{secret}" for secret in SECRETS)
    )


def batches_of_attempts(size: int) -> Iterator[list[Attempt]]:
    """All attempts with their deals, by id."""
    found = attempts().order_by("pk")
    batch = list(found[:size])
    while batch:
        yield batch
        batch = list(found.filter(pk__gt=batch[-1].pk)[:size])


def results_without_attempt() -> Iterator[UUID]:
    """Return the ids of results without an attempt, which no foreign key prevents."""
    there = Attempt.objects.filter(pk=OuterRef("pk"))
    yield from Result.objects.filter(~Exists(there)).values_list("pk", flat=True)


def attempt_seen_by(*, attempt_id: UUID, player_id: UUID | None) -> Attempt:
    """Return an attempt to its player, and to anyone once its deal is sealed; else `not_found`."""
    attempt = attempts().filter(pk=attempt_id).first()
    if attempt is None or (attempt.player_id != player_id and not attempt.deal.sealed):
        raise not_found("attempt")
    return attempt


def resumable_attempt(*, deal: DailyDeal, player_id: UUID) -> Attempt | None:
    """Return the player's resumable attempt: the day's one, or the open practice; or None."""
    own = attempts().filter(deal=deal, player_id=player_id)
    if deal.sealed:
        return own.filter(ranked=False, status=AttemptStatus.ACTIVE).first()
    return own.filter(daily=True).first()


def may_be_ranked(*, player_id: UUID, now: datetime) -> bool:
    """Return whether the player's account is old enough for ranked attempts."""
    days = settings.RANKED_ACCOUNT_AGE_DAYS
    if not days:
        return True
    since = now - timedelta(days=int(days))
    return Player.objects.filter(pk=player_id, claimed_at__lte=since).exists()


def attempts_of(
    *, player_id: UUID, day: date | None, challenge_id: str | None
) -> "QuerySet[Attempt]":
    """A player's attempts, all or those of a day or a challenge."""
    own = attempts().filter(player_id=player_id)
    if day:
        own = own.filter(deal__date=day)
    return own.filter(deal__challenge=challenge_id) if challenge_id else own


def log_of(attempt: Attempt) -> "QuerySet[LoggedMove]":
    """The moves of an attempt."""
    return LoggedMove.objects.filter(attempt=attempt)


def moves_up_to(attempt: Attempt, number: int) -> list[str]:
    """The texts of the first `number` moves of a log, in order."""
    log = log_of(attempt).filter(number__lte=number).order_by("number")
    return list(log.values_list("move", flat=True))


def players_to_clear_away(now: datetime, *, most: int) -> list[UUID]:
    """Some of `idle_players`, oldest first."""
    return list(idle_players(now).order_by("joined_at").values_list("pk", flat=True)[:most])


def idle_players(now: datetime) -> "QuerySet[Player]":
    """Return players who never played and are deleted or guests of 90 days."""
    return Player.objects.filter(
        Q(claimed_at=None, joined_at__lte=now - IDLE) | Q(gone_at__isnull=False),
        ~Exists(Group.objects.filter(owner=OuterRef("pk"))),
        attempts=None,
    )


def lock_attempt(*, attempt_id: UUID, player_id: UUID) -> tuple[Attempt, datetime]:
    """Lock the player's own attempt until the transaction ends; return it and the time after.

    Raises Refusal `not_found`.
    """
    # Written out, because no other statement runs as often and the ORM takes longer to put it
    # together than PostgreSQL to run it. The clock is read outside of the subquery that locks,
    # and so after the lock was waited for.
    lock = "FOR UPDATE" if connection.features.has_select_for_update else ""
    sql = f"""
        SELECT own.*, {clock.sql().replace("%", "%%")} AS now
        FROM (SELECT * FROM games_attempt WHERE id = %s AND player_id = %s {lock}) AS own
    """  # noqa: S608 constants of this module and the clock's
    for attempt in Attempt.objects.raw(sql, [stored(attempt_id), stored(player_id)]):
        attempt.deal = copy(cached_deal(attempt.deal_id))
        return attempt, clock.read(vars(attempt)["now"])
    raise not_found("attempt")


@lru_cache(maxsize=256)
def cached_deal(deal_id: int) -> DailyDeal:
    """Return a deal from a cache, since its row never changes. Copy it before changing it.

    A copy, because an instance remembers whether it was sealed when it was first asked.
    """
    return DailyDeal.objects.defer(*SECRETS).get(pk=deal_id)


def lock_deal_against_sealing(deal_id: int) -> None:
    """Take a shared lock that delays the deal's seal until the transaction ends."""
    if connection.vendor == "postgresql":  # the ORM has no FOR SHARE; SQLite has one writer anyway
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM games_dailydeal WHERE id = %s FOR SHARE", [deal_id])


def lock_challenge(challenge_id: str) -> Challenge:
    """Lock a challenge. Raises Refusal `not_found`."""
    found = Challenge.objects.select_for_update().filter(pk=challenge_id).first()
    if found is None:
        raise not_found("challenge")
    return found


def lock_open_order(order_id: int) -> bool:
    """Lock an order; return whether it is still open."""
    found = open_orders().select_for_update(of=("self",)).filter(pk=order_id)
    return found.first() is not None


def lock_deal_of(*, day: date, challenge_id: str) -> DailyDeal | None:
    """Lock the current deal of a day against replacement; None if there is none."""
    found = DailyDeal.objects.select_for_update(of=("self",)).filter(replacement=None)
    return found.only("pk").filter(date=day, challenge=challenge_id).first()


def lock_deal_to_seal(deal_id: int) -> None:
    """Lock a deal for its seal: wait for running finishes and block new ones.

    What only refers to the deal need not wait, and must not: it may hold the tally.
    """
    DailyDeal.objects.select_for_update(no_key=True).only("pk").get(pk=deal_id)


def lock_attempts(some: "QuerySet[Attempt]", *, wait: bool = True) -> list[Attempt]:
    """Lock these attempts in primary-key order, to avoid deadlock; `wait=False`: the free ones."""
    return list(some.select_for_update(of=("self",), skip_locked=not wait).order_by("pk"))


def ended_by(now: datetime) -> date:
    """Return the last day whose play has ended at `now`."""
    return (now - OPEN_FOR - GRACE).date()
