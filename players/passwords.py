"""Passwords: how they are kept, and which ones are too weak."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from unicodedata import normalize

from django.contrib.auth import hashers
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from players.models import Player
from pyramid_site.refusals import Refusal

AT_ONCE = 2  # hashes that one process computes, so that its threads cannot use up the memory
PATIENCE = 5.0  # s that a further one waits for its turn


class Argon2(hashers.Argon2PasswordHasher):
    """With 46 MiB and one pass, as OWASP has it: Django's 100 MiB are a burden to threads.

    Raises Refusal `unavailable` where too many are under way.
    """

    time_cost = 1
    memory_cost = 46 * 1024  # KiB
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        with _turn():
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        with _turn():
            return super().verify(password, encoded)


_under_way = BoundedSemaphore(AT_ONCE)


@contextmanager
def _turn() -> Iterator[None]:
    if not _under_way.acquire(timeout=PATIENCE):
        raise Refusal(
            "unavailable", "Too many passwords are being checked. Try again soon.", retry_after=5
        )
    try:
        yield
    finally:
        _under_way.release()


def hashed(password: str) -> str:
    """Hash a password for storage."""
    return hashers.make_password(_typed(password))


def check(password: str, stored: str) -> str | None:
    """Return the hash to store, renewed if outdated; None for a wrong password.

    It computes one hash, and so takes as long, where nothing is stored.
    """
    right, outdated = hashers.verify_password(_typed(password), stored)
    if not right:
        return None
    return hashed(password) if outdated else stored


def check_strength(password: str, *, field: str, name: str, email: str) -> None:
    """Raises Refusal `invalid_request` for what is short, common, or like name or email."""
    try:
        validate_password(_typed(password), Player(name=name, email=email))  # type: ignore[arg-type]
    except ValidationError as error:
        errors = [
            {"field": field, "code": str(it.code), "detail": " ".join(it.messages)}
            for it in error.error_list
        ]
        raise Refusal("invalid_request", " ".join(error.messages), errors=errors) from error


def _typed(password: str) -> str:
    """The same on every keyboard: an accented letter may be sent as one character or as two."""
    return normalize("NFKC", password)
