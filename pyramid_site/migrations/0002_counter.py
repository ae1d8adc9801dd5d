"""Counters, for servers without a Redis."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("pyramid_site", "0001_initial")]
    operations = [
        migrations.CreateModel(
            name="Counter",
            fields=[
                ("key", models.CharField(max_length=120, primary_key=True, serialize=False)),
                ("total", models.PositiveIntegerField()),
                ("lapses_at", models.DateTimeField(db_index=True)),
            ],
        ),
    ]
