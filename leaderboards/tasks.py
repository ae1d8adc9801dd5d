"""What the worker does for the boards. It may come late, twice or never: readers do without."""

from celery import shared_task

from leaderboards import live
from pyramid_site import health
from pyramid_site.isolation import unit


@shared_task
def rebuild_boards() -> None:
    """Brings the sorted sets of the boards that are played up to date, or builds them."""
    with health.timed("rebuild_boards"):
        for tally in live.played():
            for clean in (False, True):
                with unit("board", tally.pk):
                    live.catch_up(tally, clean=clean)
