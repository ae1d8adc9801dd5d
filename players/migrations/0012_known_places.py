"""The addresses from which players have logged in, as keyed hashes."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0011_no_reset_tables")]
    operations = [
        migrations.CreateModel(
            name="KnownPlace",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.BinaryField(max_length=32)),
                ("seen_at", models.DateTimeField(db_index=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="places",
                        to="players.player",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("player", "digest"), name="one_row_a_known_place"
                    )
                ],
            },
        ),
    ]
