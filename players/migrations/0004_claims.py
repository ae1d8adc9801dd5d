"""A player is a guest until claimed, with a password from then on, and gone once deleted."""

from django.db import migrations, models
from django.db.models import Q

HAS_ONE = Q(claimed_at__isnull=False, gone_at=None) & ~Q(password="")
HAS_NONE = Q(password="", email="") & (Q(claimed_at=None) | Q(gone_at__isnull=False))


class Migration(migrations.Migration):
    dependencies = [("players", "0003_no_lookalikes")]
    operations = [
        migrations.RemoveField("Player", "guest"),
        migrations.AddField(
            "Player",
            "claimed_at",
            models.DateTimeField(null=True, help_text="when it got its password"),
        ),
        migrations.AddField(
            "Player", "password", models.CharField(max_length=128, blank=True, help_text="a hash")
        ),
        migrations.AddField(
            "Player",
            "email",
            models.CharField(
                max_length=254, blank=True, help_text="for a new password; not proved"
            ),
        ),
        migrations.AddField(
            "Player",
            "gone_at",
            models.DateTimeField(null=True, help_text="when it was deleted"),
        ),
        migrations.AddIndex(
            "Player",
            models.Index(fields=["email"], condition=~Q(email=""), name="players_by_email"),
        ),
        migrations.AddConstraint(
            "Player",
            models.CheckConstraint(
                condition=HAS_ONE | HAS_NONE, name="only_the_claimed_have_passwords"
            ),
        ),
    ]
