"""The words of the pages, and the files of others: nothing missing, nothing that was changed."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from web import vendor

ROOT = Path(__file__).parent.parent.parent
TEXTS = ROOT / "web/static/web/texts"
PLURALS = {"en": {"one", "other"}, "de": {"one", "other"}, "pl": {"one", "few", "many", "other"}}
"""The categories of whole numbers, from Unicode's rules; `other` stands for fractions in Polish."""


def texts(language: str) -> dict[str, Any]:
    """By dotted name; where there are plurals, a mapping of their forms."""
    return dict(flat(json.loads((TEXTS / f"{language}.json").read_text())))


def flat(part: dict[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in part.items():
        if isinstance(value, dict) and "other" not in value:
            yield from flat(value, f"{path}{key}.")
        else:
            yield path + key, value


def blanks(text: Any) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", json.dumps(text)))


@pytest.mark.parametrize("language", ["de", "pl"])
def test_each_language_says_what_english_says(language: str) -> None:
    english, other = texts("en"), texts(language)
    assert other.keys() == english.keys()
    for name, text in english.items():
        assert blanks(other[name]) == blanks(text), name
        assert type(other[name]) is type(text), name


@pytest.mark.parametrize("language", PLURALS)
def test_plurals_have_the_forms_of_their_language(language: str) -> None:
    plurals = {name: it for name, it in texts(language).items() if isinstance(it, dict)}
    assert len(plurals) > 10
    for name, forms in plurals.items():
        assert forms.keys() == PLURALS[language], name
        assert all("{count}" in form for form in forms.values()), name


def test_every_text_is_there_and_every_one_is_used() -> None:
    modules = "".join(path.read_text() for path in (ROOT / "web/static/web/js").glob("*.js"))
    pages = "".join(path.read_text() for path in (ROOT / "web/templates/web").glob("*.html"))
    named = set(re.findall(r'"([a-z]+\.[a-z_.]+\w)"', modules))
    named |= set(re.findall(r"\bt\.([a-z]+\.(?!items\b)\w+)", pages))
    made = re.findall(r"`([a-z]+\.(?:[a-z_]+)?)\$\{", modules)  # `difficulty.${level}`
    known = texts("en").keys()
    sections = {name.rpartition(".")[0] for name in known}
    missing = {name for name in named - known - sections if name.partition(".")[0] in sections}
    assert missing == set()
    by_python = ("site.", "dates.", "pages.", "challenges.", "difficulty.", "play.practice",
                 "play.start_text", "cards.", "nav.")  # fmt: skip
    by_parts = (*made, *by_python, "confirm.", "account.", "help.", "finish.", "stats.")
    assert {name for name in known - named if not name.startswith(by_parts)} == set()


@pytest.mark.parametrize("folder", ["web/static/web/vendor/lit-html", "tests/web/vendor/axe-core"])
def test_vendored_files_are_as_they_were_taken(folder: str) -> None:
    lines = (ROOT / folder / "SHA256SUMS").read_text().splitlines()
    sums = {name: digest for digest, name in (line.split("  ") for line in lines)}
    files = {path.name for path in (ROOT / folder).iterdir()} - {"SHA256SUMS"}
    assert files == sums.keys() >= {"LICENSE"}
    for name in files:
        content = (ROOT / folder / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == sums[name], name
        assert b"sourceMappingURL" not in content, name


def test_lit_html_is_typed_by_the_version_that_is_served() -> None:
    package = json.loads((ROOT / "package.json").read_text())
    served = [it.name for it in vendor.PACKAGES if it.name.startswith("lit-html@")]
    assert served == [f"lit-html@{package['devDependencies']['lit-html']}"]


def test_the_lock_of_the_tools_pins_digests_and_names_no_registry() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    taken = {name: package for name, package in packages.items() if name}
    assert "node_modules/@biomejs/biome" in taken
    for name, package in taken.items():
        assert package["integrity"].startswith("sha512-"), name
        assert "resolved" not in package, name


def test_no_two_modules_export_one_name() -> None:
    names = [
        name
        for path in (ROOT / "web/static/web/js").glob("*.js")
        for name in re.findall(
            r"^export (?:async )?(?:class|const|function|let) (\w+)", path.read_text(), re.MULTILINE
        )
    ]
    assert len(names) > 50
    assert [name for name, count in Counter(names).items() if count > 1] == []


def test_no_module_names_another_host() -> None:
    for path in (ROOT / "web").rglob("*"):
        if path.suffix in {".js", ".css", ".html"} and "vendor" not in path.parts:
            assert not re.search(r"(https?:)?//[a-z0-9-]+\.[a-z]", path.read_text()), path


def test_each_state_that_a_test_waits_for_is_one_of_the_client() -> None:
    """To wait until a class is gone that nothing has would wait for nothing."""
    tests = "".join(path.read_text() for path in (ROOT / "tests/web").glob("*.py"))
    client = "".join(
        path.read_text()
        for kind in ("js", "css", "html")
        for path in (ROOT / "web").rglob(f"*.{kind}")
    )
    named = set(re.findall(r"\.(is-[a-z-]+)", tests))
    assert len(named) > 5
    assert [name for name in sorted(named) if name not in client] == []
