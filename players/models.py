"""Who plays: players and the tokens that speak for them. Staff are Django's users, not players."""

from datetime import datetime
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
    email = models.CharField(max_length=254, blank=True, help_text="for a new password")
    email_confirmed_at = models.DateTimeField(
        null=True, help_text="when a key that was mailed there came back"
    )
    gone_at = models.DateTimeField(null=True, help_text="when it was deleted")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(claimed_at__isnull=False, gone_at=None) & ~Q(password="")
                | Q(password="", email="") & (Q(claimed_at=None) | Q(gone_at__isnull=False)),
                name="only_the_claimed_have_passwords",
            ),
            models.UniqueConstraint(
                fields=["email"],
                condition=Q(email_confirmed_at__isnull=False),
                name="a_confirmed_address_is_one_player_s",
            ),
            models.CheckConstraint(
                condition=Q(email_confirmed_at=None) | ~Q(email=""),
                name="only_an_address_is_confirmed",
            ),
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

    @property
    def email_confirmed(self) -> bool:
        return self.email_confirmed_at is not None


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


class KnownPlace(models.Model):
    """An address from which a player has logged in, kept as a keyed hash of its own.

    Guesses that come from elsewhere do not keep the player from logging in there.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="places")
    digest = models.BinaryField(max_length=32)
    seen_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "digest"], name="one_row_a_known_place")
        ]

    def __str__(self) -> str:
        return f"place {self.pk} of {self.player_id}"


class MailKind(models.TextChoices):
    """What the key in a mail does."""

    RESET = "reset"
    CONFIRM = "confirm"


class MailState(models.TextChoices):
    """What became of a mail."""

    WAITING = "waiting"
    SENT = "sent"
    GIVEN_UP = "given_up"


class Mail(models.Model):
    """A mail that was asked for, and its key as a SHA-256 once it was tried.

    The address itself is kept only while the mail waits; `recipient` is its SHA-256. A reset names
    its player once it was tried: until then nobody has looked whether the address is known.
    """

    kind = models.CharField(max_length=10, choices=MailKind.choices)
    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="mails")
    email = models.CharField(max_length=254, blank=True)
    recipient = models.BinaryField(max_length=32, db_index=True)
    digest = models.BinaryField(max_length=32, null=True, unique=True)
    state = models.CharField(max_length=10, choices=MailState.choices, default=MailState.WAITING)
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, db_index=True, help_text="the next try")
    expires_at = models.DateTimeField(db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=80, blank=True, help_text="of the last try")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state=MailState.WAITING, due_at__isnull=False) & ~Q(email="")
                | ~Q(state=MailState.WAITING) & Q(due_at=None, email=""),
                name="only_waiting_mails_are_due",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} mail {self.pk}, {self.state}"

    def is_due(self, now: datetime) -> bool:
        return self.due_at is not None and self.due_at <= now < self.expires_at
