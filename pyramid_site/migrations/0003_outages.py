"""When the server was down."""

from django.db import migrations, models

from pyramid_site.append_only import protect


class Migration(migrations.Migration):
    dependencies = [("pyramid_site", "0002_counter")]
    operations = [
        migrations.CreateModel(
            name="Outage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("began_at", models.DateTimeField(unique=True)),
                ("ended_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(ended_at__gt=models.F("began_at")),
                        name="outage_has_a_length",
                    )
                ]
            },
        ),
        protect("pyramid_site_outage"),
    ]
