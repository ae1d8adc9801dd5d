"""What the admin calls more than one tally."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0009_void_deals")]
    operations = [
        migrations.AlterModelOptions(name="tally", options={"verbose_name_plural": "tallies"})
    ]
