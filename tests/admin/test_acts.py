"""What staff do: each act on a page of its own, with a reason, allowed by name, written down."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from django.contrib import admin
from django.db.models import Model
from django.test import Client

from games.models import Attempt, Challenge, DailyDeal, DealOrder, Voiding
from leaderboards.models import Verdict
from players.models import Player
from pyramid_site.acts import Acting
from pyramid_site.models import AuditEntry
from tests import builders
from tests.admin.pages import address, play, staff

pytestmark = [pytest.mark.core, pytest.mark.django_db]

REASON = "They asked for it."


class Done(NamedTuple):
    """An act on a row, with what its form says and what is so when it is done."""

    act: str
    permission: str
    row: Callable[[], Model]
    said: dict[str, str]
    holds: Callable[[], bool]


def ada() -> Player:
    return Player.objects.get(name_key="ada")


def attempt() -> Attempt:
    return Attempt.objects.get(player__name="Ada")


def coming() -> DailyDeal:
    return DailyDeal.objects.get(date="2026-12-03")


def one_pass() -> Challenge:
    return Challenge.objects.get(pk="one-pass")


def judged(out: bool) -> bool:
    return Verdict.objects.get(result=attempt().pk, by_name="staff", why=REASON).disqualified == out


ACTS = [
    Done("write", "write_deal", lambda: Challenge.objects.get(pk="three-pass"),
         {"date": "2026-12-24", "cards": builders.CERTIFIED["three-pass"].deal},
         lambda: DealOrder.objects.filter(date="2026-12-24", source="hand").exists()),
    Done("pause", "pause_challenge", one_pass, {"first_day": "2026-12-01"},
         lambda: str(one_pass().paused_from) == "2026-12-01"),
    Done("remake", "remake_deal", coming, {},
         lambda: DealOrder.objects.filter(date="2026-12-03", settled_at=None).exists()),
    Done("void", "void_deal", lambda: DailyDeal.objects.get(date="2026-11-30"), {},
         lambda: Voiding.objects.get(deal__date="2026-11-30").reason == REASON),
    Done("disqualify", "disqualify_attempt", attempt, {}, lambda: judged(True)),
    Done("rename", "rename_player", ada, {"name": "Quiet Heron"},
         lambda: Player.objects.filter(name="Quiet Heron").exists()),
    Done("lock", "lock_player", ada, {}, lambda: ada().locked_at is not None),
]  # fmt: skip


@pytest.fixture(autouse=True)
def rows(deal: DailyDeal) -> None:
    DealOrder.objects.all().delete()


def test_every_act_is_tested_here() -> None:
    acts = {
        act.name
        for model_admin in admin.site._registry.values()
        if isinstance(model_admin, Acting)
        for act in model_admin.acts
    }
    assert acts == {it.act for it in ACTS} | {"resume", "reinstate", "unlock"}


@pytest.mark.parametrize("done", ACTS, ids=lambda it: it.act)
def test_an_act_is_done_and_written_down(done: Done) -> None:
    row = done.row()
    model = type(row)._meta.model_name
    client = staff(done.permission, f"view_{model}")
    before = AuditEntry.objects.count()
    page = address(row, done.act)
    assert f'href="{page}"' in client.get(address(row, "change")).content.decode()
    assert client.get(page).status_code == 200
    assert AuditEntry.objects.count() == before
    response = client.post(page, {**done.said, "reason": REASON})
    assert (response.status_code, response["Location"]) == (302, address(row, "change"))
    assert done.holds()
    entry = AuditEntry.objects.latest("pk")
    assert AuditEntry.objects.count() == before + 1
    assert (entry.by_name, entry.act, entry.why) == ("staff", done.act, REASON)
    assert (entry.model, entry.key) == (type(row)._meta.label_lower, str(row.pk))
    # Once is enough: the button is gone, or the page says why not.
    again = client.post(page, {**done.said, "reason": REASON})
    shown = client.get(address(row, "change")).content.decode()
    assert f'href="{page}"' not in shown or again.status_code in (200, 302)


@pytest.mark.parametrize("done", ACTS, ids=lambda it: it.act)
def test_e_without_its_permission_nobody_acts(done: Done) -> None:
    row = done.row()
    others = [it.permission for it in ACTS if it.permission != done.permission]
    client = staff(*others, f"view_{type(row)._meta.model_name}")
    with nothing_changes():
        assert client.get(address(row, done.act)).status_code == 403
        said = {**done.said, "reason": REASON}
        assert client.post(address(row, done.act), said).status_code == 403
        shown = client.get(address(row, "change")).content.decode()
        assert f'href="{address(row, done.act)}"' not in shown


@pytest.mark.parametrize("done", ACTS, ids=lambda it: it.act)
@pytest.mark.parametrize("reason", ["", "   ", "x" * 201])
def test_nothing_is_done_without_a_reason(done: Done, reason: str, root: Client) -> None:
    with nothing_changes():
        response = root.post(address(done.row(), done.act), {**done.said, "reason": reason})
        assert response.status_code == 200
        assert "reason" in response.context["form"].errors


@pytest.mark.parametrize(
    ("act", "row", "said", "words"),
    [
        ("write", one_pass, {"date": "2026-11-30"}, "That day has begun"),
        ("write", one_pass, {"date": "2026-12-24", "cards": "Kd/Tc4s 8s"}, "no Ac, no 2c"),
        ("write", one_pass, {"date": "tomorrow"}, None),
        ("pause", one_pass, {"first_day": "2026-11-30"}, "That day has begun"),
        ("remake", lambda: DailyDeal.objects.get(date="2026-11-30"), {}, "That day has begun"),
        ("void", coming, {}, "Its day has not begun"),
        ("rename", ada, {"name": "Ben"}, "is taken"),
        ("rename", ada, {"name": "x"}, "3 to 24"),
        ("disqualify", lambda: Attempt.objects.get(player__name="Ben"), {}, "no such result"),
        ("reinstate", attempt, {}, "on its boards already"),
    ],
)
def test_what_a_service_refuses_is_said_on_the_page_and_not_written_down(
    act: str, row: Callable[[], Model], said: dict[str, Any], words: str | None, root: Client
) -> None:
    certified = {"cards": builders.CERTIFIED["one-pass"].deal, "reason": REASON}
    with nothing_changes():
        response = root.post(address(row(), act), {**certified, **said})
        assert response.status_code == 200
        assert response.context["form"].errors
        assert words is None or words in response.content.decode()


def test_what_was_done_is_undone_by_its_opposite(root: Client) -> None:
    for row, act, opposite in [
        (ada(), "lock", "unlock"),
        (attempt(), "disqualify", "reinstate"),
        (one_pass(), "pause", "resume"),
    ]:
        said = {"reason": REASON, "first_day": "2026-12-01"}
        for name in (act, opposite):
            assert root.post(address(row, name), said).status_code == 302
        shown = root.get(address(row, "change")).content.decode()
        assert f'href="{address(row, act)}"' in shown
        assert f'href="{address(row, opposite)}"' not in shown
    assert ada().locked_at is None
    assert one_pass().paused_from is None


def test_what_does_not_fit_any_more_is_not_done_from_a_page_that_stayed_open(root: Client) -> None:
    said = {"reason": REASON, "first_day": "2026-12-01"}
    for row, act in [(ada(), "lock"), (attempt(), "disqualify"), (one_pass(), "pause")]:
        assert root.post(address(row, act), said).status_code == 302
        with nothing_changes():
            again = root.post(address(row, act), said)
        assert again.context["form"].errors, act


def test_an_act_on_what_is_not_there_is_not_found(root: Client) -> None:
    with nothing_changes():
        for page in (
            "/admin/games/dailydeal/999999/void/",
            "/admin/games/dailydeal/x/void/",
            "/admin/games/attempt/x/disqualify/",
        ):
            assert root.post(page, {"reason": REASON}).status_code == 404, page


def test_a_disqualified_result_is_off_the_board_and_back_when_reinstated(root: Client) -> None:
    def names() -> list[str]:
        from tests.api.client import Client as Api

        return [it["player"]["name"] for it in Api().board().body["items"]]

    deal = DailyDeal.objects.get(date="2026-11-30")
    play(deal, "Dan", builders.CERTIFIED["one-pass"].moves)
    assert set(names()) == {"Ada", "Dan"}
    root.post(address(attempt(), "disqualify"), {"reason": REASON})
    assert names() == ["Dan"]
    shown = root.get(address(attempt(), "change")).content.decode()
    assert f"disqualified by root at 2026-11-30 12:00: {REASON}" in shown
    root.post(address(attempt(), "reinstate"), {"reason": REASON})
    assert set(names()) == {"Ada", "Dan"}


def test_e_a_link_fills_in_no_more_than_an_act_lets_it(root: Client) -> None:
    """A reason least of all; and what it has filled in is said."""
    query = "?reason=Because.&name=Mallory&date=2026-12-24&cards=Kd&first_day=2026-12-01"
    for row, act, filled in [
        (ada(), "rename", {}),
        (one_pass(), "pause", {}),
        (one_pass(), "write", {"date": "2026-12-24"}),
        (DailyDeal.objects.get(date="2026-11-30"), "void", {}),
    ]:
        reply = root.get(address(row, act) + query)
        assert reply.context["form"].initial == filled
        shown = reply.content.decode()
        assert "Because." not in shown
        assert "Mallory" not in shown
        assert ("The link that led here has filled in" in shown) == bool(filled)
        assert ("date: 2026-12-24" in shown) == bool(filled)


def nothing_changes() -> Any:
    return builders.nothing_changes()
