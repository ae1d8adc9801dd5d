"""The tables, with their constraints and indexes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                ("task", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("beat_at", models.DateTimeField()),
                ("took_ms", models.PositiveIntegerField(null=True)),
                (
                    "failed",
                    models.JSONField(help_text="units that failed alone, by kind", null=True),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Outage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("began_at", models.DateTimeField(unique=True)),
                ("ended_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("ended_at__gt", models.F("began_at"))),
                        name="outage_has_a_length",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Counter",
            fields=[
                ("key", models.CharField(max_length=120, primary_key=True, serialize=False)),
                ("total", models.PositiveIntegerField()),
                ("lapses_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("by_id", models.PositiveBigIntegerField(help_text="the member of staff")),
                ("by_name", models.CharField(db_index=True, max_length=150)),
                ("act", models.CharField(max_length=40)),
                ("model", models.CharField(max_length=80)),
                ("key", models.CharField(max_length=80)),
                ("subject", models.CharField(help_text="what it was done to", max_length=200)),
                ("why", models.TextField(help_text="the reason, or what was changed")),
            ],
            options={
                "verbose_name_plural": "audit log",
                "indexes": [models.Index(fields=["model", "key"], name="acts_on_a_row")],
            },
        ),
    ]
