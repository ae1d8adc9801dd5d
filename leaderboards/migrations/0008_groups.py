"""Groups of players."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0001_initial"),
        ("leaderboards", "0007_periods"),
    ]
    operations = [
        migrations.CreateModel(
            name="Group",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=24)),
                ("code", models.CharField(max_length=12, unique=True)),
                ("created_at", models.DateTimeField()),
                (
                    "version",
                    models.PositiveIntegerField(
                        default=0, help_text="goes up with each coming and going"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="players.player",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("joined_at", models.DateTimeField()),
                (
                    "group",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="leaderboards.group",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="players.player",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["group", "joined_at", "player"], name="members_of_a_group")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=["group", "player"], name="one_membership_a_group"
                    )
                ],
            },
        ),
    ]
