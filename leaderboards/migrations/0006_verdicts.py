"""Disqualifications and reinstatements: appended, never changed."""

import django.db.models.deletion
from django.db import migrations, models

from pyramid_site.append_only import protect


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0005_result_numbers")]
    operations = [
        migrations.CreateModel(
            name="Verdict",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "number",
                    models.PositiveIntegerField(help_text="of the change to the deal's boards"),
                ),
                ("disqualified", models.BooleanField()),
                ("by_id", models.PositiveBigIntegerField(help_text="the member of staff")),
                ("by_name", models.CharField(max_length=150)),
                ("why", models.TextField()),
                ("at", models.DateTimeField()),
                (
                    "deal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="verdicts",
                        to="games.dailydeal",
                    ),
                ),
                (
                    "result",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="verdicts",
                        to="leaderboards.result",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["result", "-number"], name="last_verdict")],
                "constraints": [
                    models.UniqueConstraint(fields=["deal", "number"], name="one_verdict_a_change"),
                    models.CheckConstraint(
                        condition=models.Q(("why", ""), _negated=True), name="verdict_has_a_reason"
                    ),
                ],
            },
        ),
        protect("leaderboards_verdict"),
    ]
