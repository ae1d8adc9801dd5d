"""The name that later migrations refer to; 0006 adds the challenges, with their weeks."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]
