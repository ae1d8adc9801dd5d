"""Each result has the number of the change that put it on its boards."""

from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Window
from django.db.models.functions import RowNumber


def number_what_is_there(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """In the order of their finishes. Their table is append-only from here on again."""
    Result = apps.get_model("leaderboards", "Result")
    on_postgresql = editor.connection.vendor == "postgresql"
    if on_postgresql:
        editor.execute("ALTER TABLE leaderboards_result DISABLE TRIGGER append_only")
    in_order = Window(RowNumber(), partition_by="deal", order_by=["finished_at", "pk"])
    numbers = Result.objects.annotate(place=in_order).values_list("pk", "place")
    for pk, place in numbers.iterator():
        Result.objects.filter(pk=pk).update(number=place)
    if on_postgresql:
        editor.execute("ALTER TABLE leaderboards_result ENABLE TRIGGER append_only")


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0004_tallies")]
    operations = [
        migrations.AddField(
            "result",
            "number",
            models.PositiveIntegerField(
                help_text="of the change that put it on the board", null=True
            ),
        ),
        migrations.RunPython(number_what_is_there, migrations.RunPython.noop),
        migrations.AlterField(
            "result",
            "number",
            models.PositiveIntegerField(help_text="of the change that put it on the board"),
        ),
        migrations.AddConstraint(
            "result",
            models.UniqueConstraint(fields=["deal", "number"], name="one_result_a_change"),
        ),
    ]
