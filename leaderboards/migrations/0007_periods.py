"""The boards of weeks, months and all time."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0006_verdicts")]
    operations = [
        migrations.CreateModel(
            name="CountedDay",
            fields=[
                (
                    "deal",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="counted",
                        serialize=False,
                        to="games.dailydeal",
                    ),
                ),
                ("challenge", models.CharField(max_length=40)),
                ("date", models.DateField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=["challenge", "date"], name="one_counted_day")
                ]
            },
        ),
        migrations.CreateModel(
            name="Period",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("challenge", models.CharField(max_length=40)),
                ("name", models.CharField(max_length=8)),
                (
                    "version",
                    models.PositiveIntegerField(default=0, help_text="goes up with each change"),
                ),
                ("players", models.PositiveIntegerField(default=0)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=["challenge", "name"], name="one_period_a_name")
                ]
            },
        ),
        migrations.CreateModel(
            name="PeriodScore",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "minus_days",
                    models.IntegerField(
                        help_text="days cleared, negative: so less is better in all"
                    ),
                ),
                (
                    "ranked_ms",
                    models.PositiveBigIntegerField(help_text="of all these days together"),
                ),
                (
                    "period",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="scores",
                        to="leaderboards.period",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="players.player",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["period", "minus_days", "ranked_ms", "player"],
                        name="board_of_a_period",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=["period", "player"], name="one_score_a_period"),
                    models.CheckConstraint(
                        condition=models.Q(minus_days__lt=0), name="a_score_has_days"
                    ),
                ],
            },
        ),
    ]
