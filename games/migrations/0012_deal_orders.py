"""Deals that operators want: made anew, or written by hand."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("games", "0011_deals_made_anew")]
    operations = [
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
                        fields=["date", "challenge"],
                        condition=Q(settled_at=None),
                        name="one_open_order_a_deal",
                    ),
                    models.CheckConstraint(
                        condition=Q(settled_at=None) | Q(cards="") & ~Q(outcome=""),
                        name="settled_order_keeps_no_cards",
                    ),
                ],
            },
        ),
    ]
