"""One attempt of the day for each player, ranked or not."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0008_daily_attempts")]
    operations = [
        migrations.RemoveConstraint(model_name="attempt", name="one_ranked_attempt"),
        migrations.AddConstraint(
            model_name="attempt",
            constraint=models.UniqueConstraint(
                fields=["deal", "player"],
                condition=models.Q(daily=True),
                name="one_daily_attempt",
            ),
        ),
        migrations.AddConstraint(
            model_name="attempt",
            constraint=models.CheckConstraint(
                condition=models.Q(ranked=False) | models.Q(daily=True),
                name="ranked_attempt_is_daily",
            ),
        ),
    ]
