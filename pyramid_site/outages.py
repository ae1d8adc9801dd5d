"""When nobody could play, by the marks that the web processes leave each minute.

A worker that fails or stands still proves nothing: people play without one. A mark is left by the
threads that answer players, in the database that play needs, and only while there is a deal to
play; so a gap between marks is a time in which nobody could play, unless somebody did.
"""

from collections import defaultdict
from collections.abc import Callable
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db import transaction

from pyramid_site import clock
from pyramid_site.models import Heartbeat, Outage

DAY = timedelta(days=1)
LATE = timedelta(minutes=3)  # what comes each minute
PLAY = "play"  # the heartbeat of all web processes together

playable: list[Callable[[], bool]] = []
"""Each says whether there is something to play now. The game adds itself."""

last_played: list[Callable[[datetime, datetime], datetime | None]] = []
"""Each says when somebody last played between two instants. The game adds itself."""


@transaction.atomic
def mark() -> None:
    """Note that one can play now. After a gap, the time in which nobody could is an outage."""
    if not all(it() for it in playable):
        return
    now = clock.now()
    Heartbeat.objects.get_or_create(task=PLAY, defaults={"beat_at": now})
    last = Heartbeat.objects.select_for_update().get(task=PLAY)
    if now - last.beat_at >= LATE:
        _note(since=last.beat_at, until=now)
    last.beat_at = max(last.beat_at, now)
    last.save(update_fields=["beat_at"])


def _note(*, since: datetime, until: datetime) -> None:
    """Write the outage down: it began when somebody last played.

    The last minutes do not count as play: whoever waited for the server may be quicker than its
    first mark.
    """
    played = [at for it in last_played if (at := it(since, until - LATE))]
    began_at = max([since, *played])
    if until - began_at >= LATE:
        Outage.objects.create(began_at=began_at, ended_at=until)


def days_down() -> set[date]:
    """The days on which nobody could play for more than the share that OUTAGE_SHARE sets."""
    down: defaultdict[date, timedelta] = defaultdict(timedelta)
    for began_at, ended_at in Outage.objects.values_list("began_at", "ended_at"):
        day = began_at.date()
        while (start := clock.midnight(day)) < ended_at:
            down[day] += min(ended_at, start + DAY) - max(began_at, start)
            day += DAY
    return {day for day, length in down.items() if length > DAY * settings.OUTAGE_SHARE}
