"""Keyset pages: a cursor holds the keys of a row, so that writes elsewhere shift nothing."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Field, ForeignKey, Model, QuerySet
from django.db.models.expressions import F
from django.db.models.fields.tuple_lookups import Tuple, TupleGreaterThan, TupleLessThan

from pyramid_site.refusals import Refusal

Row = TypeVar("Row", bound=Model)
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """Some neighbouring items of a list, and the cursors to those after and before them."""

    items: list[Item]
    next: str | None
    previous: str | None


@dataclass(frozen=True, slots=True)
class Anchor:
    """Right behind these values of the columns, or right before them."""

    backwards: bool
    values: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Keys:
    """The order of a list: columns that together are unique, all ascending or all descending."""

    columns: tuple[str, ...]
    descending: bool = False

    def page(self, rows: QuerySet[Row], *, cursor: str | None, limit: int) -> Page[Row]:
        """The `limit` rows at `cursor`, or the first ones.

        Raises Refusal `invalid_request` for a cursor that this list did not give out.
        """
        anchor = self.anchor(rows.model, cursor)
        return self.cut(self._beside(rows, anchor, limit + 1), anchor, limit=limit)

    def around(self, rows: QuerySet[Row], row: Row, *, limit: int) -> Page[Row]:
        """The page with a row as near its middle as the ends of the list allow."""
        before = self._beside(rows, Anchor(backwards=True, values=self.of(row)), limit)
        after = self._beside(rows, Anchor(backwards=False, values=self.of(row)), limit)
        return self.window(before, [row, *after], limit=limit)

    def cut(self, found: list[Item], anchor: Anchor | None, *, limit: int) -> Page[Item]:
        """The page at an anchor, of the rows right there: one more than `limit`, if there are."""
        if anchor is not None and anchor.backwards:
            items = found[-limit:]
            return Page(
                items, self._next(items), self._previous(items if len(found) > limit else [])
            )
        items = found[:limit]
        return Page(
            items,
            self._next(items if len(found) > limit else []),
            None if anchor is None else self._previous(items),
        )

    def window(self, before: list[Item], after: list[Item], *, limit: int) -> Page[Item]:
        """A page cut from its neighbourhood: `after` starts with the row that must be in it."""
        wanted = max(limit // 2, limit - len(after))
        kept = before[len(before) - min(wanted, len(before), limit - 1) :]
        items = (kept + after)[:limit]
        return Page(
            items,
            self._next(items if len(kept) + len(after) > limit else []),
            self._previous(items if len(before) > len(kept) else []),
        )

    def anchor(self, model: type[Model], cursor: str | None) -> Anchor | None:
        """The anchor that a cursor of rows of this model marks; None is the beginning.

        Raises Refusal `invalid_request` for a cursor that this list did not give out.
        """
        return None if cursor is None else self._decode(model, cursor)

    def _beside(self, rows: QuerySet[Row], anchor: Anchor | None, limit: int) -> list[Row]:
        """Up to `limit` rows right behind an anchor, or before it, in the list's order."""
        backwards = anchor is not None and anchor.backwards
        if anchor is not None:
            lookup = TupleLessThan if self.descending != backwards else TupleGreaterThan
            columns = Tuple(*(F(column) for column in self.columns))
            rows = rows.filter(lookup(columns, list(anchor.values)))
        sign = "-" if self.descending != backwards else ""
        found = list(rows.order_by(*(sign + column for column in self.columns))[:limit])
        return found[::-1] if backwards else found

    def of(self, row: Any) -> tuple[Any, ...]:
        """The row's values of the columns."""
        return tuple(getattr(row, column) for column in self.columns)

    def _next(self, items: Sequence[Any]) -> str | None:
        return self._encode("a", self.of(items[-1])) if items else None

    def _previous(self, items: Sequence[Any]) -> str | None:
        return self._encode("b", self.of(items[0])) if items else None

    def _encode(self, direction: str, values: Sequence[Any]) -> str:
        text = json.dumps([direction, *values], cls=DjangoJSONEncoder)
        return urlsafe_b64encode(text.encode()).decode().rstrip("=")

    def _decode(self, model: type[Model], cursor: str) -> Anchor:
        unknown = Refusal("invalid_request", "The cursor is not one of this list.")
        try:
            padded = cursor + "=" * (-len(cursor) % 4)
            direction, *values = json.loads(urlsafe_b64decode(padded.encode("ascii")))
            backwards = ("a", "b").index(direction) == 1
            cleaned = [
                _field(model, column).clean(value if isinstance(value, int) else str(value), None)
                for column, value in zip(self.columns, values, strict=True)
            ]
        except (ValueError, TypeError, RecursionError, ValidationError) as error:
            raise unknown from error
        if self._encode(direction, cleaned) != cursor:  # another spelling, such as true for 1
            raise unknown
        if any(isinstance(value, datetime) and value.tzinfo is not UTC for value in cleaned):
            raise unknown
        return Anchor(backwards, cleaned)


def _field(model: type[Model], column: str) -> "Field[Any, Any]":
    """The field that knows what values the column may have; a foreign key knows it of its target.

    A foreign key's own `clean` would also ask the database, which chokes on a NUL.
    """
    field = model._meta.get_field(column)  # noqa: SLF001 Django's documented Meta API
    if isinstance(field, ForeignKey):
        return field.target_field
    if not isinstance(field, Field):
        raise TypeError(f"{column} is no column of {model.__name__}")
    return field
