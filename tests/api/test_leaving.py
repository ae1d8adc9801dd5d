"""Who leaves: deleted players, whose play stays in place, and guests who never played (E)."""

from datetime import datetime, timedelta
from uuid import UUID

import pytest
from django.core.cache import cache
from pytest_django import Settings

from games import queries, tasks
from players.models import FormerName, Mail, Player, Token
from tests.api.client import PASSWORD, Client, claimed, log_in, sign_up
from tests.builders import SHORT_LINE, everything_played, nothing_changes, publish_short, seal
from tests.conftest import SimulatedClock
from tests.mailing import deliver

pytestmark = pytest.mark.core


def test_a_deleted_player_is_forgotten_and_no_rank_moves(
    ada: Client, ben: Client, clock: SimulatedClock
) -> None:
    clock.set("2026-11-29T12:00:00.000Z")
    yesterday = publish_short(day=clock.instant.date())
    eve = claimed("Eve Holt")
    for client in (eve, ada, ben):
        client.begin("one-pass", *SHORT_LINE)
        clock.advance(ms=1_000)
    clock.set("2026-11-30T12:00:00.000Z")
    seal(yesterday)
    publish_short()
    ben.begin("one-pass", *SHORT_LINE)
    eve.begin("one-pass", *SHORT_LINE)
    boards = [ada.board(day=day).body["items"] for day in ("today", "2026-11-29")]
    played, other = everything_played(), log_in("Eve Holt")

    assert eve.delete("/me").status == 204
    assert everything_played() == played
    for board, day in zip(boards, ("today", "2026-11-29"), strict=True):
        now = ada.board(day=day).body["items"]
        [gone] = [row["player"] for row in now if row["player"]["id"] == eve.player["id"]]
        assert gone["name"].startswith("gone-")
        for row in board:
            if row["player"]["id"] == eve.player["id"]:
                row["player"]["name"] = gone["name"]
        assert now == board
        assert ada.get(f"/players/{gone['name']}").refusal == (404, "not_found")
    assert [client.get("/me").status for client in (eve, other, ada)] == [401, 401, 200]
    login = {"name": "Eve Holt", "password": PASSWORD}
    assert Client().post("/auth/login", login).refusal == (401, "invalid_credentials")
    assert ada.get("/players/Eve%20Holt").refusal == (404, "not_found")


def test_e_nothing_that_names_a_deleted_player_is_kept_with_it(
    ada: Client, clock: SimulatedClock, settings: Settings
) -> None:
    settings.EMAIL_URL = "smtp://mail.example"
    ada.patch("/me", {"name": "Ada Lovelace"})
    ada.post("/me/claim", {"password": PASSWORD, "email": "ada@example.org"})
    player = Player.objects.get()
    ada.delete("/me")
    deliver()
    player.refresh_from_db()
    assert player.gone_at == clock.instant
    assert "ada" not in player.name + player.name_key + player.skeleton
    assert (player.password, player.email, player.email_confirmed_at) == ("", "", None)
    for table in (Token, Mail):
        assert table._default_manager.count() == 0
    assert {former.player for former in FormerName.objects.all()} == {None}


def test_an_attempt_of_a_deleted_player_ends_with_its_day(
    ada: Client, clock: SimulatedClock
) -> None:
    publish_short()
    attempt = ada.begin("one-pass", "D")
    ada.delete("/me")
    assert ada.move(attempt["id"], "D", 1).refusal == (401, "not_authenticated")
    clock.set("2026-12-01T02:00:00.000Z")
    tasks.sweep()
    read = Client().attempt(attempt["id"]).body
    assert (read["status"], read["ply"]) == ("expired", 1)
    assert Player.objects.count() == 1


def test_two_deleted_players_have_names_of_their_own(ada: Client, ben: Client) -> None:
    for client in (ada, ben):
        assert client.delete("/me").status == 204
    assert Player.objects.values("name").distinct().count() == 2


def test_d_a_deletion_takes_no_body_and_no_query(ada: Client) -> None:
    with nothing_changes():
        assert ada.request("DELETE", "/me", b'{"sure": true}').refusal == (400, "invalid_request")
        assert ada.delete("/me?sure=1").refusal == (400, "invalid_request")


def swept() -> list[str]:
    """The names that are left after a sweep that looks for whom to clear away."""
    cache.delete(tasks.CLEARED)
    tasks.sweep()
    return sorted(Player.objects.values_list("name", flat=True))


def test_e_guests_who_never_played_are_cleared_away_after_90_days(
    ada: Client, ben: Client, clock: SimulatedClock
) -> None:
    publish_short()
    ben.begin()
    claimed("Eve Holt")
    sign_up("Fay").patch("/me", {"name": "Gil"})
    clock.advance(days=90, ms=-1)
    sign_up("Dan")
    assert swept() == ["Ada", "Ben", "Dan", "Eve Holt", "Gil"]
    clock.advance(ms=1)
    assert swept() == ["Ben", "Dan", "Eve Holt"]
    assert ada.get("/me").status == 401
    assert not FormerName.objects.filter(name_key="fay").exists()
    assert ben.get("/me/attempts").body["items"][0]["date"] == "2026-11-30"


def test_a_deleted_player_who_never_played_leaves_no_row(ada: Client) -> None:
    ada.delete("/me")
    assert swept() == []
    assert Client().post("/players", {"name": "Ada"}).refusal == (409, "name_taken")


def test_who_played_stands_in_nobody_s_way(ada: Client, ben: Client, clock: SimulatedClock) -> None:
    publish_short()
    ada.begin()
    found = queries.players_to_clear_away(clock.instant + timedelta(days=90), most=1)
    assert [str(it) for it in found] == [ben.player["id"]]


def test_who_owns_a_group_stands_in_nobody_s_way(
    ada: Client, ben: Client, clock: SimulatedClock
) -> None:
    ada.post("/groups", {"name": "Ours"})
    found = queries.players_to_clear_away(clock.instant + timedelta(days=90), most=1)
    assert [str(it) for it in found] == [ben.player["id"]]


def test_clearing_away_looks_once_an_hour(ada: Client, ben: Client, clock: SimulatedClock) -> None:
    tasks.sweep()
    clock.advance(days=90)
    tasks.sweep()
    assert Player.objects.count() == 2
    assert swept() == []


def test_one_who_cannot_be_cleared_away_is_left_and_the_others_go(
    ada: Client, ben: Client, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One begins to play between the look and the removal."""
    publish_short()
    look = queries.players_to_clear_away

    def slow(now: datetime, *, most: int) -> list[UUID]:
        found = look(now, most=most)
        ada.begin()
        return found

    monkeypatch.setattr(queries, "players_to_clear_away", slow)
    Player.objects.update(joined_at=clock.instant - timedelta(days=91))
    assert swept() == ["Ada"]


def test_what_has_lapsed_is_swept_up(ada: Client, clock: SimulatedClock) -> None:
    ada.patch("/me", {"name": "Cyd"})
    clock.advance(days=365)
    sign_up("Dan")
    tasks.sweep()
    assert [token.player.name for token in Token.objects.all()] == ["Dan"]
    assert FormerName.objects.count() == 0
