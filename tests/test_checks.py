"""What the server refuses to start with, each by a sentence that says what to do (E, I)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.core.checks import run_checks
from pytest_django import Settings

from pyramid_site import checks

SECRET = "0123456789" * 5
SAFE = {
    "SECRET_KEY": SECRET,
    "DEBUG": False,
    "ALLOWED_HOSTS": ["play.example.org"],
    "HOST": "127.0.0.1",
    "TLS": True,
    "TRUSTED_PROXIES": 1,
    "ON_SQLITE": True,
    "WEB_CONCURRENCY": 1,
    "THROTTLE_ADDRESS": "600/min",
    "RANKED_ACCOUNT_AGE_DAYS": "",
}


def found(settings: Settings, **changed: object) -> list[str]:
    """The ids of what is found with these settings."""
    for name, value in {**SAFE, **changed}.items():
        setattr(settings, name, value)
    return [str(message.id).removeprefix("pyramid_site.") for message in checks.check_settings()]


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"ALLOWED_HOSTS": [".example.org", "localhost"]},
        {"DEBUG": True, "ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]", "a.localhost"]},
        {"ON_SQLITE": False, "WEB_CONCURRENCY": 8},
        {"TLS": False, "TRUSTED_PROXIES": 0, "ALLOWED_HOSTS": ["localhost", "127.0.0.2"]},
        {"HOST": "0.0.0.0"},
        {"THROTTLE_ADDRESS": ""},
        {"RANKED_ACCOUNT_AGE_DAYS": "7"},
    ],
)
def test_i_safe_settings_are_let_be(settings: Settings, changed: dict[str, object]) -> None:
    assert found(settings, **changed) == []


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"SECRET_KEY": SECRET[:49]}, "E001"),
        ({"SECRET_KEY": "secret" * 2}, "E001"),
        ({"SECRET_KEY": "0123" * 20}, "E001"),
        ({"SECRET_KEY": f"django-insecure-{SECRET}"}, "E001"),
        ({"DEBUG": True}, "E002"),
        ({"DEBUG": True, "ALLOWED_HOSTS": ["localhost", "10.0.0.7"]}, "E002"),
        ({"DEBUG": True, "ALLOWED_HOSTS": ["localhost"], "HOST": "0.0.0.0"}, "E002"),
        ({"ALLOWED_HOSTS": []}, "E003"),
        ({"ALLOWED_HOSTS": ["*"]}, "E003"),
        ({"ALLOWED_HOSTS": ["play.example.org", "*.example.org"]}, "E003"),
        ({"WEB_CONCURRENCY": 2}, "E004"),
        ({"THROTTLE_ADDRESS": "600"}, "E005"),
        ({"TRUSTED_PROXIES": -1}, "E006"),
        ({"RANKED_ACCOUNT_AGE_DAYS": "a week"}, "E007"),
        ({"TLS": False}, "W002"),
        ({"TRUSTED_PROXIES": 0}, "W003"),
    ],
)
def test_i_what_is_unsafe_is_named(
    settings: Settings, changed: dict[str, object], named: str
) -> None:
    assert found(settings, **changed) == [named]


def test_every_message_says_what_to_do(settings: Settings) -> None:
    assert len(found(settings, SECRET_KEY="x", ALLOWED_HOSTS=[], WEB_CONCURRENCY=2)) == 3
    for message in checks.check_settings():
        assert message.msg.endswith(".")
        assert message.hint
        assert message in run_checks(tags=["security"])
        assert message.msg in checks.refusal()


def test_a_warning_refuses_nothing(settings: Settings) -> None:
    assert found(settings, TLS=False, TRUSTED_PROXIES=0) == ["W002"]
    assert checks.refusal() == ""


UNSAFE = {
    "a short secret": ({"SECRET_KEY": "secret"}, "E001"),
    "DEBUG where others come": ({"DEBUG": "1", "ALLOWED_HOSTS": "play.example.org"}, "E002"),
    "no hosts": ({"ALLOWED_HOSTS": ""}, "E003"),
    "any host": ({"ALLOWED_HOSTS": "*"}, "E003"),
    "several web workers on SQLite": ({"WEB_CONCURRENCY": "2"}, "E004"),
}
PROGRAMS = {
    "run": "manage.py run",
    "web": "-m gunicorn --bind=127.0.0.1:0 --no-control-socket pyramid_site.wsgi",
    "worker": "-m celery --app=pyramid_site worker --pool=solo",
    "beat": "-m celery --app=pyramid_site beat --pidfile=",
}


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("unsafe", UNSAFE)
def test_i_nothing_starts_with_unsafe_settings(tmp_path: Path, unsafe: str, program: str) -> None:
    variables, named = UNSAFE[unsafe]
    if program in ("worker", "beat") and unsafe != "a short secret":
        pytest.skip("one shows that Celery asks")
    kept = {name: os.environ[name] for name in ("PATH", "VIRTUAL_ENV") if name in os.environ}
    ended = subprocess.run(
        [sys.executable, *PROGRAMS[program].split()],
        cwd=django_settings.ROOT,
        env={**kept, "DATA_DIR": str(tmp_path), "PORT": "0", **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode != 0
    assert f"(pyramid_site.{named})" in ended.stderr
    assert "HINT: " in ended.stderr
    assert not (tmp_path / "pyramid.sqlite3").exists()


def test_a_warning_is_shown_at_the_start(tmp_path: Path) -> None:
    """By a command that, as the others do, checks first."""
    shown = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=django_settings.ROOT,
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "ALLOWED_HOSTS": "a.example"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "pyramid_site.W002" in shown.stderr
