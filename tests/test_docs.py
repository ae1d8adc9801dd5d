"""The documents say what is so."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from pyramid_site.api.problems import KINDS

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]


def read(name: str) -> str:
    return (ROOT / name).read_text()


@cache
def tracked() -> list[str]:
    """The names of the project's files, those not yet added included."""
    # Files of another owner are no reason for git to refuse: it only lists them.
    git = ["git", "-c", "safe.directory=*", "ls-files", "--cached", "--others"]
    listing = subprocess.check_output([*git, "--exclude-standard"], cwd=ROOT, text=True)
    return listing.splitlines()


def first_cells(page: str) -> list[str]:
    """What stands in code type at the start of each row of the page's tables."""
    return re.findall(r"^\| `(\w+)`", read(page), re.MULTILINE)


def compose_variables() -> set[str]:
    return set(re.findall(r"\$\{(\w+)", read("docker-compose.yml")))


def test_settings_md_names_every_variable_and_no_other() -> None:
    sources = read("pyramid_site/settings.py"), read("pyramid_site/management/commands/run.py")
    named = set(re.findall(r"""\benv(?:\.\w+)?\(\s*["'](\w+)""", "".join(sources)))
    documented = first_cells("docs/settings.md")
    assert sorted(documented) == sorted(named | compose_variables())


def test_errors_md_lists_every_code_with_its_status() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) ", read("docs/errors.md"), re.MULTILINE)
    assert sorted(rows) == sorted((code, str(kind.status)) for code, kind in KINDS.items())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    kinds = "py|js|css|html|ya?ml|toml|conf|sql|jsonl?"
    named = re.findall(rf"`([\w/.-]+\.(?:{kinds}))`", page.read_text())
    files = [f"/{name}" for name in tracked()]
    assert [name for name in named if not any(it.endswith(f"/{name}") for it in files)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?![a-z]+:|#)([^)#\s]+)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_no_file_depends_on_one_machine_or_registry() -> None:
    """Written so that this file does not match itself."""
    forbidden = re.compile(r"/(work|root|home)/\w|(pypi|pythonhosted|npmjs|debian)\.(org|com|net)")
    found = [
        f"{name}: {match[0]}"
        for name in tracked()
        if (ROOT / name).is_file()
        and (match := forbidden.search((ROOT / name).read_text(errors="replace")))
    ]
    assert found == []
