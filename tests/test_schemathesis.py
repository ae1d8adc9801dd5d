"""Schemathesis over the schema (D): no fault, no undocumented answer, no field that is unlisted.

It makes requests that the schema allows and others that it does not, the same ones every time.
"""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any
from uuid import UUID

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from schemathesis import checks
from schemathesis.config import GenerationConfig, ProjectConfig, ProjectsConfig, SchemathesisConfig

from games.models import Attempt
from leaderboards.models import Group, Membership
from pyramid_site import clock as the_clock
from pyramid_site.wsgi import application
from tests.api.client import Client, document, sign_up
from tests.builders import publish_short
from tests.conftest import SimulatedClock

OWN, NEVER = UUID(int=1), UUID(int=0)
SAMPLES: Mapping[str, list[str]] = {
    "attempt_id": [str(OWN), str(NEVER)],
    "group_id": [str(OWN), str(NEVER)],
    "player_id": [str(OWN), str(NEVER)],
    "period": ["week", "month", "all-time", "2026-W48"],
    "day": ["today", "2026-11-30", "2020-01-01"],
    "challenge": ["one-pass", "double", "none"],
    "name": ["Ada", "Nobody"],
}
"""What the parts of an address are in these requests; else nearly all would be not found."""


def no_fault(context: Any, response: Any, case: Any) -> None:
    assert response.status_code < 500 or response.json()["code"] == "deal_being_made"


CHECKS = [
    no_fault,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
    checks.unsupported_method,
    checks.missing_required_header,
]


def api() -> Any:
    generation = GenerationConfig(deterministic=True, max_examples=12, database="none")
    config = SchemathesisConfig(
        projects=ProjectsConfig(default=ProjectConfig(generation=generation))
    )
    described = deepcopy(document())
    body = described["components"]["schemas"]["MoveBody"]["properties"]
    body["move"]["enum"] = ["D", "U", "b1b2", "a1", "S"]
    for operations in described["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path":
                    parameter["schema"] = {"type": "string", "enum": SAMPLES[parameter["name"]]}
    schema = schemathesis.openapi.from_dict(described, config=config)
    schema.app = application
    return schema


@pytest.fixture
def guest(db: None, clock: SimulatedClock) -> Iterator[Client]:
    """With an attempt under way. The application, called as it is, must keep the connection."""
    publish_short()
    guest = sign_up("Ada")
    guest.begin()
    Attempt.objects.update(id=OWN)
    now, owner_id = the_clock.now(), guest.player["id"]
    group = Group.objects.create(
        id=OWN, name="friends", code="FRIENDS234", owner_id=owner_id, created_at=now
    )
    Membership.objects.create(group=group, player_id=owner_id, joined_at=now)
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield guest
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@api().parametrize()
@settings(suppress_health_check=list(HealthCheck))
def test_d_a_guest_gets_what_is_documented(case: Any, guest: Client) -> None:
    case.call_and_validate(headers={"Authorization": f"Bearer {guest.token}"}, checks=CHECKS)


@api().parametrize()
@settings(suppress_health_check=list(HealthCheck))
def test_d_anybody_gets_what_is_documented(case: Any, guest: Client) -> None:
    case.call_and_validate(checks=CHECKS)
