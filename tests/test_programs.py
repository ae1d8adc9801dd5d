"""Tests that need a program are skipped where it is missing, and the run says so at its end."""

from pathlib import Path

import pytest

from tests import programs
from tests.conftest import skipped

MISSING = "chromium is not in the PATH (on Debian: apt-get install chromium)"


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A PATH of one empty folder, on a machine where no program is required."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("REQUIRE_PROGRAMS", raising=False)
    return tmp_path


def browser() -> str:
    return programs.needed("chromium", "chromium-browser", package="chromium")


def test_a_program_goes_by_any_of_its_names(path: Path) -> None:
    (path / "chromium-browser").touch(mode=0o755)
    assert browser() == str(path / "chromium-browser")


@pytest.mark.usefixtures("path")
def test_a_missing_program_skips_and_says_how_to_get_it() -> None:
    with pytest.raises(pytest.skip.Exception) as skipped:
        browser()
    assert skipped.value.msg == MISSING


@pytest.mark.usefixtures("path")
def test_a_required_program_that_is_missing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REQUIRE_PROGRAMS", "1")
    with pytest.raises(pytest.fail.Exception) as failed:
        browser()
    assert failed.value.msg == MISSING


def test_the_run_counts_what_was_skipped_by_reason() -> None:
    def report(reason: str) -> pytest.TestReport:
        where = ("tests/web/conftest.py", 40, f"Skipped: {reason}")
        return pytest.TestReport("t", ("t", 0, "t"), {}, "skipped", where, "setup")

    reports = [report("no broker"), report(MISSING), report(MISSING)]
    assert skipped(reports) == [f"2 tests skipped: {MISSING}", "1 test skipped: no broker"]
