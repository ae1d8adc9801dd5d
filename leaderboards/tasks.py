"""What the worker does for the boards. It may come late, twice or never: readers do without."""

from celery import shared_task

from leaderboards import live


@shared_task
def rebuild_boards() -> None:
    """Brings the sorted sets of the boards that are played up to date, or builds them."""
    for tally in live.played():
        for clean in (False, True):
            live.catch_up(tally, clean=clean)
