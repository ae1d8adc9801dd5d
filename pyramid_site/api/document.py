"""The address of the OpenAPI document."""

from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework.request import Request
from rest_framework.response import Response


@cache
def document() -> dict[str, Any]:
    """Build the schema once per process: it is slow."""
    made: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return made


class Document(SpectacularJSONAPIView):
    """The schema of the API, for generators and for the page that shows it."""

    schema = None  # it does not describe itself

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return Response(document())
