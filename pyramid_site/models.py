"""What is stored of the server itself."""

from django.db import models


class Heartbeat(models.Model):
    """When a periodic task last ran to its end, and how long; `/readyz` says which are late."""

    task = models.CharField(primary_key=True, max_length=40)
    beat_at = models.DateTimeField()
    took_ms = models.PositiveIntegerField(null=True)

    def __str__(self) -> str:
        return f"{self.task} at {self.beat_at:%Y-%m-%d %H:%M:%S}"


class Counter(models.Model):
    """What is counted in the database where there is no Redis (`pyramid_site.counting`)."""

    key = models.CharField(primary_key=True, max_length=120)
    total = models.PositiveIntegerField()
    lapses_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key}: {self.total}"
