"""The tables, with their constraints and indexes."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Player",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=24)),
                ("name_key", models.CharField(max_length=72, unique=True)),
                ("skeleton", models.CharField(max_length=168, unique=True)),
                ("joined_at", models.DateTimeField(db_index=True)),
                (
                    "locked_at",
                    models.DateTimeField(help_text="since when it may not act", null=True),
                ),
                (
                    "claimed_at",
                    models.DateTimeField(help_text="when it got its password", null=True),
                ),
                ("password", models.CharField(blank=True, help_text="a hash", max_length=128)),
                (
                    "email",
                    models.CharField(blank=True, help_text="for a new password", max_length=254),
                ),
                (
                    "email_confirmed_at",
                    models.DateTimeField(
                        help_text="when a key that was mailed there came back", null=True
                    ),
                ),
                ("gone_at", models.DateTimeField(help_text="when it was deleted", null=True)),
            ],
            options={
                "permissions": [
                    ("rename_player", "Can give players another name"),
                    ("lock_player", "Can lock players and unlock them"),
                ],
                "indexes": [
                    models.Index(
                        condition=models.Q(("email", ""), _negated=True),
                        fields=["email"],
                        name="players_by_email",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("claimed_at__isnull", False),
                                ("gone_at", None),
                                models.Q(("password", ""), _negated=True),
                            ),
                            models.Q(
                                ("email", ""),
                                ("password", ""),
                                models.Q(
                                    ("claimed_at", None),
                                    ("gone_at__isnull", False),
                                    _connector="OR",
                                ),
                            ),
                            _connector="OR",
                        ),
                        name="only_the_claimed_have_passwords",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("email_confirmed_at__isnull", False)),
                        fields=("email",),
                        name="a_confirmed_address_is_one_player_s",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("email_confirmed_at", None),
                            models.Q(("email", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="only_an_address_is_confirmed",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="NameChanges",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("count", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="FormerName",
            fields=[
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
                ("name_key", models.CharField(db_index=True, max_length=72)),
                ("skeleton", models.CharField(max_length=168, unique=True)),
                ("freed_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="Token",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tokens",
                        to="players.player",
                    ),
                ),
                ("digest", models.BinaryField(max_length=32, unique=True)),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField(db_index=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("expires_at__gt", models.F("created_at"))),
                        name="token_expires_after_it_was_made",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="KnownPlace",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="places",
                        to="players.player",
                    ),
                ),
                ("digest", models.BinaryField(max_length=32)),
                ("seen_at", models.DateTimeField(db_index=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("player", "digest"), name="one_row_a_known_place"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Mail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("reset", "Reset"), ("confirm", "Confirm")], max_length=10
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
                ("email", models.CharField(blank=True, max_length=254)),
                ("recipient", models.BinaryField(db_index=True, max_length=32)),
                ("digest", models.BinaryField(max_length=32, null=True, unique=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("sent", "Sent"),
                            ("given_up", "Given Up"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("asked_at", models.DateTimeField()),
                (
                    "due_at",
                    models.DateTimeField(db_index=True, help_text="the next try", null=True),
                ),
                ("expires_at", models.DateTimeField(db_index=True)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("error", models.CharField(blank=True, help_text="of the last try", max_length=80)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("due_at__isnull", False),
                                ("state", "waiting"),
                                models.Q(("email", ""), _negated=True),
                            ),
                            models.Q(
                                models.Q(("state", "waiting"), _negated=True),
                                ("due_at", None),
                                ("email", ""),
                            ),
                            _connector="OR",
                        ),
                        name="only_waiting_mails_are_due",
                    )
                ],
            },
        ),
    ]
