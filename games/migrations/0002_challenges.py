"""The four rule sets that every installation starts with."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

COLUMNS = ("id", "title", "rows", "decks", "passes", "stock_top", "outside_pairs", "goal")
CHALLENGES = (
    ("one-pass", "One Pass", 7, 1, 1, False, False, "pyramid"),
    ("three-pass", "Three Passes", 7, 1, 3, True, True, "pyramid"),
    ("full-clear", "Full Clear", 7, 1, 3, True, True, "all"),
    ("double", "Double Pyramid", 9, 2, 3, False, False, "pyramid"),
)


def add(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    challenge = apps.get_model("games", "Challenge")
    for place, values in enumerate(CHALLENGES, start=1):
        challenge.objects.create(place=place, **dict(zip(COLUMNS, values, strict=True)))


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]
    operations = [migrations.RunPython(add, migrations.RunPython.noop)]
