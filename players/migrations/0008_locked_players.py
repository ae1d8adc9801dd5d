"""Players who may not act, and who may say so."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0007_name_changes")]
    operations = [
        migrations.AddField(
            model_name="player",
            name="locked_at",
            field=models.DateTimeField(help_text="since when it may not act", null=True),
        ),
        migrations.AlterModelOptions(
            name="player",
            options={
                "permissions": [
                    ("rename_player", "Can give players another name"),
                    ("lock_player", "Can lock players and unlock them"),
                ]
            },
        ),
    ]
