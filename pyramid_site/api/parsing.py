"""Strict input: a body or a query says exactly what its endpoint names, or is refused."""

import json
import re
from collections.abc import Mapping
from datetime import date
from typing import Any, NoReturn
from urllib.parse import unquote_to_bytes

from django.conf import settings
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from pyramid_site.refusals import Refusal

MAX_BODY = settings.DATA_UPLOAD_MAX_MEMORY_SIZE  # bytes
MAX_QUERY = 2000  # characters, as they are sent
MAX_DEPTH = 8  # of objects and lists; no endpoint needs more than one


def check_query(environ: Mapping[str, Any]) -> None:
    """Refuse a malformed query. Raises ParseError."""
    query = environ.get("QUERY_STRING", "")
    if len(query) > MAX_QUERY:
        raise ParseError(f"A query may hold {MAX_QUERY} characters at most.")
    try:
        unquote_to_bytes(query.encode("latin-1")).decode()
    except UnicodeDecodeError as error:
        raise ParseError("The query is not UTF-8.") from error


def check_body(environ: Mapping[str, Any]) -> None:
    """Refuse a body in an encoding or framing that could be misread. Raises Refusal."""
    if environ.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity":
        raise Refusal("unsupported_media_type", "The body must not be compressed.")
    if "HTTP_TRANSFER_ENCODING" in environ:
        raise ParseError("Send the body with its Content-Length, not in chunks.")


class StrictJSONParser(BaseParser):
    """JSON in UTF-8, bounded in size and depth, with no key twice and no NaN."""

    media_type = "application/json"

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Any = None
    ) -> dict[str, Any]:
        body = stream.read(MAX_BODY + 1)
        if len(body) > MAX_BODY:
            raise Refusal("body_too_large", f"A body may hold {MAX_BODY} bytes at most.")
        charset = parser_context["request"].content_params.get("charset", "utf-8")
        if charset.lower() not in ("utf-8", "utf8"):
            raise ParseError("The body must be in UTF-8.")
        document = _document(body)
        if not isinstance(document, dict):
            raise ParseError("The body must be a JSON object.")
        return document


def _document(body: bytes) -> Any:
    try:
        text = body.decode("utf-8")
        if _depth(text) > MAX_DEPTH:
            raise ParseError("The body is nested too deeply.")
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise ParseError("The body is not UTF-8.") from error
    except ValueError as error:
        raise ParseError(f"The body is not JSON: {error}.") from error


def _depth(text: str) -> int:
    """Return the nesting depth of objects and lists, before the recursive parser starts.

    In one pass: a string that never ends is taken as well, or each quote in it would be tried as
    the beginning of another.
    """
    depth = deepest = 0
    for bracket in re.sub(r'"(?:[^"\\]|\\.)*"?', "", text, flags=re.DOTALL):
        if bracket in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif bracket in "]}":
            depth -= 1
    return deepest


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key stands twice in one object")
    if not all(map(_is_whole, members)):
        raise ValueError("a key holds half a character")
    return members


def _is_whole(text: str) -> bool:
    """Return whether the text is free of lone surrogates, which UTF-8 cannot encode."""
    return not re.search("[\ud800-\udfff]", text)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


class StrictInteger(serializers.IntegerField):
    """A JSON integer: not "1", not 1.0, not true."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return data


class StrictString(serializers.CharField):
    """A JSON string, as it was sent: not a number, not trimmed."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str) or not _is_whole(data):
            self.fail("invalid")
        return super().to_internal_value(data)


class AnyString(StrictString):
    """Any JSON string; a service validates it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_blank=True, **kwargs)
        self.validators = []  # REST framework's refuses NUL characters


class QueryInteger(serializers.IntegerField):
    """An integer of a query string: ASCII digits only, as in ?limit=20."""

    def to_internal_value(self, data: Any) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", data):
            self.fail("invalid")
        return int(data)


class QueryDate(serializers.DateField):
    """A day of a query string, as YYYY-MM-DD and in no other spelling of ISO 8601."""

    def to_internal_value(self, value: Any) -> date:
        day = super().to_internal_value(value)
        if day.isoformat() != value:
            self.fail("invalid", format="YYYY-MM-DD")
        return day


class Strict(serializers.Serializer[Any]):
    """The fields of a body or a query; any other field is refused.

    >>> from django.http import QueryDict
    >>> form = PageQuery(data=QueryDict("limit=20&colour=red"))
    >>> form.is_valid(), str(form.errors["colour"][0])
    (False, 'There is no such field.')
    """

    def to_internal_value(self, data: Mapping[str, Any]) -> dict[str, Any]:
        for name in data:
            if name not in self.fields:
                raise serializers.ValidationError(
                    {name: serializers.ErrorDetail("There is no such field.", "unknown")}
                )
            if hasattr(data, "getlist") and len(data.getlist(name)) > 1:
                raise serializers.ValidationError(
                    {name: serializers.ErrorDetail("The field stands twice.", "duplicate")}
                )
        # As a plain mapping: of a form, REST framework takes an empty field for a missing one.
        values: dict[str, Any] = super().to_internal_value({name: data[name] for name in data})
        return values


class PageQuery(Strict):
    """Which page of a list."""

    limit = QueryInteger(min_value=1, max_value=100, default=20)
    cursor = serializers.CharField(max_length=500, required=False)
