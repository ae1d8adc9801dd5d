"""The files of ops/ speak of what the server really tells and has."""

import re
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.urls import resolve
from prometheus_client import REGISTRY, generate_latest
from pytest_django import Settings

from players import passwords
from pyramid_site import health, metrics
from tests.e2e.stack import compose_file, example

ROOT = Path(__file__).parent.parent
OPS = ROOT / "ops"
SERVICES = compose_file(example())["services"]


def names_in(text: str) -> set[str]:
    return set(re.findall(r"\bpyramid_\w+", text))


def read(name: str) -> str:
    return (OPS / name).read_text()


@pytest.fixture
def told(db: None, settings: Settings) -> set[str]:
    """The names of all samples that the server can tell."""
    health.beat("sweep", took_ms=1)
    metrics.REQUESTS.labels("GET", "healthz", "200").observe(0.1)
    looked_up = {it.name for it in metrics.read.collect()}
    explained = re.findall(
        r"^# TYPE (\w+) (\w+)$", generate_latest(REGISTRY).decode(), re.MULTILINE
    )
    parts = {"histogram": ("_bucket", "_count", "_sum"), "counter": ("",), "gauge": ("",)}
    counted = {name + part for name, kind in explained for part in parts.get(kind, ())}
    return {"pyramid_queue_length"} | looked_up | counted


@pytest.mark.parametrize("name", ["grafana/dashboard.json", "prometheus/alerts.yml"])
def test_every_metric_that_is_looked_at_exists(name: str, told: set[str]) -> None:
    named = names_in(read(name)) - {"pyramid_daily"}
    assert len(named) > 5
    assert named <= told


def test_what_the_server_tells_is_looked_at_somewhere(told: set[str]) -> None:
    looked_at = names_in(read("grafana/dashboard.json") + read("prometheus/alerts.yml"))
    own = {it for it in told if it.startswith("pyramid_") and not it.endswith(("_sum", "_created"))}
    assert own <= looked_at


def test_every_alert_is_explained_to_the_operator() -> None:
    [group] = yaml.safe_load(read("prometheus/alerts.yml"))["groups"]
    manual = (ROOT / "docs/operating.md").read_text()
    for rule in group["rules"]:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"]["summary"].endswith(".")
        assert f"**{rule['alert']}**" in manual


def test_the_route_of_the_alerts_is_that_of_the_moves() -> None:
    named = set(re.findall(r'route="([^"]+)"', read("prometheus/alerts.yml")))
    assert named == {resolve("/api/v1/attempts/x/moves").route}


@pytest.mark.parametrize("name", SERVICES)
def test_i_every_container_is_held_short(name: str) -> None:
    service: dict[str, Any] = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges"]
    assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory", "pids"}
    assert service["restart"] == ("on-failure" if name == "migrate" else "unless-stopped")
    assert ("healthcheck" in service) == (name != "migrate")
    assert not any(
        "PASSWORD" in key and "FILE" not in key for key in service.get("environment", {})
    )


def test_a_process_that_hangs_in_a_transaction_loses_its_locks() -> None:
    wanted = "ALTER ROLE pyramid_app SET idle_in_transaction_session_timeout = '1min';"
    assert wanted in read("roles.sql").splitlines()


def test_the_web_container_holds_what_its_processes_may_need() -> None:
    """With four of them, each of which hashes as many passwords at once as it may."""
    limit = SERVICES["web"]["deploy"]["resources"]["limits"]["memory"]
    assert limit == "1G"
    hashes = passwords.AT_ONCE * passwords.Argon2.memory_cost / 1024
    process = 130  # MiB, measured: 108 after a request to each kind of page
    assert 4 * (process + hashes) < 1024 - process  # gunicorn's own process


def test_only_the_proxy_is_reached_from_outside() -> None:
    assert [name for name, it in SERVICES.items() if "ports" in it] == ["proxy"]
    assert [name for name, it in SERVICES.items() if "outside" in it["networks"]] == ["proxy"]


def test_i_nothing_runs_as_root() -> None:
    """Of the server by its image, the proxy by one made for it, the others as is said here."""
    assert re.search(r"^USER pyramid$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert {name: it.get("user") for name, it in SERVICES.items() if "build" not in it} == {
        "proxy": None,
        "postgres": "postgres",
        "valkey": "valkey",
    }
    assert "unprivileged" in SERVICES["proxy"]["image"]


@pytest.mark.parametrize("name", ["http", "https"])
def test_the_proxy_tells_who_asks_and_buffers(name: str) -> None:
    text = read(f"nginx/{name}.conf")
    assert "X-Forwarded-For $proxy_add_x_forwarded_for" in text
    assert "proxy_request_buffering off" not in text
    assert "proxy_buffering off" not in text
    assert ("ssl_certificate " in text) == (name == "https")


def test_every_variable_of_the_example_is_explained_line_by_line() -> None:
    lines = (ROOT / ".env.example").read_text().splitlines()
    for before, line in pairwise(lines):
        if re.match(r"\w+=", line):
            assert before.startswith("# "), f"{line} is not explained"


def test_the_example_has_every_setting_that_compose_leaves_open() -> None:
    documented = re.findall(
        r"^\| `(\w+)` \|", (ROOT / "docs/settings.md").read_text(), re.MULTILINE
    )
    fixed = set(SERVICES["web"]["environment"]) - {"HOST", "PORT", "ALLOWED_HOSTS"}
    fixed = {name.removesuffix("_FILE") for name in fixed}
    assert set(example()) == set(documented) - fixed


def test_i_images_are_pinned_by_their_digests(tmp_path: Path) -> None:
    """By `make pins`, with a docker that has pulled them all."""
    docker, env = tmp_path / "docker", tmp_path / "env"
    docker.write_text(
        '#!/bin/sh\n[ "$1" = pull ] || { for image; do :; done; echo "${image%:*}@sha256:0123"; }\n'
    )
    docker.chmod(0o755)
    env.write_text("TLS=1\nPOSTGRES_IMAGE=postgres:16\n")
    make = ["make", "--quiet", "pins", f"DOCKER={docker}", f"ENV={env}"]
    for _ in range(2):
        subprocess.run(make, cwd=ROOT, check=True)
    pinned = dict(line.split("=", 1) for line in env.read_text().splitlines())
    assert pinned == {
        "TLS": "1",
        "PYTHON_IMAGE": "python@sha256:0123",
        "PROXY_IMAGE": "nginxinc/nginx-unprivileged@sha256:0123",
        "POSTGRES_IMAGE": "postgres@sha256:0123",
        "VALKEY_IMAGE": "valkey/valkey@sha256:0123",
    }
    services = compose_file({**example(), **pinned})["services"]
    assert services["web"]["build"]["args"] == {"PYTHON_IMAGE": pinned["PYTHON_IMAGE"]}
    for service, name in {"proxy": "PROXY", "postgres": "POSTGRES", "valkey": "VALKEY"}.items():
        assert services[service]["image"] == pinned[f"{name}_IMAGE"]
