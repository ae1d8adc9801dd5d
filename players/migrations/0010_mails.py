"""Mails that are asked for, tried and sent."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("players", "0009_confirmed_addresses")]
    operations = [
        migrations.CreateModel(
            "Mail",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        max_length=10, choices=[("reset", "Reset"), ("confirm", "Confirm")]
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="mails",
                        to="players.player",
                    ),
                ),
                ("email", models.CharField(max_length=254, blank=True)),
                ("recipient", models.BinaryField(max_length=32, db_index=True)),
                ("digest", models.BinaryField(max_length=32, null=True, unique=True)),
                (
                    "state",
                    models.CharField(
                        max_length=10,
                        choices=[
                            ("waiting", "Waiting"),
                            ("sent", "Sent"),
                            ("given_up", "Given Up"),
                        ],
                        default="waiting",
                    ),
                ),
                ("asked_at", models.DateTimeField()),
                (
                    "due_at",
                    models.DateTimeField(null=True, db_index=True, help_text="the next try"),
                ),
                ("expires_at", models.DateTimeField(db_index=True)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                (
                    "error",
                    models.CharField(max_length=80, blank=True, help_text="of the last try"),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=(Q(state="waiting", due_at__isnull=False) & ~Q(email=""))
                        | (~Q(state="waiting") & Q(due_at=None, email="")),
                        name="only_waiting_mails_are_due",
                    )
                ]
            },
        ),
    ]
