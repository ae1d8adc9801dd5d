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
class Keys:
    """The order of a list: columns that together are unique, all ascending or all descending."""

    columns: tuple[str, ...]
    descending: bool = False

    def page(self, rows: QuerySet[Row], *, cursor: str | None, limit: int) -> Page[Row]:
        """The `limit` rows at `cursor`, or the first ones.

        Raises Refusal `invalid_request` for a cursor that this list did not give out.
        """
        if cursor is None:
            after = self.following(rows, limit=limit + 1)
            return self.window([], after, limit=limit)
        backwards, values = self._decode(rows.model, cursor)
        if backwards:
            before = self.preceding(rows, values, limit=limit + 1)
            items = before[-limit:]
            return Page(
                items, self._next(items), self._previous(items if len(before) > limit else [])
            )
        after = self.following(rows, values, limit=limit + 1)
        items = after[:limit]
        return Page(items, self._next(items if len(after) > limit else []), self._previous(items))

    def window(self, before: list[Row], after: list[Row], *, limit: int) -> Page[Row]:
        """A page cut from its neighbourhood: `after` starts with the row that must be in it."""
        wanted = max(limit // 2, limit - len(after))
        kept = before[len(before) - min(wanted, len(before), limit - 1) :]
        items = (kept + after)[:limit]
        return Page(
            items,
            self._next(items if len(kept) + len(after) > limit else []),
            self._previous(items if len(before) > len(kept) else []),
        )

    def following(
        self, rows: QuerySet[Row], values: Sequence[Any] | None = None, *, limit: int
    ) -> list[Row]:
        """Up to `limit` rows behind these values of the columns, in the list's order."""
        if values is not None:
            rows = rows.filter(self._beyond(values, backwards=False))
        return list(rows.order_by(*self._order(backwards=False))[:limit])

    def preceding(self, rows: QuerySet[Row], values: Sequence[Any], *, limit: int) -> list[Row]:
        """Up to `limit` rows right before these values of the columns, in the list's order."""
        rows = rows.filter(self._beyond(values, backwards=True))
        return list(rows.order_by(*self._order(backwards=True))[:limit])[::-1]

    def of(self, row: Model) -> tuple[Any, ...]:
        """The row's values of the columns."""
        return tuple(getattr(row, column) for column in self.columns)

    def _order(self, *, backwards: bool) -> list[str]:
        sign = "-" if self.descending != backwards else ""
        return [sign + column for column in self.columns]

    def _beyond(self, values: Sequence[Any], *, backwards: bool) -> Any:
        lookup = TupleLessThan if self.descending != backwards else TupleGreaterThan
        return lookup(Tuple(*(F(column) for column in self.columns)), list(values))

    def _next(self, items: Sequence[Model]) -> str | None:
        return self._encode("a", self.of(items[-1])) if items else None

    def _previous(self, items: Sequence[Model]) -> str | None:
        return self._encode("b", self.of(items[0])) if items else None

    def _encode(self, direction: str, values: Sequence[Any]) -> str:
        text = json.dumps([direction, *values], cls=DjangoJSONEncoder)
        return urlsafe_b64encode(text.encode()).decode().rstrip("=")

    def _decode(self, model: type[Model], cursor: str) -> tuple[bool, list[Any]]:
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
        return backwards, cleaned


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
