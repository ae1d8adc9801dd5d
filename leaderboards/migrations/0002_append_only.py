"""Results, final standings and verdicts are written once."""

from django.db import migrations

from pyramid_site.append_only import protect


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0001_initial")]
    operations = [
        protect("leaderboards_result"),
        protect("leaderboards_standing"),
        protect("leaderboards_verdict"),
    ]
