"""Who plays: players and the tokens that speak for them. Staff are Django's users, not players."""

from uuid import uuid4

from django.db import models


class Player(models.Model):
    """Somebody who plays; a guest until claimed.

    `name_key` is the name as names are compared: two players never share one.
    """

    is_authenticated = True  # REST framework asks its users; a player is only ever made by a token

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    name = models.CharField(max_length=24)
    name_key = models.CharField(max_length=72, unique=True)
    guest = models.BooleanField(default=True)
    joined_at = models.DateTimeField(db_index=True)
    locked_at = models.DateTimeField(null=True, help_text="since when it may not act")

    class Meta:
        permissions = [
            ("rename_player", "Can give players another name"),
            ("lock_player", "Can lock players and unlock them"),
        ]

    def __str__(self) -> str:
        return self.name


class Token(models.Model):
    """A key to a player's account, kept as its SHA-256 only."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="tokens")
    digest = models.BinaryField(max_length=32, unique=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(expires_at__gt=models.F("created_at")),
                name="token_expires_after_it_was_made",
            )
        ]

    def __str__(self) -> str:
        return f"token {self.pk} of {self.player_id}"
