"""Indexes of the attempts that are few among many, and are asked for."""

from django.db import migrations, models
from django.db.models import Q

RARE = {
    "open_attempts": Q(status="active"),
    "unranked_attempts": Q(ranked=False),
    "stepped_attempts": Q(clock_stepped=True),
}


class Migration(migrations.Migration):
    dependencies = [("games", "0015_one_index_of_logs")]
    operations = [
        migrations.AddIndex(
            model_name="attempt",
            index=models.Index(fields=["deal"], condition=condition, name=name),
        )
        for name, condition in RARE.items()
    ]
