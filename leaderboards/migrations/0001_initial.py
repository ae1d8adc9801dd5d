"""The tables, with their constraints and indexes."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("games", "0001_initial"),
        ("players", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Result",
            fields=[
                ("attempt_id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                (
                    "deal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="results",
                        to="games.dailydeal",
                    ),
                ),
                (
                    "number",
                    models.PositiveIntegerField(help_text="of the change that put it on the board"),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="results",
                        to="players.player",
                    ),
                ),
                (
                    "ranked_ms",
                    models.PositiveBigIntegerField(help_text="elapsed time and undo penalties"),
                ),
                ("undo_count", models.PositiveIntegerField()),
                ("elapsed_ms", models.PositiveBigIntegerField()),
                ("ply", models.PositiveIntegerField()),
                ("finished_at", models.DateTimeField()),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["deal", "ranked_ms", "undo_count", "player"], name="board_overall"
                    ),
                    models.Index(
                        condition=models.Q(("undo_count", 0)),
                        fields=["deal", "ranked_ms", "undo_count", "player"],
                        name="board_clean",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("deal", "player"), name="one_result_a_player"),
                    models.UniqueConstraint(fields=("deal", "number"), name="one_result_a_change"),
                    models.CheckConstraint(
                        condition=models.Q(("ranked_ms__gte", models.F("elapsed_ms"))),
                        name="penalties_only_add",
                    ),
                ],
            },
        ),
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
                    "deal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="verdicts",
                        to="games.dailydeal",
                    ),
                ),
                (
                    "number",
                    models.PositiveIntegerField(help_text="of the change to the deal's boards"),
                ),
                (
                    "result",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="verdicts",
                        to="leaderboards.result",
                    ),
                ),
                ("disqualified", models.BooleanField()),
                ("by_id", models.PositiveBigIntegerField(help_text="the member of staff")),
                ("by_name", models.CharField(max_length=150)),
                ("why", models.TextField()),
                ("at", models.DateTimeField()),
            ],
            options={
                "indexes": [models.Index(fields=["result", "-number"], name="last_verdict")],
                "constraints": [
                    models.UniqueConstraint(fields=("deal", "number"), name="one_verdict_a_change"),
                    models.CheckConstraint(
                        condition=models.Q(("why", ""), _negated=True), name="verdict_has_a_reason"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Tally",
            fields=[
                (
                    "deal",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="tally",
                        serialize=False,
                        to="games.dailydeal",
                    ),
                ),
                ("key", models.CharField(max_length=32, unique=True)),
                ("version", models.PositiveIntegerField(default=0)),
                ("overall", models.PositiveIntegerField(default=0)),
                ("clean_results", models.PositiveIntegerField(default=0)),
                (
                    "disqualified",
                    models.PositiveIntegerField(default=0, help_text="on no board"),
                ),
                (
                    "final_at",
                    models.DateTimeField(help_text="when the ranks were written", null=True),
                ),
                (
                    "void",
                    models.BooleanField(
                        db_default=False, default=False, help_text="its results are on no board"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "tallies",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("clean_results__lte", models.F("overall"))),
                        name="clean_results_are_of_all",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Standing",
            fields=[
                (
                    "result",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="standing",
                        serialize=False,
                        to="leaderboards.result",
                    ),
                ),
                ("rank", models.PositiveIntegerField()),
                (
                    "clean_rank",
                    models.PositiveIntegerField(help_text="among those without an undo", null=True),
                ),
            ],
        ),
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
                    models.UniqueConstraint(fields=("challenge", "date"), name="one_counted_day")
                ],
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
                    models.UniqueConstraint(fields=("challenge", "name"), name="one_period_a_name")
                ],
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
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["period", "minus_days", "ranked_ms", "player"],
                        name="board_of_a_period",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("period", "player"), name="one_score_a_period"),
                    models.CheckConstraint(
                        condition=models.Q(("minus_days__lt", 0)), name="a_score_has_days"
                    ),
                ],
            },
        ),
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
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="players.player",
                    ),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "version",
                    models.PositiveIntegerField(
                        default=0, help_text="goes up with each coming and going"
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
                ("joined_at", models.DateTimeField()),
            ],
            options={
                "indexes": [
                    models.Index(fields=["group", "joined_at", "player"], name="members_of_a_group")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("group", "player"), name="one_membership_a_group"
                    )
                ],
            },
        ),
    ]
