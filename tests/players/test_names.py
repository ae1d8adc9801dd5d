"""Names: which ones are kept as they are, which refused, and which are one."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from pytest_django import Settings

from players import accounts, lookalikes, names
from players.models import Player
from pyramid_site import clock as the_clock
from tests import builders
from tests.conftest import SimulatedClock

pytestmark = [pytest.mark.core, pytest.mark.django_db]


def sign_up(client: Client, **body: object) -> Any:
    return client.post("/api/v1/players", body, content_type="application/json")


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("Ada", "Ada"),
        ("x" * 24, "x" * 24),
        ("  Ada  ", "Ada"),
        ("\u3000Ada\u00a0", "Ada"),
        ("Ada Lovelace", "Ada Lovelace"),
        ("Ada\u00a0Lovelace", "Ada Lovelace"),
        ("\uff21\uff44\uff41", "Ada"),  # full width
        ("A\u0308da", "\u00c4da"),  # composed
        ("\ufb01sh", "fish"),  # a ligature
        ("\u2460\u2461\u2462", "123"),  # circled
        ("\u00bdx", "1\u20442x"),
        ("\u0391\u03b2\u03b3", "\u0391\u03b2\u03b3"),
        ("\u738b\u5c0f\u660e", "\u738b\u5c0f\u660e"),
        ("\u0645\u0631\u062d\u0628\u0627", "\u0645\u0631\u062d\u0628\u0627"),
        ("O'Brien-7", "O'Brien-7"),
        ("<b>7</b>", "<b>7</b>"),
        ("\U0001f600 1", "\U0001f600 1"),
        ("...7", "...7"),
        ("null", "null"),
    ],
)
def test_e_names_that_are_kept(sent: str, kept: str, client: Client) -> None:
    response = sign_up(client, name=sent)
    assert response.status_code == 201
    assert response.json()["player"]["name"] == kept
    assert Player.objects.get().name == kept


SIZE = "A name has 3 to 24 characters."


@pytest.mark.parametrize(
    ("sent", "detail"),
    [
        ("", "This field may not be blank."),
        ("   ", SIZE),
        ("me", SIZE),
        ("  me  ", SIZE),
        ("x" * 25, SIZE),
        ("\ufdfa\ufdfa", SIZE),  # 36 characters in NFKC
        ("A  da", "A name has no two spaces in a row."),
        ("A \u3000da", "A name has no two spaces in a row."),
        ("A\tda", "A name has no control characters."),
        ("A\nda", "A name has no control characters."),
        ("A\x7fda", "A name has no control characters."),
        ("A\u200bda", "A name has no invisible or direction-changing characters."),
        ("A\u202eda", "A name has no invisible or direction-changing characters."),
        ("A\u2066da", "A name has no invisible or direction-changing characters."),
        ("A\u00adda", "A name has no invisible or direction-changing characters."),
        ("A\ufeffda", "A name has no invisible or direction-changing characters."),
        ("A\u2028da", "A name has no line breaks."),
        ("A\u2029da", "A name has no line breaks."),
        ("A\ue000da", "A name has no private characters."),
        ("A\u0378da", "A name has no unassigned characters."),
        ("A\ufffeda", "A name has no unassigned characters."),
        ("---", "A name has a letter or a digit in it."),
        ("\U0001f600\U0001f600\U0001f600", "A name has a letter or a digit in it."),
        ("Ada\u034f", "A name has no invisible or direction-changing characters."),
        ("A\ufe0fda", "A name has no invisible or direction-changing characters."),
        ("\u3164Ada", "A name has no invisible or direction-changing characters."),
        ("\u2800Ada", "A name has no invisible or direction-changing characters."),
        ("A\U000e0100da", "A name has no invisible or direction-changing characters."),
    ],
)
def test_e_names_that_are_refused(sent: str, detail: str, client: Client) -> None:
    with builders.nothing_changes():
        response = sign_up(client, name=sent)
    assert response.status_code == 400
    problem = response.json()
    assert problem["code"] == "invalid_request"
    [error] = problem["errors"]
    assert (error["field"], error["detail"]) == ("name", detail)


@pytest.mark.parametrize("sent", ["A\0da", "A\ud800da", 7, 7.0, True, None, ["Ada"], {"a": "b"}])
def test_d_what_is_no_text_is_no_name(sent: object, client: Client) -> None:
    with builders.nothing_changes():
        response = sign_up(client, name=sent)
    assert response.status_code == 400
    assert response.json()["code"] == "invalid_request"
    assert response.json()["errors"][0]["field"] == "name"


@pytest.mark.parametrize(
    "another",
    [
        "Stra\u00dfe 1",
        "stra\u00dfe 1",
        "STRASSE 1",
        "\uff33trasse 1",
        " Strasse\u00a01 ",
        "\u017ftra\u00dfe 1",
    ],
)
def test_e_no_two_players_share_a_name(another: str, client: Client) -> None:
    sign_up(client, name="Stra\u00dfe 1")
    with builders.nothing_changes():
        response = sign_up(client, name=another)
    assert response.status_code == 409
    assert response.json()["code"] == "name_taken"


def test_e_the_database_holds_names_apart(clock: SimulatedClock) -> None:
    accounts.sign_up(name="Ada")
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create(name="ADA", name_key=names.key("ADA"), joined_at=the_clock.now())


def test_the_longest_key_has_its_place(clock: SimulatedClock) -> None:
    name = "\u0390" * 24  # each folds to three characters
    assert accounts.sign_up(name=name).player.name == name
    assert len(names.key(name)) <= 72


@pytest.mark.parametrize(
    ("name", "another"),
    [
        ("Ada", "\u0410d\u0430"),  # Cyrillic
        ("Ada", "A\u217ea"),  # a Roman numeral: NFKC
        ("Ada", "Ad\u03b1"),  # Greek
        ("Ada", "\u13aad\u0251"),  # Cherokee, and a letter of phonetics
        ("BOB", "B0B"),
        ("Bob 1", "bob I"),
        ("Bob 1", "Bob |"),
        ("Bob 1", "B\u043eb l"),
        ("modern", "rnodern"),
        ("Modern", "RNODERN"),
        ("O'Brien", "O\u2019Brien"),
        ("Ada-Ben", "Ada\u2010Ben"),
        ("\u0391\u0392\u0393", "AB\u0393"),
        ("\u00c4da", "A\u0308d\u0430"),
        ("\u0645\u0647\u0645", "\u0645\u06c1\u0645"),  # two letters heh
    ],
)
def test_e_no_two_players_look_alike(name: str, another: str, client: Client) -> None:
    for first, second in ((name, another), (another, name)):
        with transaction.atomic():
            assert sign_up(client, name=first).status_code == 201
            with builders.nothing_changes():
                response = sign_up(client, name=second)
            assert response.status_code == 409
            assert response.json()["code"] == "name_taken"
            transaction.set_rollback(True)


@pytest.mark.parametrize(
    ("name", "another"),
    [("Ada", "Adas"), ("Ada", "\u00c4da"), ("Ian", "Jan"), ("Bob 1", "Bob 2"), ("Ada", "A da")],
)
def test_names_that_can_be_told_apart_live_side_by_side(
    name: str, another: str, client: Client
) -> None:
    assert sign_up(client, name=name).status_code == 201
    assert sign_up(client, name=another).status_code == 201


def test_e_the_database_holds_lookalikes_apart(clock: SimulatedClock) -> None:
    accounts.sign_up(name="Ada")
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create(
            name="x",
            name_key="x",
            skeleton=lookalikes.skeleton("\u0410da"),
            joined_at=the_clock.now(),
        )


@pytest.mark.parametrize(
    "sent",
    ["Admin", "ADMIN", "The Admin", "admin-7", "admin7", "\u0430dmin", "Adrnin", "Staff_1",
     "Pyramid Daily", "My Pyramid-Daily", "0fficial", "gone-7", "GONE-ada", "g\u043ene-7"],
)  # fmt: skip
def test_e_nobody_is_called_like_those_who_speak_for_the_server(sent: str, client: Client) -> None:
    with builders.nothing_changes():
        response = sign_up(client, name=sent)
    assert response.status_code == 400
    assert response.json()["detail"] == "Nobody may be called that here."


@pytest.mark.parametrize("sent", ["Badminton", "Administer", "Distaff", "Daily Pyramid", "Gone 7"])
def test_a_word_within_a_word_is_let_be(sent: str, client: Client) -> None:
    assert sign_up(client, name=sent).status_code == 201


def test_e_the_operator_adds_to_the_block_list(client: Client, settings: Settings) -> None:
    settings.BLOCKED_NAMES = ["Voldemort", "he who"]
    for sent in ("voldemort", "Lord V\u043eldemort", "He Who Must"):
        assert sign_up(client, name=sent).status_code == 400
    assert sign_up(client, name="Who He").status_code == 201


def test_every_friendly_name_looks_like_itself_alone() -> None:
    for words in (names.ADJECTIVES, names.ANIMALS, range(1000, 10_000)):
        assert len({lookalikes.skeleton(str(word)) for word in words}) == len(words)


def test_e_folding_that_undoes_a_normal_form_makes_no_second_name(client: Client) -> None:
    """In capitals the second letter is two characters; folded, both are the same three."""
    first, again = "\u0390aa", "\u03aa\u0301AA"
    assert names.key(first) == names.key(again) == "\u0390aa"
    assert sign_up(client, name=first).status_code == 201
    assert sign_up(client, name=again).json()["code"] == "name_taken"
    assert Player.objects.count() == 1
