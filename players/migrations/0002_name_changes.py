"""The one row that counts all changes of names."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def add(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("players", "NameChanges").objects.create()


class Migration(migrations.Migration):
    dependencies = [("players", "0001_initial")]
    operations = [migrations.RunPython(add, migrations.RunPython.noop)]
