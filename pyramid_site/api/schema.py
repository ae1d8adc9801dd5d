"""The OpenAPI schema, read off what the endpoints enforce and what their answers are typed as."""

import types
from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from http import HTTPStatus
from inspect import getdoc
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints, is_typeddict
from uuid import UUID

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry, ResolvedComponent

from pyramid_site.api.endpoint import Endpoint, Timestamp
from pyramid_site.api.problems import KINDS, MEDIA_TYPE, Code, ProblemShape

Schema = dict[str, Any]
PLAIN: Mapping[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    UUID: {"type": "string", "format": "uuid"},
    date: {"type": "string", "format": "date"},
    Timestamp: {"type": "string", "format": "date-time"},
    Code: {"type": "string", "enum": list(KINDS)},
}


class EndpointSchema(AutoSchema):
    """Describes an `Endpoint` by its own declarations."""

    @property
    def endpoint(self) -> Endpoint:
        return cast(Endpoint, self.view)

    def _is_list_view(self, serializer: Any = None) -> bool:
        return False  # lists are said by the shapes

    def get_tags(self) -> list[str]:
        return [self.endpoint.tag]

    def get_operation_id(self) -> str:
        return f"{self.method.lower()}{type(self.endpoint).__name__}"

    def get_summary(self) -> str:
        return str(self.get_description()).split(". ")[0].removesuffix(".")

    def get_auth(self) -> list[Schema]:
        auth = list(super().get_auth())
        return auth if self.endpoint.needs_player(self.method) else [*auth, {}]

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> Schema:
        """Request bodies are strict; responses may gain fields."""
        schema: Schema = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]
        schema["description"] = type(serializer).__doc__ or ""  # its own, not that of all forms
        return {**schema, "additionalProperties": False}

    def get_override_parameters(self) -> list[Any]:
        query = self.endpoint.query_forms.get(self.method)
        return [query] if query else []

    def get_request_serializer(self) -> Any:
        return self.endpoint.body_forms.get(self.method)

    def _get_response_bodies(self, direction: Any = "response") -> Schema:
        answers = self.endpoint.answers[self.method]
        bodies: Schema = {
            str(status): {
                "description": HTTPStatus(status).phrase,
                **(
                    {"content": {"application/json": {"schema": schema_of(shape, self.registry)}}}
                    if shape is not None
                    else {}
                ),
            }
            for status, shape in answers.items()
        }
        problem = self.endpoint.problems.get(self.method, ProblemShape)
        for code in self._codes():
            status = str(KINDS[code].status)
            if status in bodies:
                bodies[status]["description"] += f", `{code}`"
                continue
            bodies[status] = {
                "description": f"`{code}`",
                "content": {MEDIA_TYPE: {"schema": schema_of(problem, self.registry)}},
            }
        return bodies

    def _codes(self) -> list[str]:
        """Return the problem codes of this operation, including the common ones."""
        codes = ["invalid_request", "not_authenticated", "forbidden", "not_acceptable", "throttled"]
        codes += [it for it in self.endpoint.codes.get(self.method, ()) if it not in codes]
        if self.method in ("POST", "PATCH", "DELETE"):
            codes += ["body_too_large", "unsupported_media_type"]
        return [*codes, "internal_error", "unavailable"]


class BearerTokenSchema(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How clients authenticate."""

    target_class = "players.api.authentication.BearerToken"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> Schema:
        return {"type": "http", "scheme": "bearer"}


def schema_of(hint: Any, registry: ComponentRegistry) -> Schema:
    """The JSON schema of a type; each TypedDict in it becomes a component of its own name."""
    if hint in PLAIN:
        return dict(PLAIN[hint])
    origin, arguments = get_origin(hint), get_args(hint)
    if is_typeddict(origin or hint):
        return _component(hint, registry).ref
    if origin is list:
        return {"type": "array", "items": schema_of(arguments[0], registry)}
    if origin is Literal:
        return {"type": "string", "enum": list(arguments)}
    if origin in (Union, types.UnionType):
        inner, _ = arguments  # X | None is the only union that the shapes use
        schema = schema_of(inner, registry)
        if "type" in schema and "enum" not in schema:
            return {**schema, "type": [schema["type"], "null"]}
        return {"oneOf": [schema, {"type": "null"}]}
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return {"type": "string", "enum": [str(member) for member in hint]}
    raise TypeError(f"no schema for {hint!r}")


def _component(hint: Any, registry: ComponentRegistry) -> ResolvedComponent:
    """The component of a TypedDict: `Move` of MoveShape, `MoveListing` of Listing[MoveShape]."""
    shape, arguments = get_origin(hint) or hint, get_args(hint)
    name = "".join(part.__name__.removesuffix("Shape") for part in (*arguments, shape))
    component = ResolvedComponent(name, ResolvedComponent.SCHEMA, object=hint)  # type: ignore[no-untyped-call]
    if component in registry:
        return registry[component]
    fields = get_type_hints(shape)
    if arguments:
        fields = {name: _filled_in(field, arguments[0]) for name, field in fields.items()}
    component.schema = {
        "type": "object",
        "description": getdoc(shape) or "",
        "properties": {name: schema_of(field, registry) for name, field in fields.items()},
        "required": [name for name in fields if name in shape.__required_keys__],
    }
    registry.register(component)
    return component


def _filled_in(hint: Any, argument: Any) -> Any:
    """The hint of a generic's field with its type variable filled in."""
    return hint[argument] if getattr(hint, "__parameters__", ()) else hint
