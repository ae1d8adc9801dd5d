"""Mails are in one table: those of requests and keys go. Who waits for a key asks again."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("players", "0010_mails")]
    operations = [migrations.DeleteModel("ResetRequest"), migrations.DeleteModel("ResetKey")]
