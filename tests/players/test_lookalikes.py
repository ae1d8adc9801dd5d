"""The table of look-alikes, and the program that makes it of Unicode's."""

import subprocess
import sys
from pathlib import Path
from unicodedata import normalize

import pytest

from players import lookalikes

ROOT = Path(__file__).parent.parent.parent

UNICODE = """\
\ufeff# confusables.txt
# Date: 2026-08-06, 01:05:35 GMT
# Version: 18.0.0

0430 ;\t0061 ;\tMA\t# CYRILLIC SMALL LETTER A
03B1 ;\t0061 ;\tMA\t# GREEK SMALL LETTER ALPHA
006D ;\t0072 006E ;\tMA\t# LATIN SMALL LETTER M
FF41 ;\t0061 ;\tMA\t# FULLWIDTH LATIN SMALL LETTER A
2028 ;\t0020 ;\tMA\t# LINE SEPARATOR
"""


def made(path: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "tools/lookalikes.py", str(path)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_table_is_made_of_what_names_can_hold(tmp_path: Path) -> None:
    path = tmp_path / "confusables.txt"
    path.write_text(UNICODE, encoding="utf-8")
    lines = made(path).stdout.splitlines()
    assert "of Unicode 18.0.0." in lines[1]
    assert lines[3:] == ["0061;03B1 0430", "0072 006E;006D"]


def test_what_is_no_table_of_unicode_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.txt"
    path.write_text("0430 ;\t0061 ;\tMA\t# as it stands, without a version\n")
    done = made(path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "is no confusables.txt of Unicode" in done.stderr


def test_no_prototype_has_a_prototype_of_its_own() -> None:
    assert len(lookalikes.PROTOTYPES) > 3_000
    for prototype in set(lookalikes.PROTOTYPES.values()):
        assert not set(normalize("NFD", prototype)) & lookalikes.PROTOTYPES.keys()


@pytest.mark.parametrize(
    ("name", "skeleton"),
    [("Ada", "ada"), ("I1il|", "lllll"), ("0O", "oo"), ("Mm", "rnrn"), ("\u0410\u0430", "aa"),
     ("\u00e4", "a\u0308"), ("\u738b\u5c0f\u660e", "\u738b\u5c0f\u660e")],
)  # fmt: skip
def test_a_skeleton_is_of_prototypes_in_small_letters(name: str, skeleton: str) -> None:
    assert lookalikes.skeleton(name) == skeleton


def test_the_longest_skeleton_has_its_place() -> None:
    longest = max(len(lookalikes.skeleton(chr(code))) for code in range(0x20, 0x2FFFF))
    assert 24 * longest == 168
