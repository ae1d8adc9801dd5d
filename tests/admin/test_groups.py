"""The groups that every installation starts with: what each may do, and nothing else."""

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from games.models import Attempt, Challenge, DailyDeal
from players.models import Player, Token
from pyramid_site.models import AuditEntry
from tests.admin.pages import address, secrets

pytestmark = [pytest.mark.core, pytest.mark.django_db]

GROUPS = ["deal editor", "moderator", "support", "read-only"]
ACTS = {
    "write": Challenge, "pause": Challenge, "remake": DailyDeal, "void": DailyDeal,
    "disqualify": Attempt, "rename": Player, "lock": Player,
}  # fmt: skip
MAY = {
    "deal editor": {"write", "pause", "remake", "void"},
    "moderator": {"disqualify", "rename", "lock"},
    "support": {"rename"},
    "read-only": set(),
}


def member(group: str) -> Client:
    user = User.objects.create_user(group.replace(" ", "-"), is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    client = Client()
    client.force_login(user)
    return client


def test_the_groups_are_there() -> None:
    assert sorted(Group.objects.values_list("name", flat=True)) == sorted(GROUPS)


@pytest.mark.parametrize("group", GROUPS)
def test_e_a_group_may_do_its_work_and_nothing_else(group: str, deal: DailyDeal) -> None:
    client = member(group)
    allowed = {
        act
        for act, model in ACTS.items()
        if client.get(address(model._default_manager.all()[0], act)).status_code == 200
    }
    assert allowed == MAY[group]


@pytest.mark.parametrize("group", GROUPS)
def test_e_no_group_sees_secrets_makes_staff_or_changes_rows(group: str, deal: DailyDeal) -> None:
    granted = {
        f"{it.content_type.app_label}.{it.codename}"
        for it in Group.objects.get(name=group).permissions.select_related("content_type")
    }
    assert "games.view_secrets" not in granted
    assert not [it for it in granted if it.startswith(("auth.", "admin.", "axes.", "sessions."))]
    changing = {
        it for it in granted if it.partition(".")[2].startswith(("add", "change", "delete"))
    }
    targets = {f"games.{it}_weekdaytarget" for it in ("add", "change", "delete")}
    editor = {"games.change_challenge", *targets}
    assert changing == (editor if group == "deal editor" else set())


@pytest.mark.parametrize("group", GROUPS)
def test_a5_no_group_sees_a_deal_before_its_seal(group: str, deal: DailyDeal) -> None:
    client = member(group)
    seen = client.get(address(deal, "change")).content.decode()
    assert "secret until the seal" in seen
    assert [secret for secret in secrets(deal) if secret in seen] == []


@pytest.mark.parametrize(
    ("group", "models"),
    [
        ("deal editor", {Challenge, DailyDeal}),
        ("moderator", {Challenge, DailyDeal, Attempt, Player, AuditEntry}),
        ("support", {Challenge, DailyDeal, Attempt, Player, Token}),
        ("read-only", {Challenge, DailyDeal, Attempt, Player, AuditEntry}),
    ],
)
def test_e_a_group_sees_what_its_work_needs(group: str, models: set[type], deal: DailyDeal) -> None:
    client = member(group)
    all_of_them = (Challenge, DailyDeal, Attempt, Player, Token, AuditEntry, User, Group)
    seen = {it for it in all_of_them if client.get(address(it, "changelist")).status_code == 200}
    assert seen == models
