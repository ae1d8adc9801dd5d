"""Results, which the final ranks refer to, are written once."""

from django.db import migrations

from pyramid_site.append_only import protect


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0002_append_only")]
    operations = [protect("leaderboards_result")]
