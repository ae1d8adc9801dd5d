"""Every page of the admin: what it shows, what it masks, what it refuses."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission, User
from django.db import connection
from django.db.models import Model
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

import pyramid_site.admin
from games import attempts, deals, engine
from games.models import Attempt, Challenge, DailyDeal, DealMaking, LoggedMove, WeekdayTarget
from leaderboards import groups, standings
from leaderboards.models import Result, Standing
from players import accounts
from players.models import FormerName, Player, ResetKey, ResetRequest, Token
from pyramid_site import clock as the_clock
from pyramid_site import health
from pyramid_site.models import Heartbeat
from pyramid_site.refusals import Refusal
from tests import builders
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.django_db

OURS = {"games", "leaderboards", "players", "pyramid_site"}
SEED = bytes(range(200, 232))
K = 1_987_654_321  # long enough to stand nowhere by chance
AFTER_THE_SEAL = "2026-12-01T02:00:00.000Z"


@pytest.fixture
def deal(db: None, clock: SimulatedClock) -> DailyDeal:
    """A deal of today that one player has cleared by its winning line, and one is playing.

    Beside it one that is sealed, so that every model has a row.
    """
    clock.set("2026-11-28T12:00:00.000Z")
    past = builders.publish_short("double", day=clock.instant.date())
    play(past, "Eve", builders.SHORT_LINE)
    clock.set("2026-11-30T12:00:00.000Z")
    builders.seal(past)
    deals.count_sealed()
    result = Result.objects.get()
    standings.disqualify(attempt_id=result.pk, by=standings.Staff(1, "root"), why="a bot")
    standings.reinstate(attempt_id=result.pk, by=standings.Staff(1, "root"), why="no bot")
    groups.make(name="friends", owner_id=result.player_id)

    certified = builders.CERTIFIED["one-pass"]
    cards = engine.parse_deal(certified.deal, certified.rules)
    deal = builders.store(cards, certified.rules, seed=SEED, k=K, winning_line=certified.line)
    play(deal, "Ada", certified.moves)
    play(deal, "Ben", certified.moves[:3])
    DealMaking.objects.create(
        date=deal.date,
        challenge_id="one-pass",
        target="medium",
        started_at=the_clock.now(),
        updated_at=the_clock.now(),
    )
    Heartbeat.objects.create(task="sweep", beat_at=the_clock.now() - timedelta(hours=1))
    health.beat("sweep")  # after an outage
    eve = Player.objects.get(name="Eve")
    accounts.rename(player_id=eve.pk, name="Evelyn")
    ResetKey.objects.create(player=eve, digest=bytes(32), made_at=the_clock.now())
    ResetRequest.objects.create(email="eve@example.org", asked_at=the_clock.now())
    Group.objects.create(name="operators")
    return deal


def play(deal: DailyDeal, name: str, moves: list[str]) -> Attempt:
    player = accounts.sign_up(name=name).player
    attempt, _ = attempts.start(deal=deal, player_id=player.pk)
    for ply, move in enumerate(moves):
        attempts.play(attempt_id=attempt.pk, player_id=player.pk, move=move, ply=ply)
    return attempt


@pytest.fixture
def superuser(db: None) -> User:
    return User.objects.create_superuser("root")


@pytest.fixture
def root(client: Client, superuser: User) -> Client:
    client.force_login(superuser)
    return client


def staff(*permissions: str) -> Client:
    user = User.objects.create_user("staff", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


def address(row: type[Model] | Model, page: str) -> str:
    name = f"admin:{row._meta.app_label}_{row._meta.model_name}_{page}"
    return reverse(name, args=[row.pk] if isinstance(row, Model) else [])


def pages(user: User) -> Iterator[str]:
    """Each page that the registry makes: with each row of each model, and those to add one."""
    request = RequestFactory().get("/admin/")
    request.user = user
    yield reverse("admin:index")
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


def everything(client: Client, user: User) -> str:
    """The text of all pages together; each must open."""
    texts = []
    for page in pages(user):
        response = client.get(page)
        assert response.status_code == 200, page
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


@pytest.mark.core
def test_every_model_is_registered() -> None:
    registered = {model._meta.label for model in admin.site._registry}
    assert registered >= {
        "games.Attempt",
        "games.Challenge",
        "games.DailyDeal",
        "games.DealMaking",
        "games.LoggedMove",
        "games.Seal",
        "leaderboards.Result",
        "leaderboards.Standing",
        "leaderboards.Verdict",
        "leaderboards.Tally",
        "leaderboards.CountedDay",
        "leaderboards.Period",
        "leaderboards.PeriodScore",
        "leaderboards.Group",
        "leaderboards.Membership",
        "players.FormerName",
        "players.Player",
        "players.ResetKey",
        "players.ResetRequest",
        "players.Token",
        "pyramid_site.Heartbeat",
        "pyramid_site.Outage",
    }


@pytest.mark.core
def test_a5_before_the_seal_no_page_holds_a_secret_even_for_a_superuser(
    deal: DailyDeal, root: Client, superuser: User
) -> None:
    seen = everything(root, superuser)
    assert [secret for secret in secrets(deal) if secret in seen] == []
    assert "secret until the seal" in seen


@pytest.mark.core
def test_a5_after_the_seal_the_pages_hold_every_secret(
    deal: DailyDeal, root: Client, superuser: User, clock: SimulatedClock
) -> None:
    clock.set(AFTER_THE_SEAL)
    builders.seal(deal)
    seen = everything(root, superuser)
    shown = [secret for secret in secrets(deal) if secret != str(SEED)]  # in hex it is readable
    assert [secret for secret in shown if secret not in seen] == []
    assert "secret until the seal" not in seen


@pytest.mark.core
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


@pytest.mark.core
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
        (ResetKey, "digest__startswith=K"),
        (ResetRequest, "email__startswith=a"),
        (Token, "digest__startswith=K"),
    ],
)
def test_a7_no_list_is_filtered_by_what_it_does_not_name(
    model: type[Model], query: str, deal: DailyDeal, root: Client
) -> None:
    assert root.get(f"{address(model, 'changelist')}?{query}").status_code == 400


@pytest.mark.core
def test_a7_lists_are_filtered_by_what_they_name(deal: DailyDeal, root: Client) -> None:
    ben = Attempt.objects.get(player__name="Ben")
    for model, query, rows in [
        (DailyDeal, "challenge__id__exact=one-pass", 1),
        (DailyDeal, "challenge__id__exact=double", 1),
        (DailyDeal, "date__year=2026&date__month=11&date__day=30", 1),
        (Attempt, "status__exact=cleared", 2),
        (Attempt, f"deal__exact={deal.pk}", 2),
        (Attempt, "q=be", 1),
        (Attempt, "q=BEN", 1),
        (Attempt, "q=en", 0),
        (LoggedMove, f"attempt__exact={ben.pk}", 3),
        (Player, "q=a", 1),
        (Result, "q=ben", 0),
    ]:
        response = root.get(f"{address(model, 'changelist')}?{query}")
        assert response.context["cl"].result_count == rows, query


def test_a5_tokens_show_no_digest(deal: DailyDeal, root: Client) -> None:
    token = Token.objects.earliest("id")
    for page in (address(Token, "changelist"), address(token, "change")):
        seen = root.get(page).content.decode()
        assert "digest" not in seen
        assert bytes(token.digest).hex() not in seen


@pytest.mark.core
def test_nothing_but_challenges_and_names_is_written(
    deal: DailyDeal, root: Client, clock: SimulatedClock
) -> None:
    clock.set(AFTER_THE_SEAL)
    builders.seal(deal)
    ours = [model for model in admin.site._registry if model._meta.app_label in OURS]
    beats = list(Heartbeat.objects.values())
    for model in ours:
        if model in (Challenge, Player):
            continue
        row = model._default_manager.all()[0]
        with builders.nothing_changes():
            for page in (address(model, "add"), address(row, "change"), address(row, "delete")):
                assert root.post(page, {"post": "yes"}).status_code == 403, page
            action = {"action": "delete_selected", "_selected_action": row.pk, "post": "yes"}
            root.post(address(model, "changelist"), action)
    assert list(Heartbeat.objects.values()) == beats


@pytest.mark.core
def test_e_staff_give_a_player_another_name(deal: DailyDeal, root: Client) -> None:
    ada = Player.objects.get(name="Ada")
    page = address(ada, "change")
    changes = {"name": "Quiet Heron 4821", "joined_at_0": "2020-01-01", "password": "x"}
    assert root.post(page, changes).status_code == 302
    ada.refresh_from_db()
    assert (ada.name, ada.name_key, ada.password) == ("Quiet Heron 4821", "quiet heron 4821", "")
    assert ada.joined_at == the_clock.now()
    entry = LogEntry.objects.get(object_id=str(ada.pk))
    assert (entry.user.get_username(), entry.get_change_message()) == ("root", "Changed Name.")
    for another in (ada, Player.objects.get(name="Ben")):  # the former name is nobody's now
        with pytest.raises(Refusal, match="name_taken"):
            accounts.rename(player_id=another.pk, name="Ada")
    assert root.post(page, {"name": "Quiet Heron 4821"}).status_code == 302


@pytest.mark.core
@pytest.mark.parametrize("name", ["", "me", "A\u202eda", "Admin", "Ben", "B\u0435n", "Eve"])
def test_e_what_is_no_name_for_a_player_staff_cannot_give_either(
    name: str, deal: DailyDeal, root: Client
) -> None:
    with builders.nothing_changes():
        response = root.post(address(Player.objects.get(name="Ada"), "change"), {"name": name})
        assert response.status_code == 200
        assert list(response.context["errors"])


@pytest.mark.core
def test_e_a_player_is_neither_made_nor_removed_and_a_gone_one_not_renamed(
    deal: DailyDeal, root: Client
) -> None:
    ada = Player.objects.get(name="Ada")
    with builders.nothing_changes():
        assert root.post(address(Player, "add"), {"name": "Cyd"}).status_code == 403
        assert root.post(address(ada, "delete"), {"post": "yes"}).status_code == 403
        assert staff("view_player").post(address(ada, "change"), {"name": "Cyd"}).status_code == 403
    accounts.delete(player_id=ada.pk)
    with builders.nothing_changes():
        assert root.post(address(ada, "change"), {"name": "Cyd"}).status_code == 403


@pytest.mark.core
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


FORM = {
    "id": "one-pass",
    "title": "One Pass",
    "place": 1,
    "rows": 7,
    "decks": 1,
    "passes": 1,
    "goal": "pyramid",
    "undo_penalty_ms": 10_000,
    "targets-TOTAL_FORMS": 0,
    "targets-INITIAL_FORMS": 0,
}


@pytest.mark.core
def test_a_challenge_is_changed_for_deals_not_yet_made(deal: DailyDeal, root: Client) -> None:
    challenge = Challenge.objects.get(pk="one-pass")
    changes = {"id": "other", "title": "One Way", "passes": 2, "undo_penalty_ms": 0}
    assert root.post(address(challenge, "change"), {**FORM, **changes}).status_code == 302
    challenge.refresh_from_db()
    assert (challenge.pk, challenge.title) == ("one-pass", "One Way")
    assert (challenge.passes, challenge.undo_penalty_ms) == (2, 0)
    assert not Challenge.objects.filter(pk="other").exists()
    deal = DailyDeal.objects.get(pk=deal.pk)
    assert deal.rules == engine.RULE_SETS["one-pass"]


def test_the_target_of_a_weekday_is_changed_with_its_challenge(
    deal: DailyDeal, root: Client
) -> None:
    challenge = Challenge.objects.get(pk="one-pass")
    monday = WeekdayTarget.objects.get(challenge=challenge, weekday=0)
    target = {
        "targets-TOTAL_FORMS": 1,
        "targets-INITIAL_FORMS": 1,
        "targets-0-id": monday.pk,
        "targets-0-challenge": "one-pass",
        "targets-0-weekday": 0,
        "targets-0-difficulty": "expert",
    }
    assert root.post(address(challenge, "change"), {**FORM, **target}).status_code == 302
    monday.refresh_from_db()
    assert monday.difficulty == "expert"


@pytest.mark.core
@pytest.mark.parametrize(
    "wrong",
    [
        {"rows": 0},
        {"rows": 10},
        {"decks": 3},
        {"passes": 0},
        {"passes": 100},
        {"goal": "none"},
        {"undo_penalty_ms": 600_001},
        {"undo_penalty_ms": -1},
        {"place": 2},
        {"title": ""},
    ],
)
def test_a_challenge_that_no_game_could_have_is_refused(
    wrong: dict[str, object], root: Client
) -> None:
    challenge = Challenge.objects.get(pk="one-pass")
    with builders.nothing_changes():
        response = root.post(address(challenge, "change"), {**FORM, **wrong})
        assert response.status_code == 200
        assert response.context["errors"]


def test_a_challenge_is_added_and_deleted_until_it_has_a_deal(root: Client) -> None:
    root.post(address(Challenge, "add"), {**FORM, "id": "short", "title": "Short", "place": 5})
    short = Challenge.objects.get(pk="short")
    deal = builders.publish_short("short")
    assert root.post(address(short, "delete"), {"post": "yes"}).status_code == 403
    assert DailyDeal.objects.filter(pk=deal.pk).exists()

    root.post(address(Challenge, "add"), {**FORM, "id": "new", "title": "New", "place": 6})
    new = Challenge.objects.get(pk="new")
    assert root.post(address(new, "delete"), {"post": "yes"}).status_code == 302
    assert not Challenge.objects.filter(pk="new").exists()


@pytest.mark.core
def test_e_staff_without_permissions_see_nothing(deal: DailyDeal, superuser: User) -> None:
    client = staff()
    for page in pages(superuser):
        if page == reverse("admin:index"):
            assert client.get(page).context["app_list"] == []
        else:
            assert client.get(page).status_code in (403, 404), page


@pytest.mark.core
def test_e_whoever_is_not_staff_is_sent_to_the_login(deal: DailyDeal, superuser: User) -> None:
    player = Client()
    player.force_login(User.objects.create_user("player"))
    for client in (Client(), player):
        for page in pages(superuser):
            response = client.get(page)
            assert response.status_code == 302, page
            assert response["Location"].startswith("/admin/login/")


def test_the_log_of_an_attempt_is_for_those_who_may_see_moves(
    deal: DailyDeal, clock: SimulatedClock
) -> None:
    clock.set(AFTER_THE_SEAL)
    builders.seal(deal)
    page = address(Attempt.objects.get(player__name="Ben"), "change")
    client = staff("view_attempt")
    assert "<td>g1</td>" not in client.get(page).content.decode()
    user = User.objects.get(username="staff")
    user.user_permissions.add(Permission.objects.get(codename="view_loggedmove"))
    assert "<td>g1</td>" in client.get(page).content.decode()


def test_the_page_of_an_attempt_shows_the_end_of_a_long_log(
    root: Client, clock: SimulatedClock
) -> None:
    deal = builders.publish_short()
    long = play(deal, "Eve", ["D", "U"] * 150)
    seen = root.get(address(long, "change")).content.decode()
    numbers = [number for number in range(1, 301) if f"<tr><td>{number}</td>" in seen]
    assert numbers == list(range(101, 301))
    assert "all 300 moves" in seen
    whole = root.get(f"{address(LoggedMove, 'changelist')}?attempt__exact={long.pk}")
    assert whole.context["cl"].result_count == 300


def test_lists_take_no_more_queries_the_longer_they_are(
    root: Client, clock: SimulatedClock
) -> None:
    deal = builders.publish_short()
    ours = [model for model in admin.site._registry if model._meta.app_label in OURS]

    def counted() -> dict[str, int]:
        found = {}
        for model in ours:
            with CaptureQueriesContext(connection) as queries:
                assert root.get(address(model, "changelist")).status_code == 200
            found[model.__name__] = len(queries)
        return found

    def grow(number: int) -> None:
        past = builders.publish_short("double", day=builders.DAY.replace(day=number))
        for another in (past, deal):
            clock.instant = another.opens_at
            play(another, f"Player {number}{another.challenge_id[0]}", builders.SHORT_LINE)
        clock.set(AFTER_THE_SEAL)
        builders.seal(past)
        health.beat(f"task {number}")

    grow(1)
    one = counted()
    for number in range(2, 8):
        grow(number)
    assert counted() == one
    assert max(one.values()) <= 10


def test_lists_count_no_further_than_they_page(
    root: Client, monkeypatch: pytest.MonkeyPatch, deal: DailyDeal
) -> None:
    monkeypatch.setattr(pyramid_site.admin, "LISTED", 2)
    with CaptureQueriesContext(connection) as queries:
        page = root.get(address(LoggedMove, "changelist"))
    assert page.context["cl"].result_count == 2
    counts = [query["sql"] for query in queries if "COUNT(" in query["sql"]]
    assert len(counts) == 1
    assert "LIMIT 2" in counts[0]


def test_a5_lists_do_not_even_read_the_secrets(deal: DailyDeal, root: Client) -> None:
    for model in (DailyDeal, Attempt, LoggedMove):
        with CaptureQueriesContext(connection) as queries:
            root.get(address(model, "changelist"))
        read = " ".join(query["sql"] for query in queries)
        assert model._meta.db_table in read
        for column in ("cards", "seed", "k", "winning_line"):
            assert f'"{column}"' not in read, (model, column)
