"""Rights of staff (E): nobody grants what he does not hold, nor changes his own or those above."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client

from tests.admin.pages import address
from tests.builders import nothing_changes

pytestmark = [pytest.mark.core, pytest.mark.django_db]

MANAGES = ("add_user", "change_user", "delete_user", "view_user", "add_group", "change_group",
           "delete_group", "view_group", "view_dailydeal")  # fmt: skip


def permissions(*names: str) -> list[Permission]:
    return list(Permission.objects.filter(codename__in=names))


def member(name: str, *names: str) -> User:
    user = User.objects.create_user(name, is_staff=True)
    user.user_permissions.set(permissions(*names))
    return user


@pytest.fixture
def boss() -> User:
    """Manages staff, and may do little else."""
    return member("boss", *MANAGES)


@pytest.fixture
def by_boss(boss: User) -> Client:
    client = Client()
    client.force_login(boss)
    return client


def form(user: User, **more: Any) -> dict[str, Any]:
    """What the page of a member of staff sends."""
    return {
        "username": user.username, "is_active": "on", "is_staff": "on",
        "date_joined_0": "2026-11-30", "date_joined_1": "12:00:00", **more,
    }  # fmt: skip


def rights(user: User) -> tuple[Any, ...]:
    found = User.objects.get(pk=user.pk)
    return (
        found.username, found.is_superuser, found.is_staff, found.is_active, found.password,
        sorted(found.user_permissions.values_list("codename", flat=True)),
        sorted(found.groups.values_list("name", flat=True)),
    )  # fmt: skip


def ids(*names: str) -> list[int]:
    return [it.pk for it in permissions(*names)]


def test_e_nobody_changes_his_own_rights(by_boss: Client, boss: User, root: Client) -> None:
    superuser = User.objects.get(username="root")
    for client, user in [(by_boss, boss), (root, superuser)]:
        before = rights(user)
        said = form(user, is_superuser="on", user_permissions=ids("view_secrets", *MANAGES))
        assert client.post(address(user, "change"), said).status_code == 403
        assert client.post(address(user, "delete"), {"post": "yes"}).status_code == 403
        assert rights(user) == before


def test_e_nobody_makes_a_superuser_who_is_none(by_boss: Client) -> None:
    ann = member("ann")
    said = form(ann, is_superuser="on", first_name="Ann")
    assert by_boss.post(address(ann, "change"), said).status_code == 302
    assert User.objects.get(pk=ann.pk).first_name == "Ann"
    assert not User.objects.get(pk=ann.pk).is_superuser


@pytest.mark.parametrize("field", ["user_permissions", "groups"])
def test_e_nobody_grants_what_he_does_not_hold(by_boss: Client, field: str) -> None:
    ann = member("ann")
    group = Group.objects.create(name="seers")
    group.permissions.set(permissions("view_secrets"))
    granted = ids("view_secrets") if field == "user_permissions" else [group.pk]
    before = rights(ann)
    reply = by_boss.post(address(ann, "change"), form(ann, **{field: granted}))
    assert reply.status_code == 200
    assert field in reply.context["adminform"].form.errors
    assert rights(ann) == before


def test_what_one_holds_can_be_granted_and_taken_again(by_boss: Client) -> None:
    ann = member("ann")
    group = Group.objects.create(name="viewers")
    group.permissions.set(permissions("view_dailydeal"))
    granted = {"user_permissions": ids("view_dailydeal"), "groups": [group.pk]}
    assert by_boss.post(address(ann, "change"), form(ann, **granted)).status_code == 302
    assert rights(ann)[5:] == (["view_dailydeal"], ["viewers"])
    assert by_boss.post(address(ann, "change"), form(ann)).status_code == 302
    assert rights(ann)[5:] == ([], [])


@pytest.mark.parametrize("more", ["superuser", "permission", "group"])
def test_e_nobody_changes_who_holds_more(by_boss: Client, more: str) -> None:
    """Nor its password, which would lend its rights; nor removes it, alone or among others."""
    ann = member("ann")
    if more == "superuser":
        User.objects.filter(pk=ann.pk).update(is_superuser=True)
    elif more == "permission":
        ann.user_permissions.add(*permissions("view_secrets"))
    else:
        ann.groups.add(Group.objects.get(name="moderator"))
    before = rights(ann)
    assert by_boss.get(address(ann, "change")).status_code == 200  # to be looked at
    passwords = {"password1": "nine rows of cards", "password2": "nine rows of cards"}
    chosen = {"action": "delete_selected", "_selected_action": [ann.pk], "post": "yes"}
    refused = [
        by_boss.post(address(ann, "change"), form(ann, email="boss@example.org")),
        by_boss.post(f"/admin/auth/user/{ann.pk}/password/", passwords),
        by_boss.post(address(ann, "delete"), {"post": "yes"}),
        by_boss.post(address(User, "changelist"), chosen),
    ]
    assert [it.status_code for it in refused] == [403] * 4
    assert rights(ann) == before
    assert User.objects.get(pk=ann.pk).email == ""


def test_who_holds_no_more_can_be_given_another_password(by_boss: Client) -> None:
    ann = member("ann", "view_dailydeal")
    said = {"password1": "nine rows of cards", "password2": "nine rows of cards",
            "usable_password": "true"}  # fmt: skip
    assert by_boss.post(f"/admin/auth/user/{ann.pk}/password/", said).status_code == 302
    assert User.objects.get(pk=ann.pk).check_password("nine rows of cards")


def test_e_nobody_changes_a_group_of_his_own_or_one_that_holds_more(
    by_boss: Client, boss: User
) -> None:
    own = Group.objects.create(name="managers")
    own.permissions.set(permissions("view_dailydeal"))
    boss.groups.add(own)
    with nothing_changes():
        for group in (own, Group.objects.get(name="moderator")):
            said = {"name": group.name, "permissions": ids("view_dailydeal")}
            chosen = {"action": "delete_selected", "_selected_action": [group.pk], "post": "yes"}
            refused = [
                by_boss.post(address(group, "change"), said),
                by_boss.post(address(group, "delete"), {"post": "yes"}),
                by_boss.post(address(Group, "changelist"), chosen),
            ]
            assert [it.status_code for it in refused] == [403] * 3
            assert Group.objects.filter(pk=group.pk, name=group.name).exists()


def test_e_no_group_is_made_of_what_its_maker_does_not_hold(by_boss: Client) -> None:
    for page in (address(Group, "add"), address(Group, "add") + "?_popup=1"):
        said = {"name": "seers", "permissions": ids("view_secrets")}
        reply = by_boss.post(page, said)
        assert "permissions" in reply.context["adminform"].form.errors
        assert not Group.objects.filter(name="seers").exists()
    said = {"name": "viewers", "permissions": ids("view_dailydeal")}
    assert by_boss.post(address(Group, "add"), said).status_code == 302
    viewers = Group.objects.get(name="viewers")
    said["permissions"] = ids("view_dailydeal", "view_secrets")
    by_boss.post(address(viewers, "change"), said)
    assert [it.codename for it in viewers.permissions.all()] == ["view_dailydeal"]


def test_e_a_link_fills_in_no_form(root: Client) -> None:
    ids_ = ",".join(map(str, ids("view_secrets")))
    for page, words in [
        (f"{address(Group, 'add')}?name=helpers&permissions={ids_}", "helpers"),
        (f"{address(User, 'add')}?username=mallory", "mallory"),
    ]:
        reply = root.get(page)
        assert words not in str(reply.context["adminform"].form.initial)
        assert f'value="{words}"' not in reply.content.decode()


@pytest.mark.parametrize("query", ["password__startswith=a", "email__startswith=a",
                                   "groups__permissions__codename=x"])  # fmt: skip
def test_a7_staff_are_not_filtered_by_what_their_list_does_not_name(
    by_boss: Client, query: str
) -> None:
    assert by_boss.get(f"{address(User, 'changelist')}?{query}").status_code == 400
    assert by_boss.get(f"{address(User, 'changelist')}?is_staff__exact=1").status_code == 200
