"""What staff did: appended, never changed."""

from django.db import migrations, models

from pyramid_site.append_only import protect


class Migration(migrations.Migration):
    dependencies = [("pyramid_site", "0003_outages")]
    operations = [
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("by_id", models.PositiveBigIntegerField(help_text="the member of staff")),
                ("by_name", models.CharField(db_index=True, max_length=150)),
                ("act", models.CharField(max_length=40)),
                ("model", models.CharField(max_length=80)),
                ("key", models.CharField(max_length=80)),
                ("subject", models.CharField(help_text="what it was done to", max_length=200)),
                ("why", models.TextField(help_text="the reason, or what was changed")),
            ],
            options={
                "verbose_name_plural": "audit log",
                "indexes": [models.Index(fields=["model", "key"], name="acts_on_a_row")],
            },
        ),
        protect("pyramid_site_auditentry"),
    ]
