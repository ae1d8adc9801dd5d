"""Deals, seals, voidings and logs are written once."""

from django.db import migrations

from pyramid_site.append_only import protect


class Migration(migrations.Migration):
    dependencies = [("games", "0002_challenges")]
    operations = [
        protect("games_dailydeal", lock_by="id"),
        protect("games_loggedmove"),
        protect("games_seal"),
        protect("games_voiding"),
    ]
