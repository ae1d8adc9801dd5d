"""The audit finds nothing in what was played, and each kind of damage that is done to it."""

import json
from collections.abc import Iterator
from io import StringIO
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games import attempts, audit, deals
from games.models import Attempt, DailyDeal, LoggedMove, Seal
from leaderboards.models import Period, PeriodScore, Result, Standing, Tally
from tests import builders
from tests.api.client import sign_up
from tests.conftest import SimulatedClock

pytestmark = [pytest.mark.core, pytest.mark.django_db]
A_MINUTE = {"seconds": 60}


@pytest.fixture
def unprotected(db: None) -> Iterator[None]:
    """The damage of somebody who owns the database: its triggers are off."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET LOCAL session_replication_role = replica")
        else:
            cursor.execute("PRAGMA defer_foreign_keys = ON")
        yield


@pytest.fixture
def deal(clock: SimulatedClock) -> DailyDeal:
    return builders.publish_short(undo_penalty_ms=10_000)


@pytest.fixture
def played(deal: DailyDeal, clock: SimulatedClock) -> dict[str, UUID]:
    """A day, sealed: two who cleared it, the second with an undo; one resigned, one ran out."""
    found = {}
    for name, moves in (
        ("ada", builders.SHORT_LINE),
        ("ben", ["D", "U", *builders.SHORT_LINE]),
        ("cleo", ["D"]),
        ("dora", ["D", "D"]),
    ):
        player = sign_up(name)
        attempt = player.begin()
        clock.advance(**A_MINUTE)
        player.play(attempt, *moves)
        found[name] = UUID(attempt["id"])
        if name == "cleo":
            player.resign(attempt["id"])
    clock.set("2026-12-01T02:00:00.000Z")
    attempts.expire_due()
    builders.seal(deal)
    deals.count_sealed()
    return found


def found() -> list[tuple[str, str]]:
    return [(it.of, it.what) for it in audit.differences(lambda done: None)]


def test_what_was_played_is_as_the_logs_say(played: dict[str, UUID]) -> None:
    assert found() == []


def test_so_is_play_under_way(deal: DailyDeal, clock: SimulatedClock) -> None:
    player = sign_up()
    attempt = player.begin()
    assert found() == []
    clock.advance(**A_MINUTE)
    player.play(attempt, "D", "D", "U")
    clock.advance(**A_MINUTE)
    assert found() == []


def test_so_is_practice(played: dict[str, UUID], clock: SimulatedClock) -> None:
    player = sign_up()
    attempt = player.start(day="2026-11-30").body
    player.play(attempt, *builders.SHORT_LINE)
    assert found() == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("ply", 5), ("undo_count", 0), ("seen", 9), ("line", "D b1b2 a1"), ("elapsed_ms", 1),
        ("status", "resigned"), ("ranked", False),
    ],
)  # fmt: skip
def test_a_field_of_an_attempt(
    field: str, value: object, played: dict[str, UUID], unprotected: None
) -> None:
    ben = played["ben"]
    Attempt.objects.filter(pk=ben).update(**{field: value})
    differences = found()
    assert differences
    if field == "ranked":
        assert (f"attempt {ben}", "its place") in differences
    else:
        assert (f"attempt {ben}", field) in differences


def test_an_end_that_was_not_reached(played: dict[str, UUID], unprotected: None) -> None:
    Attempt.objects.filter(pk=played["cleo"]).update(status="cleared")
    assert (f"attempt {played['cleo']}", "status") in found()


@pytest.mark.parametrize(
    ("name", "field"), [("dora", "finished_at"), ("ada", "elapsed_ms"), ("cleo", "elapsed_ms")]
)
def test_an_end_at_another_time(
    name: str, field: str, played: dict[str, UUID], unprotected: None
) -> None:
    attempt = Attempt.objects.get(pk=played[name])
    assert attempt.finished_at is not None
    Attempt.objects.filter(pk=attempt.pk).update(
        finished_at=attempt.finished_at.replace(microsecond=777_000)
    )
    assert (f"attempt {attempt.pk}", field) in found()


def test_a_start_on_another_day(played: dict[str, UUID], unprotected: None) -> None:
    attempt = Attempt.objects.get(pk=played["ada"])
    Attempt.objects.filter(pk=attempt.pk).update(started_at="2026-11-29T12:00:00Z")
    assert (f"attempt {attempt.pk}", "ranked") in found()


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"move": "b1b2"}, "move 1 of its log"),
        ({"move": "z9"}, "its log"),
        ({"number": 7}, "the numbering of its log"),
        ({"at_ms": 10_000_000}, "elapsed_ms"),
    ],
)
def test_a_move_that_was_changed(
    change: dict[str, object], what: str, played: dict[str, UUID], unprotected: None
) -> None:
    LoggedMove.objects.filter(attempt=played["ben"], number=1).update(**change)
    if change == {"move": "b1b2"}:
        what = "move 3 of its log"  # as the pair that is taken, taken back, and taken: then gone
        LoggedMove.objects.filter(attempt=played["ben"], number=2).update(move="D")
    assert (f"attempt {played['ben']}", what) in found()


def test_a_move_that_was_taken_away(played: dict[str, UUID], unprotected: None) -> None:
    log = LoggedMove.objects.filter(attempt=played["ada"])
    log.filter(number=2).delete()
    differences = found()
    assert (f"attempt {played['ada']}", "ply") in differences
    assert (f"attempt {played['ada']}", "status") in differences
    assert (f"attempt {played['ada']}", "its place") in differences


def test_a_move_that_was_added(played: dict[str, UUID], unprotected: None) -> None:
    LoggedMove.objects.create(attempt_id=played["dora"], number=3, move="D", at_ms=60_000)
    assert (f"attempt {played['dora']}", "ply") in found()


@pytest.mark.parametrize(
    ("field", "value"),
    [("ranked_ms", 60_001), ("elapsed_ms", 1), ("undo_count", 1), ("ply", 3),
     ("finished_at", "2026-11-30T00:00:00Z")],
)  # fmt: skip
def test_a_field_of_a_result(
    field: str, value: object, played: dict[str, UUID], unprotected: None
) -> None:
    Result.objects.filter(pk=played["ada"]).update(**{field: value})
    assert (f"result {played['ada']}", field) in found()


def test_a_result_of_another_player(played: dict[str, UUID], unprotected: None) -> None:
    other = Attempt.objects.get(pk=played["dora"]).player_id
    Result.objects.filter(pk=played["ada"]).update(player=other)
    assert (f"result {played['ada']}", "player_id") in found()


def test_a_result_that_is_lost(played: dict[str, UUID], unprotected: None) -> None:
    Standing.objects.filter(pk=played["ada"]).delete()
    Result.objects.filter(pk=played["ada"]).delete()
    differences = found()
    assert (f"attempt {played['ada']}", "its place") in differences


def test_f1_a_result_that_no_play_earned(played: dict[str, UUID], unprotected: None) -> None:
    dora = Attempt.objects.get(pk=played["dora"])
    for key in (dora.pk, uuid4()):
        Result.objects.filter(player=dora.player).delete()
        Result.objects.create(
            attempt_id=key, deal_id=dora.deal_id, player_id=dora.player_id, ranked_ms=1,
            undo_count=0, elapsed_ms=1, ply=1, number=9, finished_at="2026-11-30T12:00:00Z",
        )  # fmt: skip
        expected = (f"attempt {key}", "its place") if key == dora.pk else (f"result {key}", "it")
        assert expected in found()


@pytest.mark.parametrize("change", [{"rank": 2}, {"clean_rank": 2}, {"clean_rank": None}])
def test_a_final_rank(
    change: dict[str, object], played: dict[str, UUID], deal: DailyDeal, unprotected: None
) -> None:
    Standing.objects.filter(pk=played["ada"]).update(**change)
    of = f"result {played['ada']}"
    assert found() == [(of, "its rank, and that among the clean")]


def test_a_final_rank_that_is_lost(
    played: dict[str, UUID], deal: DailyDeal, unprotected: None
) -> None:
    Standing.objects.filter(pk=played["ben"]).delete()
    of = f"result {played['ben']}"
    assert found() == [(of, "its rank, and that among the clean")]


@pytest.mark.parametrize("field", ["overall", "clean_results", "disqualified"])
def test_a_count_of_a_board(
    field: str, played: dict[str, UUID], deal: DailyDeal, unprotected: None
) -> None:
    Tally.objects.update(overall=9, clean_results=0, disqualified=9)
    assert (f"tally of deal {deal.pk}", field) in found()
    Tally.objects.all().delete()
    assert found() == [(f"tally of deal {deal.pk}", "it")]


def test_a_score_of_a_period(played: dict[str, UUID], unprotected: None) -> None:
    ada = Attempt.objects.get(pk=played["ada"]).player_id
    what = f"the score of player {ada}"
    boards = [f"board one-pass, {name}" for name in ("2026-W49", "2026-11", "all-time")]
    PeriodScore.objects.filter(player=ada).update(ranked_ms=1)
    assert sorted(found()) == sorted((of, what) for of in boards)
    PeriodScore.objects.filter(player=ada).delete()
    assert sorted(found()) == sorted((of, what) for of in boards)
    Period.objects.update(players=7)
    assert {(of, "players") for of in boards} <= set(found())
    Period.objects.all().delete()
    assert sorted(found()) == sorted((of, "it") for of in boards)


@pytest.mark.parametrize("field", ["players", "cleared"])
def test_a_count_of_the_seal(
    field: str, played: dict[str, UUID], deal: DailyDeal, unprotected: None
) -> None:
    Seal.objects.update(**{field: 7})
    assert found() == [(f"seal of {deal}", field)]


def test_equal_results_share_a_rank(deal: DailyDeal, clock: SimulatedClock) -> None:
    for count in (2, 1):
        players = [sign_up() for _ in range(count)]
        games = [player.begin() for player in players]
        clock.advance(**A_MINUTE)
        for player, game in zip(players, games, strict=True):
            player.play(game, *builders.SHORT_LINE)
        clock.advance(**A_MINUTE)
    clock.set("2026-12-01T02:00:00.000Z")
    builders.seal(deal)
    assert found() == []


def test_every_attempt_is_looked_at_however_many_there_are(
    played: dict[str, UUID], unprotected: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "BATCH", 3)
    Attempt.objects.update(seen=40)
    done: list[int] = []
    differences = list(audit.differences(done.append))
    assert sorted(it.of for it in differences) == sorted(f"attempt {it}" for it in played.values())
    assert done == [3, 4]


def run(*options: str) -> str:
    output = StringIO()
    call_command("audit_logs", *options, stdout=output, stderr=StringIO())
    return output.getvalue()


def test_the_command_is_content(played: dict[str, UUID]) -> None:
    assert run() == "4 attempts and their boards are as their logs say\n"
    assert run("--json") == ""


def test_the_command_prints_what_differs_and_fails(
    played: dict[str, UUID], unprotected: None
) -> None:
    Attempt.objects.filter(pk=played["ben"]).update(seen=9)
    output = StringIO()
    with pytest.raises(CommandError, match="differences: 1") as failed:
        call_command("audit_logs", "--json", stdout=output, stderr=StringIO())
    assert failed.value.returncode == 1
    assert json.loads(output.getvalue()) == {
        "of": f"attempt {played['ben']}",
        "what": "seen",
        "stored": 9,
        "computed": 1,
    }
    output = StringIO()
    with pytest.raises(CommandError):
        call_command("audit_logs", stdout=output, stderr=StringIO())
    assert output.getvalue() == f"attempt {played['ben']}: seen is 9, and 1 by the logs\n"
