"""Outages and the audit log are written once."""

from django.db import migrations

from pyramid_site.append_only import protect


class Migration(migrations.Migration):
    dependencies = [("pyramid_site", "0001_initial")]
    operations = [protect("pyramid_site_outage"), protect("pyramid_site_auditentry")]
