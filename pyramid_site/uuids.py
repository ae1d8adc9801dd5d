"""UUIDs in statements that are written out: SQLite has no type for them, and keeps hex digits."""

from uuid import UUID

from django.db import connection


def stored(key: UUID) -> UUID | str:
    """The key as the database keeps it."""
    return key if connection.features.has_native_uuid_field else key.hex


def read(value: UUID | str) -> UUID:
    """What a database answers for a key."""
    return UUID(value) if isinstance(value, str) else value
