"""Every page of the admin, with what must not stand on it before the seal."""

from collections.abc import Iterator

from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.db.models import Model
from django.test import Client, RequestFactory
from django.urls import reverse

from games import attempts
from games.models import Attempt, DailyDeal
from players import accounts
from pyramid_site.acts import Acting
from tests import builders

OURS = {"games", "leaderboards", "players", "pyramid_site"}
SEED = bytes(range(200, 232))
K = 1_987_654_321  # long enough to stand nowhere by chance
AFTER_THE_SEAL = "2026-12-01T02:00:00.000Z"


def play(deal: DailyDeal, name: str, moves: list[str]) -> Attempt:
    player = accounts.sign_up(name=name).player
    attempt, _ = attempts.start(deal=deal, player_id=player.pk)
    for ply, move in enumerate(moves):
        attempts.play(attempt_id=attempt.pk, player_id=player.pk, move=move, ply=ply)
    attempt.refresh_from_db()
    return attempt


def staff(*permissions: str, name: str = "staff") -> Client:
    """Somebody with these permissions and no others."""
    user = User.objects.create_user(name, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


def address(row: type[Model] | Model, page: str) -> str:
    name = f"admin:{row._meta.app_label}_{row._meta.model_name}_{page}"
    return reverse(name, args=[row.pk] if isinstance(row, Model) else [])


def pages(user: User) -> Iterator[str]:
    """Each page that the registry makes, with each row of each model, and those of our own."""
    request = RequestFactory().get("/admin/")
    request.user = user
    yield reverse("admin:index")
    yield address(DailyDeal, "calendar")
    for model, model_admin in admin.site._registry.items():
        yield reverse("admin:app_list", args=[model._meta.app_label])
        yield address(model, "changelist")
        if model_admin.has_add_permission(request):
            yield address(model, "add")
        rows = list(model._default_manager.all())
        assert rows, f"no {model.__name__} to look at"
        for row in rows:
            yield address(row, "change")
            yield address(row, "history")
            if model_admin.has_delete_permission(request, row):
                yield address(row, "delete")
            if isinstance(model_admin, Acting):
                yield from (address(row, act.name) for act in model_admin.acts)
    for deal in DailyDeal.objects.all():
        yield address(deal, "line")
        yield address(deal, "review")
    for attempt in Attempt.objects.all():
        yield address(attempt, "replay")


SEALED_ONLY = ("/line/", "/review/", "/replay/")


def everything(client: Client, user: User) -> str:
    """The text of all pages together; each must open, but for those that wait for the seal."""
    texts = []
    for page in pages(user):
        response = client.get(page)
        waits = page.endswith(SEALED_ONLY) and response.status_code == 403
        assert response.status_code == 200 or waits, page
        texts.append(response.content.decode())
    return "".join(texts)


def secrets(deal: DailyDeal) -> list[str]:
    """What must not be read before the seal.

    Moves count as cells of a table, since two letters stand anywhere; those of the sealed deal
    do not count.
    """
    pyramid, stock = deal.cards.split(" ")
    moves = set(deal.winning_line.split(" ")) - set(builders.SHORT_LINE)
    cells = [f"<td>{move}</td>" for move in sorted(moves)]
    return [pyramid, stock, SEED.hex(), str(SEED), str(K), deal.winning_line, *cells]
