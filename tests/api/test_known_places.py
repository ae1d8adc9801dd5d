"""Others' wrong guesses do not keep a player from where it logged in before (E)."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from players import accounts, queries
from players.models import KnownPlace, Player
from pyramid_site import clock as the_clock
from tests.api.client import PASSWORD, Client, Reply, claimed, sign_up
from tests.builders import nothing_changes
from tests.conftest import SimulatedClock
from tests.mailing import ADDRESS, ask, deliver, mailed_key

pytestmark = pytest.mark.core

HOME, NEXT_DOOR, AWAY = "192.0.2.7", "192.0.2.8", "198.51.100.1"
WRONG, TOO_OFTEN = (401, "invalid_credentials"), (429, "throttled")
LIMIT = 3


@pytest.fixture
def eve(db: None, clock: SimulatedClock, settings: Settings) -> Client:
    """Who has logged in at home, before guesses are limited."""
    player = claimed("Eve Holt")
    assert log_in(HOME).status == 200
    settings.THROTTLE_GUESS = f"{LIMIT}/day"
    return player


def log_in(address: str, password: str = PASSWORD, name: str = "Eve Holt") -> Reply:
    caller = Client()
    caller.django.defaults["REMOTE_ADDR"] = address
    return caller.post("/auth/login", {"name": name, "password": password})


def use_up(name: str = "Eve Holt") -> None:
    for number in range(LIMIT):
        assert log_in(f"203.0.113.{number}", "wrong", name).refusal == WRONG
    assert log_in(AWAY, "wrong", name).refusal == TOO_OFTEN


def test_e_the_right_password_gets_in_where_the_player_was_before(eve: Client) -> None:
    use_up()
    assert log_in(HOME).status == 200
    with nothing_changes():
        assert log_in(AWAY).refusal == TOO_OFTEN


def test_e_guesses_from_a_known_place_are_bounded_too(eve: Client) -> None:
    use_up()
    tried = [log_in(HOME, "wrong").refusal for _ in range(LIMIT + 1)]
    assert tried == [WRONG] * LIMIT + [TOO_OFTEN]
    assert log_in(HOME).refusal == TOO_OFTEN


def test_e_a_wrong_password_makes_no_place_known(eve: Client) -> None:
    with nothing_changes():
        assert log_in(AWAY, "wrong").refusal == WRONG


def test_e_a_place_is_known_to_its_own_player_alone(eve: Client) -> None:
    claimed("Fay Holt")
    use_up("Fay Holt")
    assert log_in(HOME, name="Fay Holt").refusal == TOO_OFTEN


def test_e_who_claimed_an_account_is_known_there(eve: Client, settings: Settings) -> None:
    guest = sign_up("Gil")
    guest.django.defaults["REMOTE_ADDR"] = HOME
    assert guest.post("/me/claim", {"password": PASSWORD}).status == 200
    use_up("Gil")
    assert log_in(HOME, name="Gil").status == 200


def test_e_what_others_try_keeps_nobody_from_what_takes_more_than_a_name(eve: Client) -> None:
    """Neither by the name nor by one made of what else is counted: an id, a mail address."""
    player = Player.objects.get()
    for name in ("Eve Holt", f"Eve Holt from {HOME}", f"{player.pk}", f"{player.pk} with a token",
                 ADDRESS):  # fmt: skip
        use_up(name)
    assert log_in(HOME).status == 200
    assert eve.post("/me/email", {"email": ADDRESS, "password": "wrong"}).refusal == WRONG
    assert eve.post("/me/email/confirm", {"key": "wrong"}).refusal == WRONG
    assert eve.post("/me/password", {"old": "wrong", "new": "nine rows of it"}).refusal == WRONG
    assert eve.post("/me/email", {"email": ADDRESS, "password": "wrong"}).refusal == TOO_OFTEN
    assert Client().post("/auth/reset", {"email": ADDRESS}).status == 202


@pytest.mark.parametrize("name", ["Eve Holt", "Nobody", "Ben"])
def test_e_whoever_is_refused_learns_nothing_of_the_name(
    eve: Client, ben: Client, name: str
) -> None:
    use_up(name)
    with CaptureQueriesContext(connection) as asked:
        assert log_in(AWAY, name=name).refusal == TOO_OFTEN
    assert len(asked) == 2 + 1  # the clock


@pytest.mark.parametrize("ended_by", ["logout-all", "password", "reset", "delete"])
def test_e_what_ends_access_ends_what_is_known(
    eve: Client, settings: Settings, ended_by: str
) -> None:
    settings.EMAIL_URL = "smtp://mail.example"  # pytest-django catches what is sent
    Player.objects.update(email=ADDRESS, email_confirmed_at=the_clock.now())
    ask()
    deliver()
    acts: dict[str, Callable[[], Reply]] = {
        "logout-all": lambda: eve.post("/auth/logout-all"),
        "password": lambda: eve.post("/me/password", {"old": PASSWORD, "new": "nine rows of it"}),
        "reset": lambda: Client().post(
            "/auth/reset/confirm", {"key": mailed_key(), "password": "nine rows of it"}
        ),
        "delete": lambda: eve.delete("/me"),
    }
    assert acts[ended_by]().status == 204
    assert not queries.is_known_place(HOME, name="Eve Holt")
    assert KnownPlace.objects.count() == (ended_by in ("password", "reset"))  # where it was set


def test_e_a_place_is_kept_as_a_hash_of_its_own_and_with_a_key(
    eve: Client, settings: Settings
) -> None:
    claimed("Fay Holt")
    assert log_in(HOME, name="Fay Holt").status == 200
    one, other = KnownPlace.objects.order_by("pk")
    assert one.digest != other.digest
    assert HOME.encode() not in bytes(one.digest)
    assert len(one.digest) == 32
    settings.SECRET_KEY = "x" * 50
    assert not queries.is_known_place(HOME, name="Eve Holt")


def test_e_the_newest_places_are_known_and_no_more(
    eve: Client, clock: SimulatedClock, settings: Settings
) -> None:
    settings.THROTTLE_GUESS = ""
    for number in range(accounts.PLACES):
        clock.advance(minutes=1)
        assert log_in(f"192.0.2.{100 + number}").status == 200
    assert KnownPlace.objects.count() == accounts.PLACES
    assert not queries.is_known_place(HOME, name="Eve Holt")
    assert queries.is_known_place("192.0.2.100", name="EVE holt")


def test_e_a_place_is_forgotten_90_days_after_its_last_login(
    eve: Client, clock: SimulatedClock
) -> None:
    clock.advance(days=89)
    assert log_in(HOME).status == 200
    assert KnownPlace.objects.count() == 1
    clock.advance(days=90, ms=-1)
    accounts.forget_lapsed()
    assert queries.is_known_place(HOME, name="Eve Holt")
    clock.advance(ms=1)
    assert not queries.is_known_place(HOME, name="Eve Holt")
    accounts.forget_lapsed()
    assert not KnownPlace.objects.exists()


def test_e_where_the_address_is_not_known_nothing_is(eve: Client) -> None:
    """As behind a proxy that is not said to be trusted: everybody would come from one place."""
    KnownPlace.objects.all().delete()
    assert log_in("").status == 200
    assert not KnownPlace.objects.exists()


def test_e_who_is_logged_in_can_change_the_password_whatever_others_guess(eve: Client) -> None:
    use_up()
    bodies = [{"old": "wrong", "new": "nine rows of it"}] * (LIMIT - 1)
    for body in [*bodies, {"old": PASSWORD, "new": "nine rows of it"}]:
        reply = eve.post("/me/password", body)
    assert reply.status == 204
    refused = eve.post("/me/password", {"old": PASSWORD, "new": "ten rows of it all"})
    assert refused.refusal == TOO_OFTEN
    since = the_clock.now() - timedelta(days=1)
    assert Player.objects.get(name="Eve Holt").joined_at > since


@pytest.mark.parametrize("name", ["{id} with a token", "token:{id}", "{id}"])
def test_e_no_name_uses_up_what_a_token_may_try(eve: Client, name: str) -> None:
    for _ in range(LIMIT):
        assert log_in(AWAY, "wrong", name.format(id=eve.player["id"])).refusal == WRONG
    body = {"old": PASSWORD, "new": "nine rows of it"}
    assert eve.post("/me/password", body).status == 204


@pytest.mark.parametrize("name", ["eve holt from {at}", "{at} eve holt", "known:{at} eve holt"])
def test_e_no_name_uses_up_what_may_be_tried_at_a_known_place(eve: Client, name: str) -> None:
    use_up()
    for _ in range(LIMIT):
        log_in(AWAY, "wrong", name.format(at=HOME))
    assert log_in(HOME).status == 200


def test_e_no_name_uses_up_what_may_be_asked_by_mail(eve: Client) -> None:
    for _ in range(LIMIT):
        assert log_in(AWAY, "wrong", ADDRESS).refusal == WRONG
    assert ask().status == 202


def test_e_who_is_logged_in_can_give_an_address_whatever_others_guess(
    eve: Client, settings: Settings
) -> None:
    settings.EMAIL_URL = "smtp://mail.example"  # pytest-django catches what is sent
    use_up()
    given = eve.post("/me/email", {"email": ADDRESS, "password": PASSWORD})
    assert given.status == 202
    deliver()
    assert eve.post("/me/email/confirm", {"key": mailed_key()}).status == 204


def test_e_a_thief_with_a_token_keeps_nobody_from_another_password(eve: Client) -> None:
    thief = Client(log_in(HOME).body["token"])
    for _ in range(LIMIT):
        assert thief.post("/me/password", {"old": "x", "new": "y"}).refusal == WRONG
    assert thief.post("/me/password", {"old": "x", "new": "y"}).refusal == TOO_OFTEN
    assert eve.post("/me/password", {"old": PASSWORD, "new": "nine rows of it"}).status == 204
    assert thief.get("/me").status == 401


@pytest.mark.parametrize("shown_by", ["password", "reset"])
def test_e_a_new_password_gets_in_where_it_was_set(
    eve: Client, settings: Settings, shown_by: str
) -> None:
    """There alone: who knew the former one may have been at the other places."""
    settings.EMAIL_URL = "smtp://mail.example"  # pytest-django catches what is sent
    Player.objects.update(email=ADDRESS, email_confirmed_at=the_clock.now())
    ask()
    deliver()
    new = "nine rows of it"
    caller = eve if shown_by == "password" else Client()
    caller.django.defaults["REMOTE_ADDR"] = NEXT_DOOR
    reply = (
        caller.post("/me/password", {"old": PASSWORD, "new": new})
        if shown_by == "password"
        else caller.post("/auth/reset/confirm", {"key": mailed_key(), "password": new})
    )
    assert reply.status == 204
    use_up()
    assert log_in(HOME, new).refusal == TOO_OFTEN
    assert log_in(NEXT_DOOR, new).status == 200
