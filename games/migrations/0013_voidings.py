"""Days that an operator had to void: appended, never changed."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

from pyramid_site.append_only import protect


class Migration(migrations.Migration):
    dependencies = [("games", "0012_deal_orders")]
    operations = [
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
                    models.CheckConstraint(condition=~Q(reason=""), name="voiding_has_a_reason")
                ]
            },
        ),
        protect("games_voiding"),
    ]
