"""Challenges for the first rule sets of the engine."""

from django.db import migrations

from games.offering import offer


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]
    operations = [offer("one-pass", "three-pass", "full-clear", "double")]
