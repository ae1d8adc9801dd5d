"""The audit log: who did what, when, to what and why; nobody changes it."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission, User
from django.test import Client

from games.models import Attempt, Challenge, DailyDeal
from players import accounts
from players.models import Player
from pyramid_site.models import AuditEntry
from tests import builders
from tests.admin.pages import AFTER_THE_SEAL, address, staff
from tests.admin.test_challenges import FORM
from tests.conftest import SimulatedClock

pytestmark = [pytest.mark.core, pytest.mark.django_db]


def last() -> tuple[str, str, str, str, str]:
    entry = AuditEntry.objects.latest("pk")
    return entry.by_name, entry.act, f"{entry.model} {entry.key}", entry.subject, entry.why


def test_a_changed_challenge_is_written_down(root: Client, clock: SimulatedClock) -> None:
    page = address(Challenge.objects.get(pk="one-pass"), "change")
    assert root.post(page, {**FORM, "title": "One Way", "passes": 2}).status_code == 302
    assert last() == (
        "root", "change", "games.challenge one-pass", "One Way", "Changed Title and Passes.",
    )  # fmt: skip
    assert AuditEntry.objects.get().at == clock.instant


def test_what_is_added_and_deleted_is_written_down(root: Client) -> None:
    root.post(address(Challenge, "add"), {**FORM, "id": "new", "title": "New", "list_order": 6})
    assert last() == ("root", "add", "games.challenge new", "New", "Added.")
    root.post(address(Challenge.objects.get(pk="new"), "delete"), {"post": "yes"})
    assert last() == ("root", "delete", "games.challenge new", "New", "Deleted.")


def test_e_what_staff_are_granted_is_written_down(root: Client) -> None:
    group = Group.objects.get(name="support")
    user = User.objects.create_user("ann", is_staff=True)
    form = {
        "username": "ann", "is_active": "on", "is_staff": "on", "groups": [group.pk],
        "date_joined_0": "2026-11-30", "date_joined_1": "12:00:00",
    }  # fmt: skip
    assert root.post(address(user, "change"), form).status_code == 302
    assert last()[:4] == ("root", "change", f"auth.user {user.pk}", "ann")
    assert "Groups" in last()[4]
    assert root.post(address(group, "change"), {"name": "helpers"}).status_code == 302
    assert last()[:4] == ("root", "change", f"auth.group {group.pk}", "helpers")
    chosen = {"action": "delete_selected", "_selected_action": [user.pk], "post": "yes"}
    assert root.post(address(User, "changelist"), chosen).status_code == 302
    assert last()[1:4] == ("delete", f"auth.user {user.pk}", "ann")


def test_the_log_outlives_who_is_in_it(root: Client, superuser: User) -> None:
    root.post(address(Challenge, "add"), {**FORM, "id": "new", "title": "New", "list_order": 6})
    superuser.delete()
    entry = AuditEntry.objects.get()
    page = staff("view_auditentry").get(address(entry, "change")).content.decode()
    assert "root" in page


def test_the_log_is_searched_by_who_and_linked_by_what(root: Client) -> None:
    for place, name in enumerate(("alpha", "beta"), start=6):
        root.post(
            address(Challenge, "add"), {**FORM, "id": name, "title": name, "list_order": place}
        )
    lists = address(AuditEntry, "changelist")
    for query, rows in [
        ("q=root", 2),
        ("q=roo", 0),
        ("model__exact=games.challenge&key__exact=beta", 1),
    ]:
        assert len(root.get(f"{lists}?{query}").context["cl"].result_list) == rows, query
    assert root.get(f"{lists}?why__contains=A").status_code == 400


def test_the_page_of_a_row_leads_to_what_was_done_to_it(root: Client) -> None:
    challenge = Challenge.objects.get(pk="one-pass")
    root.post(address(challenge, "pause"), {"first_day": "2999-01-01", "reason": "A holiday."})
    link = (
        f"{address(AuditEntry, 'changelist')}?model__exact=games.challenge&amp;key__exact=one-pass"
    )
    assert f'href="{link}"' in root.get(address(challenge, "change")).content.decode()
    [entry] = root.get(link.replace("&amp;", "&")).context["cl"].result_list
    assert (entry.act, entry.why) == ("pause", "A holiday.")
    seen = staff("view_challenge").get(address(challenge, "change")).content.decode()
    assert link not in seen


def test_e_the_name_of_a_player_who_has_gone_is_not_in_the_log(
    deal: DailyDeal, root: Client, superuser: User
) -> None:
    ada = Player.objects.get(name="Ada")
    attempt = Attempt.objects.get(player=ada)
    for row, act, said in [
        (ada, "lock", {}), (ada, "unlock", {}), (ada, "rename", {"name": "Quiet Heron"}),
        (attempt, "disqualify", {}),
    ]:  # fmt: skip
        assert root.post(address(row, act), {**said, "reason": "why"}).status_code == 302
    entry = AuditEntry.objects.filter(model="players.player").latest("pk")
    assert "Quiet Heron" in root.get(address(entry, "change")).content.decode()
    assert address(ada, "change") in root.get(address(AuditEntry, "changelist")).content.decode()
    accounts.delete(player_id=ada.pk)
    stored = str(list(AuditEntry.objects.values())) + str(list(LogEntry.objects.values()))
    pages = root.get(address(AuditEntry, "changelist")).content.decode()
    pages += "".join(
        root.get(address(it, "change")).content.decode() for it in AuditEntry.objects.all()
    )
    for name in ("Ada", "Quiet Heron"):
        assert name not in stored
        assert name not in pages
    assert str(ada.pk) in pages


def test_e_whoever_looks_at_secrets_is_written_down(
    deal: DailyDeal, root: Client, superuser: User, clock: SimulatedClock
) -> None:
    attempt = Attempt.objects.get(player__name="Ben")
    move = attempt.log.get(number=1)
    pages = [address(deal, "change"), address(deal, "line"), address(attempt, "change"),
             address(attempt, "replay"), address(move, "change")]  # fmt: skip
    for page in pages:
        root.get(page)
    assert not AuditEntry.objects.filter(act="look").exists()  # masked, or refused
    superuser.user_permissions.add(Permission.objects.get(codename="view_secrets"))
    for page in pages:
        before = AuditEntry.objects.count()
        assert root.get(page).status_code == 200
        assert AuditEntry.objects.count() == before + 1
        assert last() == (
            "root", "look", f"games.dailydeal {deal.pk}", str(deal), f"Its secrets, at {page}",
        )  # fmt: skip
    clock.set(AFTER_THE_SEAL)
    builders.seal(deal)
    looks = AuditEntry.objects.filter(act="look").count()
    for page in pages:
        assert root.get(page).status_code == 200
    assert AuditEntry.objects.filter(act="look").count() == looks
