"""When the server was down, by its own heartbeat: the gaps between the sweeps of each minute."""

from collections import defaultdict
from datetime import date, datetime, timedelta

from django.conf import settings

from pyramid_site import clock
from pyramid_site.models import Outage

DAY = timedelta(days=1)
LATE = timedelta(minutes=3)  # the sweep comes each minute


def note(*, since: datetime, until: datetime) -> None:
    """Between these two beats there was none. Part of the transaction of the second."""
    if until - since >= LATE:
        Outage.objects.create(began_at=since, ended_at=until)


def days_down() -> set[date]:
    """The days on which the server was down for more than the share that OUTAGE_SHARE sets."""
    down: defaultdict[date, timedelta] = defaultdict(timedelta)
    for began_at, ended_at in Outage.objects.values_list("began_at", "ended_at"):
        day = began_at.date()
        while (start := clock.midnight(day)) < ended_at:
            down[day] += min(ended_at, start + DAY) - max(began_at, start)
            day += DAY
    return {day for day, length in down.items() if length > DAY * settings.OUTAGE_SHARE}
