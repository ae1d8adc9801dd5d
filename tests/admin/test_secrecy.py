"""What the admin masks before the seal, and cannot be asked by its filters (A5, A7)."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group, Permission, User
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import orders
from games.models import Attempt, Challenge, DailyDeal, DealOrder, LoggedMove
from leaderboards.models import Result, Standing
from players import accounts
from players.models import FormerName, Mail, Player, Token
from tests import builders
from tests.admin.pages import AFTER_THE_SEAL, OURS, SEED, address, everything, secrets, staff
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.django_db


def test_every_model_of_ours_has_its_pages() -> None:
    ours = {model for app in OURS for model in apps.get_app_config(app).get_models()}
    without = {model.__name__ for model in ours - set(admin.site._registry)}
    assert without == {"Counter", "KnownPlace", "NameChanges", "WeekdayTarget"}


def test_a5_before_the_seal_no_page_holds_a_secret_even_for_a_superuser(
    deal: DailyDeal, root: Client, superuser: User
) -> None:
    seen = everything(root, superuser)
    assert [secret for secret in secrets(deal) if secret in seen] == []
    assert "secret until the seal" in seen


def test_a5_after_the_seal_the_pages_hold_every_secret(
    deal: DailyDeal, root: Client, superuser: User, clock: SimulatedClock
) -> None:
    clock.set(AFTER_THE_SEAL)
    builders.seal(deal)
    seen = everything(root, superuser)
    shown = [secret for secret in secrets(deal) if secret != str(SEED)]  # in hex it is readable
    assert [secret for secret in shown if secret not in seen] == []
    assert "secret until the seal" not in root.get(address(deal, "change")).content.decode()


def test_a5_the_permission_opens_secrets_where_it_was_granted_by_name(
    deal: DailyDeal, root: Client, superuser: User
) -> None:
    page = address(deal, "change")
    permission = Permission.objects.get(codename="view_secrets")
    assert superuser.has_perm("games.view_secrets")
    assert SEED.hex() not in root.get(page).content.decode()

    superuser.user_permissions.add(permission)
    assert SEED.hex() in root.get(page).content.decode()

    superuser.user_permissions.clear()
    superuser.groups.add(Group.objects.get(name="operators"))
    assert SEED.hex() not in root.get(page).content.decode()
    Group.objects.get(name="operators").permissions.add(permission)
    assert SEED.hex() in root.get(page).content.decode()


def test_a5_another_s_permission_opens_nothing(deal: DailyDeal, superuser: User) -> None:
    superuser.user_permissions.add(Permission.objects.get(codename="view_secrets"))
    seen = staff("view_dailydeal").get(address(deal, "change")).content.decode()
    assert [secret for secret in secrets(deal) if secret in seen] == []


@pytest.mark.parametrize(
    ("model", "query"),
    [
        (DailyDeal, "cards__startswith=K"),
        (DailyDeal, "seed__startswith=K"),
        (DailyDeal, "k=0"),
        (DailyDeal, "k__gt=0"),
        (DailyDeal, "winning_line__contains=D"),
        (DailyDeal, "challenge__deals__cards__startswith=K"),
        (DailyDeal, "attempts__line__startswith=D"),
        (DailyDeal, "_to_field=seed"),
        (Challenge, "deals__cards__startswith=K"),
        (Attempt, "deal__cards__startswith=K"),
        (Attempt, "deal__seed__startswith=K"),
        (Attempt, "line__startswith=D"),
        (Attempt, "log__move=D"),
        (LoggedMove, "move=D"),
        (LoggedMove, "attempt__line__startswith=D"),
        (LoggedMove, "attempt__deal__cards__startswith=K"),
        (Result, "deal__cards__startswith=K"),
        (Standing, "result__deal__cards__startswith=K"),
        (Player, "attempts__deal__cards__startswith=K"),
        (Player, "tokens__digest__startswith=K"),
        (Player, "password__startswith=a"),
        (Player, "email__startswith=a"),
        (FormerName, "player__email__startswith=a"),
        (Mail, "digest__startswith=K"),
        (Mail, "email__startswith=a"),
        (Token, "digest__startswith=K"),
    ],
)
def test_a7_no_list_is_filtered_by_what_it_does_not_name(
    model: type[Model], query: str, deal: DailyDeal, root: Client
) -> None:
    assert root.get(f"{address(model, 'changelist')}?{query}").status_code == 400


def test_a7_lists_are_filtered_by_what_they_name(deal: DailyDeal, root: Client) -> None:
    ben = Attempt.objects.get(player__name="Ben")
    for model, query, rows in [
        (DailyDeal, "challenge__id__exact=one-pass", 1),
        (DailyDeal, "challenge__id__exact=double", 2),
        (DailyDeal, "date__year=2026&date__month=11&date__day=30", 1),
        (Attempt, "status__exact=cleared", 2),
        (Attempt, f"deal__exact={deal.pk}", 2),
        (LoggedMove, f"attempt__exact={ben.pk}", 3),
    ]:
        response = root.get(f"{address(model, 'changelist')}?{query}")
        assert len(response.context["cl"].result_list) == rows, query


def test_a5_tokens_show_no_digest(deal: DailyDeal, root: Client) -> None:
    token = Token.objects.earliest("id")
    for page in (address(Token, "changelist"), address(token, "change")):
        seen = root.get(page).content.decode()
        assert "digest" not in seen
        assert bytes(token.digest).hex() not in seen


def test_a5_the_cards_of_a_deal_on_order_stand_on_no_page(
    deal: DailyDeal, root: Client, superuser: User
) -> None:
    certified = builders.CERTIFIED["three-pass"]
    orders.write(
        day=builders.DAY.replace(month=12, day=4), challenge_id="three-pass", cards=certified.deal
    )
    order = DealOrder.objects.get(source="hand")
    assert order.cards == certified.deal
    assert certified.deal not in everything(root, superuser)
    query = f"{address(DealOrder, 'changelist')}?cards__startswith={certified.deal[:2]}"
    assert root.get(query).status_code == 400


def test_e_the_pages_of_players_hold_neither_hash_nor_address(
    deal: DailyDeal, root: Client, superuser: User
) -> None:
    ada = Player.objects.get(name="Ada")
    accounts.claim(
        player_id=ada.pk, password="seven rows of cards", name=None, email="ada@example.org"
    )
    assert Player.objects.get(name="Ada").password.startswith("argon2$")
    seen = everything(root, superuser)
    assert "Ada" in seen
    assert "argon2$" not in seen
    assert "@example.org" not in seen


def test_a5_lists_do_not_even_read_the_secrets(deal: DailyDeal, root: Client) -> None:
    for model in (DailyDeal, Attempt, LoggedMove):
        with CaptureQueriesContext(connection) as queries:
            root.get(address(model, "changelist"))
        read = " ".join(query["sql"] for query in queries)
        assert model._meta.db_table in read
        for column in ("cards", "seed", "k", "winning_line"):
            assert f'"{column}"' not in read, (model, column)
