"""`manage.py rebuild_boards`."""

import io
import json
import re

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from games.models import DailyDeal
from leaderboards import live, periods
from leaderboards.models import Period, PeriodScore, Tally
from tests import builders
from tests.boards.conftest import Valkey
from tests.boards.table import around, finalize, record
from tests.conftest import Database, SimulatedClock

pytestmark = pytest.mark.core


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def ids(played: DailyDeal) -> list[object]:
    """Of the players of a deal that is played; the day before is sealed and counted."""
    yesterday = builders.publish_short(day=builders.DAY.replace(day=29))
    record(yesterday, [(1000, 0), (2000, 0)])
    finalize(yesterday)
    periods.count(deal_id=yesterday.pk, challenge="one-pass", day=yesterday.date)
    return [*record(played, [(1000, 0), (2000, 1), (3000, 0)])]


def rebuild(*options: str) -> tuple[str, str]:
    out, errors = io.StringIO(), io.StringIO()
    call_command("rebuild_boards", *options, stdout=out, stderr=errors)
    return out.getvalue(), errors.getvalue()


def test_it_says_what_it_has_built(ids: list[object], valkey: Valkey) -> None:
    out, errors = rebuild()
    assert [re.sub(r"\d+ ms", "# ms", line) for line in out.splitlines()] == [
        "one-pass of 2026-11-30, overall: 3 in # ms",
        "one-pass of 2026-11-30, clean: 2 in # ms",
        "one-pass, 2026-11: 2 in # ms",
        "one-pass, 2026-W48: 2 in # ms",
        "one-pass, all-time: 2 in # ms",
    ]
    assert errors == ""
    assert valkey.client.dbsize() == 2


def test_json_is_a_line_a_board(ids: list[object]) -> None:
    lines = [json.loads(line) for line in rebuild("--json")[0].splitlines()]
    assert [(line["board"], line["size"]) for line in lines] == [
        ("one-pass of 2026-11-30, overall", 3),
        ("one-pass of 2026-11-30, clean", 2),
        ("one-pass, 2026-11", 2),
        ("one-pass, 2026-W48", 2),
        ("one-pass, all-time", 2),
    ]
    assert all(set(line) == {"board", "size", "ms"} for line in lines)


def test_a_terminal_shows_a_bar(ids: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "BUILT", 1)
    terminal = Terminal()
    call_command("rebuild_boards", stdout=io.StringIO(), stderr=terminal)
    assert "[..........................." in terminal.getvalue()
    assert "] 2/3" in terminal.getvalue()


def test_whatever_was_wrong_is_right_after_it(
    ids: list[object], played: DailyDeal, valkey: Valkey
) -> None:
    key = f"board:{Tally.objects.get(pk=played.pk).key}:overall"
    valkey.client.zadd(key, {b"": -3, b"x" * 16: 5})  # as if of this version
    PeriodScore.objects.all().delete()
    rebuild()
    assert valkey.client.zcard(key) == 1 + 3
    assert around(played, ids[2], limit=1).ranks == [3]  # type: ignore[arg-type] # it is an id
    assert Period.objects.get(name="all-time").scores.count() == 2


def test_without_redis_it_says_so(ids: list[object], settings: Settings) -> None:
    settings.REDIS_URL = ""
    with pytest.raises(CommandError, match="No Redis answers"):
        rebuild()


def test_it_finds_nothing_to_do(
    committed_db: Database, clock: SimulatedClock, valkey: Valkey
) -> None:
    assert rebuild() == ("", "")
