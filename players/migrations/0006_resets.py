"""New passwords by mail."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0005_former_names")]
    operations = [
        migrations.CreateModel(
            "ResetRequest",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("email", models.CharField(max_length=254)),
                ("asked_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            "ResetKey",
            [
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="reset_key",
                        serialize=False,
                        to="players.player",
                    ),
                ),
                ("digest", models.BinaryField(max_length=32, unique=True)),
                ("made_at", models.DateTimeField()),
            ],
        ),
    ]
