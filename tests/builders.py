"""Deals to play in tests, and the proof that a refusal changed nothing."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from django.apps import apps
from django.db import connection

from games import deals, engine, solver
from games.models import DailyDeal
from pyramid_site import clock

DAY = date(2026, 11, 30)
"""The day on which the simulated clock stands at first."""


class Certified(NamedTuple):
    """A deal with a line that clears it: candidate `k` of the seed that is its label's SHA-256."""

    challenge: str
    label: str
    k: int
    deal: str
    line: str

    @property
    def seed(self) -> bytes:
        return sha256(self.label.encode()).digest()

    @property
    def rules(self) -> engine.Rules:
        return engine.RULE_SETS[self.challenge]

    @property
    def moves(self) -> list[str]:
        return self.line.split(" ")


CERTIFIED: Mapping[str, Certified] = {
    row["challenge"]: Certified(**row)
    for row in json.loads((Path(__file__).parent / "data/certified.json").read_text())
}
"""One for each challenge, found with the solver."""

SHORT_RULES = replace(engine.RULE_SETS["one-pass"], rows=2)
SHORT_PYRAMID = ("Kd", "6c", "7c")
SHORT_LINE = ["b1b2", "a1"]
"""Clears the short deal. Before it `D` is legal, and so is `U` after that."""


def publish(
    challenge: str = "one-pass", day: date = DAY, *, difficulty: str | None = None
) -> DailyDeal:
    """The certified deal of a challenge as the deal of a day."""
    certified = CERTIFIED[challenge]
    return store(
        engine.parse_deal(certified.deal, certified.rules),
        certified.rules,
        challenge=challenge,
        day=day,
        seed=certified.seed,
        k=certified.k,
        winning_line=certified.line,
        difficulty=difficulty,
    )


def publish_short(
    challenge: str = "one-pass",
    day: date = DAY,
    *,
    pyramid: tuple[str, str, str] = SHORT_PYRAMID,
    difficulty: str | None = None,
    **rules: Any,
) -> DailyDeal:
    """A deal of two rows, which two moves clear: a deal's rules are its own copy, rows included.

    The rest of the deck lies in order in the stock, "Ac" first and "Ks" last.
    """
    short = replace(SHORT_RULES, **rules)
    rest = [card for card in engine.DECK if card not in pyramid]
    deal = engine.Deal.from_deck([*pyramid, *rest], short)
    return store(
        deal,
        short,
        challenge=challenge,
        day=day,
        winning_line=" ".join(SHORT_LINE),
        difficulty=difficulty,
    )


def publish_today() -> DailyDeal:
    """The short deal for the day of the real clock; and for the next, as midnight may pass."""
    today = clock.today()
    publish_short(day=today + timedelta(days=1))
    return publish_short(day=today)


def store(
    deal: engine.Deal,
    rules: engine.Rules,
    *,
    challenge: str = "one-pass",
    day: date = DAY,
    seed: bytes = bytes(32),
    k: int = 0,
    winning_line: str = "",
    wins: int | None = None,
    difficulty: str | None = None,
) -> DailyDeal:
    """Any deal as the deal of a day, winnable or not."""
    return DailyDeal.objects.create(
        date=day,
        challenge_id=challenge,
        rules_line=engine.format_rules(rules),
        shuffle_id=engine.SHUFFLE_ID,
        solver_id=solver.SOLVER_ID,
        made_at=clock.now(),
        cards=engine.format_deal(deal),
        seed=seed,
        k=k,
        winning_line=winning_line,
        wins=wins,
        difficulty=difficulty,
    )


def seal(deal: DailyDeal) -> None:
    """Seals a deal; the clock must be past its play."""
    assert deals.seal(deal_id=deal.pk)


@contextmanager
def nothing_changes() -> Iterator[None]:
    """Each row of each table is the same after the block as before it."""
    before = everything_stored()
    yield
    assert everything_stored() == before


def everything_stored() -> dict[str, list[dict[str, Any]]]:
    """Every row of the players, the games and the boards, by table.

    As the database holds it: querysets take longer, and hundreds of tests ask twice.
    """
    stored = {}
    with connection.cursor() as cursor:
        for app in ("players", "games", "leaderboards"):
            for model in apps.get_app_config(app).get_models():
                table, key = model._meta.db_table, model._meta.pk.column
                cursor.execute(f"SELECT * FROM {table} ORDER BY {key}")
                columns = [column[0] for column in cursor.description]
                stored[table] = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
    return stored


def everything_played() -> dict[str, list[dict[str, Any]]]:
    """Every row of the games and the boards, by table, and so whose each is."""
    stored = everything_stored().items()
    return {table: rows for table, rows in stored if not table.startswith("players_")}
