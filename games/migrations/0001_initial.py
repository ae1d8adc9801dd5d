"""The tables, with their constraints and indexes."""

import uuid

import django.db.models.deletion
import django.db.models.expressions
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("players", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Challenge",
            fields=[
                ("id", models.SlugField(max_length=40, primary_key=True, serialize=False)),
                ("title", models.CharField(max_length=80)),
                (
                    "list_order",
                    models.PositiveSmallIntegerField(help_text="in lists, from 1", unique=True),
                ),
                ("rows", models.PositiveSmallIntegerField()),
                ("decks", models.PositiveSmallIntegerField()),
                ("passes", models.PositiveSmallIntegerField()),
                (
                    "stock_top",
                    models.BooleanField(
                        help_text="the top card of the stock lies face up, in play"
                    ),
                ),
                (
                    "outside_pairs",
                    models.BooleanField(help_text="waste and stock may pair with each other"),
                ),
                (
                    "goal",
                    models.CharField(
                        choices=[("pyramid", "pyramid"), ("all", "all cards")], max_length=7
                    ),
                ),
                (
                    "undo_penalty_ms",
                    models.PositiveIntegerField(
                        default=10000, help_text="ms that each undo adds to the ranked time"
                    ),
                ),
                (
                    "paused_from",
                    models.DateField(
                        blank=True,
                        help_text="from this day on no deal is made or offered",
                        null=True,
                    ),
                ),
            ],
            options={
                "ordering": ["list_order"],
                "permissions": [
                    ("pause_challenge", "Can pause and resume challenges"),
                    ("write_deal", "Can write deals of coming days by hand"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("decks__in", [1, 2])), name="challenge_decks"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("passes__range", (1, 99))), name="challenge_passes"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("undo_penalty_ms__lte", 600000)),
                        name="challenge_undo_penalty",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="WeekdayTarget",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "challenge",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="targets",
                        to="games.challenge",
                    ),
                ),
                (
                    "weekday",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (0, "Monday"),
                            (1, "Tuesday"),
                            (2, "Wednesday"),
                            (3, "Thursday"),
                            (4, "Friday"),
                            (5, "Saturday"),
                            (6, "Sunday"),
                        ]
                    ),
                ),
                (
                    "difficulty",
                    models.CharField(
                        choices=[
                            ("easy", "easy"),
                            ("medium", "medium"),
                            ("hard", "hard"),
                            ("expert", "expert"),
                        ],
                        max_length=6,
                    ),
                ),
            ],
            options={
                "ordering": ["challenge", "weekday"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("challenge", "weekday"), name="one_target_a_weekday"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("weekday__range", (0, 6))),
                        name="target_weekday_is_one_of_seven",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("difficulty__in", ["easy", "medium", "hard", "expert"])
                        ),
                        name="target_difficulty",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DealMaking",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("date", models.DateField()),
                (
                    "challenge",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="makings",
                        to="games.challenge",
                    ),
                ),
                (
                    "target",
                    models.CharField(
                        choices=[
                            ("easy", "easy"),
                            ("medium", "medium"),
                            ("hard", "hard"),
                            ("expert", "expert"),
                        ],
                        max_length=6,
                    ),
                ),
                ("started_at", models.DateTimeField()),
                ("updated_at", models.DateTimeField()),
                ("tried", models.PositiveIntegerField(default=0)),
                ("unwinnable", models.PositiveIntegerField(default=0)),
                ("undecided", models.PositiveIntegerField(default=0)),
                (
                    "other_tier",
                    models.PositiveIntegerField(
                        default=0, help_text="winnable, but easier or harder"
                    ),
                ),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[("made", "Made"), ("no candidate can be won", "Hopeless")],
                        max_length=24,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("date", "challenge"), name="one_making_a_deal")
                ],
            },
        ),
        migrations.CreateModel(
            name="DealOrder",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("date", models.DateField()),
                (
                    "challenge",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="orders",
                        to="games.challenge",
                    ),
                ),
                (
                    "source",
                    models.CharField(choices=[("seed", "Seed"), ("hand", "Hand")], max_length=4),
                ),
                ("cards", models.CharField(blank=True, max_length=250)),
                ("ordered_at", models.DateTimeField()),
                ("settled_at", models.DateTimeField(null=True)),
                (
                    "outcome",
                    models.CharField(blank=True, help_text="what came of it", max_length=200),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("settled_at", None)),
                        fields=("date", "challenge"),
                        name="one_open_order_a_deal",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("settled_at", None),
                            models.Q(("cards", ""), models.Q(("outcome", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="settled_order_keeps_no_cards",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DailyDeal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("date", models.DateField()),
                (
                    "challenge",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deals",
                        to="games.challenge",
                    ),
                ),
                (
                    "replaces",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replacement",
                        to="games.dailydeal",
                    ),
                ),
                (
                    "source",
                    models.CharField(
                        choices=[("seed", "Seed"), ("hand", "Hand")],
                        db_default="seed",
                        default="seed",
                        max_length=4,
                    ),
                ),
                ("rules_line", models.CharField(max_length=200)),
                ("shuffle_id", models.CharField(max_length=40)),
                ("solver_id", models.CharField(max_length=80)),
                (
                    "target",
                    models.CharField(
                        choices=[
                            ("easy", "easy"),
                            ("medium", "medium"),
                            ("hard", "hard"),
                            ("expert", "expert"),
                        ],
                        max_length=6,
                        null=True,
                    ),
                ),
                (
                    "difficulty",
                    models.CharField(
                        choices=[
                            ("easy", "easy"),
                            ("medium", "medium"),
                            ("hard", "hard"),
                            ("expert", "expert"),
                        ],
                        max_length=6,
                        null=True,
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("cards", models.CharField(help_text="the deal line", max_length=250)),
                ("seed", models.BinaryField(max_length=32)),
                (
                    "k",
                    models.PositiveIntegerField(help_text="which candidate of the seed", null=True),
                ),
                ("winning_line", models.TextField(help_text="a log that clears the deal")),
                (
                    "wins",
                    models.PositiveIntegerField(help_text="of 20,000 random games", null=True),
                ),
            ],
            options={
                "permissions": [
                    ("view_secrets", "Can see the secrets of deals before their seal"),
                    ("remake_deal", "Can have the deals of coming days made anew"),
                    ("void_deal", "Can void days that have begun"),
                ],
                "indexes": [models.Index(fields=["date", "challenge"], name="deals_of_a_day")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("replaces", None)),
                        fields=("date", "challenge"),
                        name="one_deal_a_day",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("k__isnull", False), ("source", "seed")),
                            models.Q(("k", None), ("source", "hand")),
                            _connector="OR",
                        ),
                        name="deal_has_a_source",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Seal",
            fields=[
                (
                    "deal",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="seal",
                        serialize=False,
                        to="games.dailydeal",
                    ),
                ),
                ("sealed_at", models.DateTimeField()),
                ("players", models.PositiveIntegerField(help_text="ranked attempts")),
                (
                    "cleared",
                    models.PositiveIntegerField(help_text="ranked attempts that cleared the deal"),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Voiding",
            fields=[
                (
                    "deal",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="voiding",
                        serialize=False,
                        to="games.dailydeal",
                    ),
                ),
                ("voided_at", models.DateTimeField()),
                ("reason", models.CharField(help_text="public", max_length=200)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="voiding_has_a_reason",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Attempt",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "deal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="attempts",
                        to="games.dailydeal",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="attempts",
                        to="players.player",
                    ),
                ),
                (
                    "daily",
                    models.BooleanField(default=True, help_text="begun on the day of the deal"),
                ),
                ("ranked", models.BooleanField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("active", "Active"),
                            ("cleared", "Cleared"),
                            ("resigned", "Resigned"),
                            ("expired", "Expired"),
                        ],
                        default="active",
                        max_length=8,
                    ),
                ),
                ("started_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "ply",
                    models.PositiveIntegerField(
                        default=0, help_text="moves in the log, undos included"
                    ),
                ),
                ("undo_count", models.PositiveIntegerField(default=0)),
                (
                    "seen",
                    models.PositiveSmallIntegerField(help_text="stock cards that were ever shown"),
                ),
                (
                    "elapsed_ms",
                    models.PositiveBigIntegerField(
                        default=0,
                        help_text="from the start to the last move, or to the end of the attempt",
                    ),
                ),
                (
                    "line",
                    models.TextField(blank=True, help_text="the moves that stand after the undos"),
                ),
                (
                    "clock_stepped",
                    models.BooleanField(
                        default=False,
                        help_text="the server's clock was set back while it was played",
                    ),
                ),
            ],
            options={
                "permissions": [("disqualify_attempt", "Can disqualify and reinstate attempts")],
                "indexes": [
                    models.Index(
                        fields=["player", "started_at", "id"], name="attempts_of_a_player"
                    ),
                    models.Index(fields=["deal", "status"], name="attempts_at_a_deal"),
                    models.Index(
                        condition=models.Q(("status", "active")),
                        fields=["deal"],
                        name="open_attempts",
                    ),
                    models.Index(
                        condition=models.Q(("ranked", False)),
                        fields=["deal"],
                        name="unranked_attempts",
                    ),
                    models.Index(
                        condition=models.Q(("clock_stepped", True)),
                        fields=["deal"],
                        name="stepped_attempts",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("daily", True)),
                        fields=("deal", "player"),
                        name="one_daily_attempt",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("ranked", False), ("daily", True), _connector="OR"),
                        name="ranked_attempt_is_daily",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("finished_at", None),
                            ("finished_at__gte", models.F("started_at")),
                            _connector="OR",
                        ),
                        name="attempt_ends_after_its_start",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("ranked", False), ("status", "active")),
                        fields=("deal", "player"),
                        name="one_open_practice",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("finished_at", None), ("status", "active")),
                            models.Q(
                                models.Q(("status", "active"), _negated=True),
                                ("finished_at__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="attempt_ends_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ply__lte", 10000),
                            (
                                "ply__gte",
                                django.db.models.expressions.CombinedExpression(
                                    models.F("undo_count"), "*", models.Value(2)
                                ),
                            ),
                        ),
                        name="attempt_counts_its_log",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("status__in", ["active", "cleared", "resigned", "expired"])
                        ),
                        name="attempt_status",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LoggedMove",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "attempt",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="log",
                        to="games.attempt",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(help_text="from 1, without gaps")),
                ("move", models.CharField(max_length=4)),
                (
                    "at_ms",
                    models.PositiveBigIntegerField(help_text="ms from the start of the attempt"),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("attempt", "number"), name="one_move_a_number"),
                    models.CheckConstraint(
                        condition=models.Q(("number__range", (1, 10000))), name="log_is_bounded"
                    ),
                ],
            },
        ),
    ]
