"""What the parts of `manage.py run` are known by to the web processes."""

import sys
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from pyramid_site import supervisor

pytestmark = pytest.mark.django_db


def test_c3_a_part_that_dies_is_told_at_once_and_until_it_has_lived_for_a_minute(
    client: Client, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path

    def told() -> bool:
        supervisor.note_down([beat])
        return "made-up" in client.get("/readyz").json()["degraded"]

    beat = supervisor.Child("made-up", [sys.executable, "-c", "input()"])
    assert not told()
    beat.process.wait()
    beat.revive()
    assert told()
    beat.command = ["sleep", "600"]
    beat.start()
    try:
        beat.revive()
        assert told()
        monkeypatch.setattr(supervisor, "YOUNG", 0.0)
        beat.revive()
        assert not told()
    finally:
        supervisor.stop([beat])


def test_a_note_that_a_crash_has_spoilt_tells_nothing(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    assert supervisor.down() == []
    (tmp_path / "down").mkdir()
    assert supervisor.down() == []
