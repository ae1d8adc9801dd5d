"""No two players look alike."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0002_skeleton")]
    operations = [
        migrations.AlterField("Player", "skeleton", models.CharField(max_length=168, unique=True))
    ]
