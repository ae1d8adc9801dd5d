"""What names look like. Of two that look alike already, the younger keeps its name as it is."""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from players import lookalikes


def fill(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    taken = set()
    for player in (
        apps.get_model("players", "Player").objects.order_by("joined_at", "id").iterator()
    ):
        skeleton = lookalikes.skeleton(player.name)
        if skeleton in taken:
            skeleton = f"{skeleton[:130]}\n{player.pk}"  # which no name has
        taken.add(skeleton)
        player.skeleton = skeleton
        player.save(update_fields=["skeleton"])


class Migration(migrations.Migration):
    dependencies = [("players", "0001_initial")]
    operations = [
        migrations.AddField("Player", "skeleton", models.CharField(max_length=168, null=True)),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
