"""A count of all changes of names."""

from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def begin(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("players", "NameChanges").objects.create()


class Migration(migrations.Migration):
    dependencies = [("players", "0006_resets")]
    operations = [
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
        migrations.RunPython(begin, migrations.RunPython.noop),
    ]
