"""Who plays: players and the tokens that speak for them. Staff are Django's users, not players."""

from uuid import uuid4

from django.db import models
from django.db.models import F, Q


class Player(models.Model):
    """Somebody who plays: a guest until claimed, and no longer anybody once gone.

    `name_key` is the name as names are compared, `skeleton` the name as it looks: two players
    never share either.
    """

    is_authenticated = True  # REST framework asks its users; a player is only ever made by a token

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    name = models.CharField(max_length=24)
    name_key = models.CharField(max_length=72, unique=True)
    skeleton = models.CharField(max_length=168, unique=True)
    joined_at = models.DateTimeField(db_index=True)
    locked_at = models.DateTimeField(null=True, help_text="since when it may not act")
    claimed_at = models.DateTimeField(null=True, help_text="when it got its password")
    password = models.CharField(max_length=128, blank=True, help_text="a hash")
    email = models.CharField(max_length=254, blank=True, help_text="for a new password; not proved")
    gone_at = models.DateTimeField(null=True, help_text="when it was deleted")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(claimed_at__isnull=False, gone_at=None) & ~Q(password="")
                | Q(password="", email="") & (Q(claimed_at=None) | Q(gone_at__isnull=False)),
                name="only_the_claimed_have_passwords",
            )
        ]
        indexes = [models.Index(fields=["email"], condition=~Q(email=""), name="players_by_email")]
        permissions = [
            ("rename_player", "Can give players another name"),
            ("lock_player", "Can lock players and unlock them"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def lasting_name(self) -> str:
        """What it is called where nothing can be deleted."""
        return f"player {self.pk}"

    @property
    def guest(self) -> bool:
        return self.claimed_at is None


class NameChanges(models.Model):
    """How often players have changed their names: one row. Whatever shows names changes with it."""

    count = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.count} changes"


class FormerName(models.Model):
    """A name that its player has given up, kept from all others for a while.

    Without a player, because that one is gone or staff took the name away, it is kept from all.
    """

    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, null=True, related_name="former_names"
    )
    name_key = models.CharField(max_length=72, db_index=True)
    skeleton = models.CharField(max_length=168, unique=True)
    freed_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.name_key


class Token(models.Model):
    """A key to a player's account, kept as its SHA-256 only."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="tokens")
    digest = models.BinaryField(max_length=32, unique=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("created_at")),
                name="token_expires_after_it_was_made",
            )
        ]

    def __str__(self) -> str:
        return f"token {self.pk} of {self.player_id}"


class ResetRequest(models.Model):
    """Somebody has asked for a new password by mail; whether the address is known is not said."""

    email = models.CharField(max_length=254)
    asked_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"reset {self.pk}"


class ResetKey(models.Model):
    """A key that was mailed and sets a new password, once; kept as its SHA-256 only."""

    player = models.OneToOneField(
        Player, on_delete=models.CASCADE, primary_key=True, related_name="reset_key"
    )
    digest = models.BinaryField(max_length=32, unique=True)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"reset key of {self.pk}"
