"""What is stored of the server itself."""

from django.db import models


class Heartbeat(models.Model):
    """When a periodic task last ran to its end, and how long; `/readyz` says which are late.

    The task `play` is no task: it is the mark of the web processes (`pyramid_site.outages`).
    """

    task = models.CharField(primary_key=True, max_length=40)
    beat_at = models.DateTimeField()
    took_ms = models.PositiveIntegerField(null=True)
    failed = models.JSONField(null=True, help_text="units that failed alone, by kind")

    def __str__(self) -> str:
        return f"{self.task} at {self.beat_at:%Y-%m-%d %H:%M:%S}"


class Outage(models.Model):
    """A time in which nobody could play (`pyramid_site.outages`). Appended, never changed."""

    began_at = models.DateTimeField(unique=True)
    ended_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ended_at__gt=models.F("began_at")), name="outage_has_a_length"
            )
        ]

    def __str__(self) -> str:
        return f"{self.began_at:%Y-%m-%d %H:%M:%S} to {self.ended_at:%Y-%m-%d %H:%M:%S}"


class Counter(models.Model):
    """What is counted in the database where there is no Redis (`pyramid_site.counting`)."""

    key = models.CharField(primary_key=True, max_length=120)
    total = models.PositiveIntegerField()
    lapses_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key}: {self.total}"


class AuditEntry(models.Model):
    """Something that a member of staff did. Appended, never changed.

    It names who and what as they were then, and outlives both.
    """

    at = models.DateTimeField()
    by_id = models.PositiveBigIntegerField(help_text="the member of staff")
    by_name = models.CharField(max_length=150, db_index=True)
    act = models.CharField(max_length=40)
    model = models.CharField(max_length=80)
    key = models.CharField(max_length=80)
    subject = models.CharField(max_length=200, help_text="what it was done to")
    why = models.TextField(help_text="the reason, or what was changed")

    class Meta:
        verbose_name_plural = "audit log"
        indexes = [models.Index(fields=["model", "key"], name="acts_on_a_row")]

    def __str__(self) -> str:
        return f"{self.by_name}: {self.act}, {self.subject}"
