"""How many results each deal has, and how often its boards have changed."""

from typing import Any
from uuid import uuid4

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def count_what_is_there(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    Result, Seal, Tally = (  # noqa: N806 they are classes
        apps.get_model(*name.split("."))
        for name in ("leaderboards.Result", "games.Seal", "leaderboards.Tally")
    )
    undo_free = models.Count("pk", filter=models.Q(undo_count=0))
    rows = (
        Result.objects.order_by()
        .values_list("deal")
        .annotate(overall=models.Count("pk"), undo_free=undo_free)
    )
    counts = {deal: (overall, undo_free) for deal, overall, undo_free in rows}
    sealed_at = dict(Seal.objects.values_list("deal", "sealed_at"))
    for deal in counts.keys() | sealed_at.keys():
        overall, undo_free = counts.get(deal, (0, 0))
        Tally.objects.create(
            deal_id=deal,
            key=uuid4().hex,
            version=overall + (deal in sealed_at),
            overall=overall,
            undo_free=undo_free,
            final_at=sealed_at.get(deal),
        )


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0003_append_only"),
        ("leaderboards", "0003_results_append_only"),
    ]
    operations = [
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
                ("undo_free", models.PositiveIntegerField(default=0)),
                (
                    "barred",
                    models.PositiveIntegerField(default=0, help_text="disqualified, on no board"),
                ),
                (
                    "final_at",
                    models.DateTimeField(help_text="when the ranks were written", null=True),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(undo_free__lte=models.F("overall")),
                        name="undo_free_are_of_all",
                    )
                ]
            },
        ),
        migrations.RunPython(count_what_is_there, migrations.RunPython.noop),
    ]
