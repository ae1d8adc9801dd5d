"""A log is found by the index of its numbers; another one only cost each move."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0014_permissions_to_act")]
    operations = [
        migrations.AlterField(
            model_name="loggedmove",
            name="attempt",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="log",
                to="games.attempt",
            ),
        ),
    ]
