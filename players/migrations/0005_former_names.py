"""Names that were given up, and are kept from others for a while."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0004_claims")]
    operations = [
        migrations.CreateModel(
            "FormerName",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_names",
                        to="players.player",
                    ),
                ),
                ("name_key", models.CharField(max_length=72, db_index=True)),
                ("skeleton", models.CharField(max_length=168, unique=True)),
                ("freed_at", models.DateTimeField(db_index=True)),
            ],
        )
    ]
