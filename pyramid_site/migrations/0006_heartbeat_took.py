"""A heartbeat tells how long its task took."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("pyramid_site", "0005_groups")]
    operations = [
        migrations.AddField(
            model_name="heartbeat", name="took_ms", field=models.PositiveIntegerField(null=True)
        )
    ]
