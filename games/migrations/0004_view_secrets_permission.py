"""Who may see a deal's secrets before its seal."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0003_append_only")]
    operations = [
        migrations.AlterModelOptions(
            name="dailydeal",
            options={
                "permissions": [("view_secrets", "Can see the secrets of deals before their seal")]
            },
        )
    ]
