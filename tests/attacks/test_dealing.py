"""Cards come from the system's random source, and from nothing that anybody could guess (A1)."""

import ast
from pathlib import Path

import pytest
from django.conf import settings
from pytest_django import DjangoDbBlocker

from games import making, solver
from games.models import Challenge, DailyDeal, WeekdayTarget
from tests.builders import DAY
from tests.conftest import SimulatedClock, copied_database

PRODUCT = [
    path
    for package in ("games", "leaderboards", "players", "pyramid_site")
    for path in sorted((settings.ROOT / package).rglob("*.py"))
]


def imports(path: Path) -> set[str]:
    """The modules that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found |= {f"{node.module}.{name.name}" for name in node.names} | {str(node.module)}
    return found


def test_a1_two_fresh_servers_deal_differently_on_the_same_day(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, clock: SimulatedClock
) -> None:
    dealt = []
    for _ in range(2):
        with django_db_blocker.unblock(), copied_database():
            WeekdayTarget.objects.update(difficulty="medium")  # which is found soonest
            making.make(day=DAY, challenge=Challenge.objects.get(pk="one-pass"))
            dealt.append(DailyDeal.objects.get())
    one, other = dealt
    assert (one.made_at, one.date) == (other.made_at, other.date)
    assert len({bytes(deal.seed) for deal in dealt}) == len({deal.cards for deal in dealt}) == 2


def test_a1_no_seed_is_made_from_a_date_a_secret_or_another_seed(
    db: None, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """32 bytes are asked for each deal, of the system, and taken as they come."""
    asked: list[int] = []
    seeds: list[bytes] = []
    drawn = [bytes([7]) * 32, bytes([200]) * 32]

    def token_bytes(count: int) -> bytes:
        asked.append(count)
        return drawn[len(asked) - 1]

    def derive(*, seed: bytes, **rest: object) -> solver.Candidate:
        seeds.append(seed)
        raise solver.NoWinnableDealError

    monkeypatch.setattr("games.making.secrets.token_bytes", token_bytes)
    monkeypatch.setattr(solver, "derive", derive)
    for _ in drawn:
        assert not making.make(day=DAY, challenge=Challenge.objects.get(pk="one-pass"))
    assert asked == [32, 32]
    assert seeds == drawn


@pytest.mark.parametrize("path", PRODUCT, ids=lambda path: str(path.relative_to(settings.ROOT)))
def test_a1_nothing_imports_a_random_source_that_can_be_predicted(path: Path) -> None:
    guessable = {"random", "numpy.random", "uuid.uuid1", "django.utils.crypto"}
    assert not [it for it in imports(path) if it in guessable or it.startswith("numpy.random")]


def test_g_no_part_of_the_game_reads_the_clock_of_its_own_machine() -> None:
    """The limits and the pauses of the run command do: they decide nothing of a game."""
    reading = {
        (str(path.relative_to(settings.ROOT)), ast.unparse(node.func))
        for path in PRODUCT
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).split(".")[-1] in {"today", "utcnow", "now", "time", "localtime"}
    }
    own = {(path, call) for path, call in reading if call not in ("clock.now", "clock.today")}
    assert own == {
        ("pyramid_site/clock.py", "now"),
        ("pyramid_site/api/throttles.py", "time"),
    }
