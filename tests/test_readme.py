"""The README, word for word: its game is played, in a shell, against a real web server."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import programs
from tests.conftest import Database

ROOT = Path(__file__).parent.parent


@pytest.fixture
def curl() -> None:
    programs.needed("curl", package="curl")


@pytest.fixture
def port(curl: None, committed_db: Database) -> Iterator[int]:
    """Where gunicorn serves a database with a deal of today."""
    from games import making
    from games.models import Challenge
    from pyramid_site import clock

    making.make(day=clock.today(), challenge=Challenge.objects.get(pk="three-pass"))
    command = [sys.executable, "-m", "gunicorn", "pyramid_site.wsgi", "--bind", "127.0.0.1:0"]
    environment = {**os.environ, "DATABASE_URL": committed_db.url}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr
        line = next(line for line in process.stderr if "Listening at" in line)
        yield int(line.split("127.0.0.1:")[1].split()[0])
        process.terminate()
        process.communicate()


def blocks(language: str) -> list[str]:
    text = (ROOT / "README.md").read_text()
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def documents(output: str) -> list[dict[str, Any]]:
    """The JSON documents that stand one behind the other."""
    found, rest = [], output.strip()
    while rest:
        document, end = json.JSONDecoder().raw_decode(rest)
        found.append(document)
        rest = rest[end:].strip()
    return found


def test_the_game_with_curl_is_played_to_its_end(port: int, tmp_path: Path) -> None:
    game = next(block for block in blocks("sh") if "curl" in block)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", game],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PORT": str(port)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    today, started, drawn, played, resigned, board = documents(done.stdout)
    assert {deal["challenge"] for deal in today["items"]} >= {"three-pass"}
    assert (started["ply"], drawn["ply"], drawn["position"]["waste"]) == (
        0,
        1,
        [started["position"]["stock"][0]],
    )
    assert played["undo_count"] == 1
    assert played["ply"] > 2
    assert played["legal_moves"] == []
    if played["status"] == "cleared":
        assert played["result"]["rank"] == 1
        assert resigned["code"] == "attempt_over"
        assert board["total"] == 1
    else:
        assert played["stuck"]
        assert (resigned["id"], resigned["status"]) == (played["id"], "resigned")
        assert board["total"] == 0


def test_the_commands_that_it_names_exist() -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = re.findall(r"`make ([a-z]+)`", (ROOT / "README.md").read_text())
    assert {"test", "check", "long"} <= set(named) <= set(targets)
