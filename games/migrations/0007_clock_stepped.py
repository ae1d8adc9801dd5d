"""Attempts during which the server's clock was set back."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0006_weekday_targets")]
    operations = [
        migrations.AddField(
            model_name="attempt",
            name="clock_stepped",
            field=models.BooleanField(
                default=False, help_text="the server's clock was set back while it was played"
            ),
        ),
        migrations.AddConstraint(
            model_name="attempt",
            constraint=models.CheckConstraint(
                condition=models.Q(finished_at=None)
                | models.Q(finished_at__gte=models.F("started_at")),
                name="attempt_ends_after_its_start",
            ),
        ),
    ]
