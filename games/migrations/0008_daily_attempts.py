"""Attempts of the deal's day, ranked or not; so far all of them were ranked."""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def tell_practice_apart(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("games", "Attempt").objects.filter(ranked=False).update(daily=False)


class Migration(migrations.Migration):
    dependencies = [("games", "0007_clock_stepped")]
    operations = [
        migrations.AddField(
            model_name="attempt",
            name="daily",
            field=models.BooleanField(default=True, help_text="begun on the day of the deal"),
        ),
        migrations.RunPython(tell_practice_apart, migrations.RunPython.noop),
    ]
