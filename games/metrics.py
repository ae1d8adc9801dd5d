"""What is counted of the game for Prometheus."""

from collections.abc import Iterator

from django.conf import settings
from prometheus_client import Counter
from prometheus_client.metrics_core import GaugeMetricFamily, Metric

from games import queries

MOVES = Counter("pyramid_moves", "Moves by what became of them: a refusal's code too.", ["answer"])
STARTS = Counter("pyramid_attempts_started", "New attempts, practice included.", ["challenge"])
FINISHES = Counter("pyramid_attempts_finished", "Attempts that ended, and how.", ["status"])


def missing_deals() -> Iterator[Metric]:
    """Looked up when somebody reads the metrics."""
    missing = queries.missing_deals(queries.coming_days(settings.DEALS_AHEAD_DAYS + 1))
    yield GaugeMetricFamily(
        "pyramid_deals_missing",
        "Deals of today and the coming days that nobody has made yet.",
        len(missing),
    )
