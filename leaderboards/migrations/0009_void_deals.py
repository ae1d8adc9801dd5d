"""Deals whose results are on no board."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0008_groups")]
    operations = [
        migrations.AddField(
            model_name="tally",
            name="void",
            field=models.BooleanField(
                db_default=False, default=False, help_text="its results are on no board"
            ),
        ),
    ]
