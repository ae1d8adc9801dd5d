"""Challenges that have no deals from some day on."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0009_one_daily_attempt")]
    operations = [
        migrations.AddField(
            model_name="challenge",
            name="paused_from",
            field=models.DateField(
                blank=True, help_text="from this day on no deal is made or offered", null=True
            ),
        ),
    ]
