"""An address counts once it is confirmed, and is then one player's alone."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("players", "0008_locked_players")]
    operations = [
        migrations.AlterField(
            "Player",
            "email",
            models.CharField(max_length=254, blank=True, help_text="for a new password"),
        ),
        migrations.AddField(
            "Player",
            "email_confirmed_at",
            models.DateTimeField(null=True, help_text="when a key that was mailed there came back"),
        ),
        migrations.AddConstraint(
            "Player",
            models.UniqueConstraint(
                fields=["email"],
                condition=Q(email_confirmed_at__isnull=False),
                name="a_confirmed_address_is_one_player_s",
            ),
        ),
        migrations.AddConstraint(
            "Player",
            models.CheckConstraint(
                condition=Q(email_confirmed_at=None) | ~Q(email=""),
                name="only_an_address_is_confirmed",
            ),
        ),
    ]
