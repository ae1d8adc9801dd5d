"""A heartbeat tells which units of its task failed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("pyramid_site", "0006_heartbeat_took")]
    operations = [
        migrations.AddField(
            model_name="heartbeat",
            name="failed",
            field=models.JSONField(help_text="units that failed alone, by kind", null=True),
        )
    ]
