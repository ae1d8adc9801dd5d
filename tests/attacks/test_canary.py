"""A deal that would be recognised anywhere is found nowhere before its seal (A5)."""

import inspect
import logging
import traceback
from base64 import b64encode
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import redis
from django.conf import settings as django_settings
from django.contrib import admin
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.db import IntegrityError
from django.test import Client as DjangoClient
from django.test import RequestFactory
from django.utils.log import AdminEmailHandler
from pytest_django import Settings

from games import attempts, engine, making, queries, solver, tasks
from games.models import Attempt, Challenge, DailyDeal
from players.models import Player
from pyramid_site.celery import app
from tests.api.client import Client, sign_up
from tests.builders import CERTIFIED, DAY, store
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.django_db

CANARY = CERTIFIED["one-pass"]
SEED = bytes(range(200, 232))
K = 1_987_654_321  # long enough to stand nowhere by chance
DRAWN = 3
"""The cards of the stock that the player turns over, and may see."""


@pytest.fixture
def deal(db: None, clock: SimulatedClock) -> DailyDeal:
    return store(
        engine.parse_deal(CANARY.deal, CANARY.rules),
        CANARY.rules,
        seed=SEED,
        k=K,
        winning_line=CANARY.line,
        wins=K,
    )


@pytest.fixture
def ada(deal: DailyDeal) -> Client:
    return sign_up("Ada")


def signs() -> Iterator[str]:
    """What would give the deal away: runs of hidden cards and of its solution, in any spelling."""
    hidden = engine.parse_deal(CANARY.deal, CANARY.rules).stock[DRAWN:]
    for joint in ("", " ", ",", "', '", '", "', "&#x27;, &#x27;", "&quot;, &quot;"):
        for first in range(len(hidden) - 3):
            yield joint.join(hidden[first : first + 4])
        for first in range(len(CANARY.moves) - 5):
            yield joint.join(CANARY.moves[first : first + 6])
    yield from (str(K), SEED.hex(), repr(SEED)[2:-1], b64encode(SEED).decode(), str(list(SEED)))


def found(text: str) -> list[str]:
    return [sign for sign in signs() if sign in text]


def played(ada: Client) -> None:
    """Some play, with what is refused of it."""
    attempt = ada.begin("one-pass", *["D"] * DRAWN, "U")
    for move, ply in [("S", 4), ("WS", 4), ("??", 4), ("D", 0)]:
        assert ada.move(attempt["id"], move, ply).status >= 400
    ada.get(f"/attempts/{attempt['id']}/moves", positions=1)
    ada.get("/deals/today")
    ada.get("/me/export")


def test_a5_the_signs_are_found_where_they_stand(deal: DailyDeal) -> None:
    seed = str(bytes(deal.seed))
    for text in (deal.cards, repr(deal.deal), deal.winning_line, str(deal.k), seed):
        assert found(text)


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Whatever is made from now on is the canary again, for the days to come."""
    settings.DEALS_AHEAD_DAYS = 1
    Challenge.objects.exclude(pk="one-pass").delete()
    monkeypatch.setattr("games.making.secrets.token_bytes", lambda count: SEED)
    monkeypatch.setattr(solver, "derive", lambda **arguments: candidate())


def candidate(wins: int = 1000) -> solver.Candidate:
    deal = engine.parse_deal(CANARY.deal, CANARY.rules)
    line = engine.parse_log(CANARY.line, CANARY.rules)
    return solver.Candidate(K, deal, line, wins, solver.Difficulty.EASY)


def with_faults(ada: Client, monkeypatch: pytest.MonkeyPatch) -> str:
    """What is answered when the server fails with the cards in its hands: in a move, in a reply."""

    def fail(*arguments: object) -> None:
        raise RuntimeError("planted fault")

    browser = DjangoClient(raise_request_exception=False)
    headers = {"Authorization": f"Bearer {ada.token}", "Accept": "text/html, application/json"}
    attempt = ada.start().body
    path = f"/api/v1/attempts/{attempt['id']}"
    answers = []
    for place in ("games.engine.game.play", "games.api.shapes.attempt"):
        with monkeypatch.context() as patch:
            patch.setattr(place, fail)
            move = {"move": "D", "ply": attempt["ply"]}
            answers.append(browser.post(f"{path}/moves", move, "application/json", headers=headers))
            answers.append(browser.get(path, headers=headers))
        attempt = ada.start().body
    assert {answer.status_code for answer in answers} == {200, 500}
    return "".join(answer.content.decode() for answer in answers)


def test_a5_no_log_holds_a_hidden_card_whatever_its_level(
    ada: Client,
    planted: None,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level(logging.DEBUG)
    played(ada)
    with_faults(ada, monkeypatch)
    tasks.make_deals()
    tasks.sweep()
    assert DailyDeal.objects.count() == 2
    for logged in ("planted fault", "2026-12-01 one-pass, medium: made"):
        assert logged in caplog.text
    assert found(caplog.text) == []


def test_a5_a_row_that_the_database_refuses_is_not_quoted(
    deal: DailyDeal, planted: None, monkeypatch: pytest.MonkeyPatch, clock: SimulatedClock
) -> None:
    """PostgreSQL quotes it, in the error that would then stand in the worker's log."""
    monkeypatch.setattr(solver, "derive", lambda **arguments: candidate(wins=-1))
    challenge = Challenge.objects.get(pk="one-pass")
    with pytest.raises(IntegrityError, match="one-pass of 2026-12-01 was not stored") as failure:
        making.make(day=DAY + timedelta(days=1), challenge=challenge)
    told = "".join(traceback.format_exception(failure.value))
    assert found(told) == []


@pytest.mark.parametrize("debug", [False, True])
def test_a5_no_error_page_and_no_error_report_holds_a_hidden_card(
    ada: Client,
    debug: bool,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Even with the values of variables asked for: the page of DEBUG, the mail with HTML."""
    settings.DEBUG = debug
    settings.ADMINS = [("Operator", "operator@example.org")]
    mailer = AdminEmailHandler(include_html=True)
    logger = logging.getLogger("django.request")
    monkeypatch.setattr(logger, "handlers", [*logger.handlers, mailer])
    pages = with_faults(ada, monkeypatch)
    assert ("Traceback" in pages) == debug
    mails = [str(it.message()) for it in mail.outbox]
    reports = [str(page[0]) for it in mail.outbox for page in getattr(it, "alternatives", ())]
    assert len(reports) >= 3
    assert all("planted fault" in report for report in reports)
    assert found("".join([pages, *mails, *reports])) == []
    assert ada.token
    assert ada.token not in "".join([pages, *mails, *reports])


def test_a5_tasks_carry_nothing_and_caches_and_broker_hold_no_card(
    ada: Client, planted: None
) -> None:
    ours = [task for name, task in app.tasks.items() if not name.startswith("celery.")]
    assert len(ours) >= 2
    for task in ours:
        for taken in inspect.signature(task.run).parameters.values():
            assert (taken.name[-3:], taken.annotation) == ("_id", int)
    played(ada)
    tasks.make_deals()
    queue = f"test-{uuid4().hex}"
    for task in ours:
        task.apply_async([7] * len(inspect.signature(task.run).parameters), queue=queue)
    cache.set("control", CANARY.deal)
    with redis.from_url(django_settings.REDIS_URL) as client:
        held = [everything_of(client, key) for key in client.scan_iter()]
    assert any(queue in it for it in held)
    signed = [it for it in held if found(it)]
    assert len(signed) == 1, "the control, and nothing else"
    assert "control" in signed[0]


def everything_of(client: Any, key: bytes) -> str:
    """A key of Redis, and what it holds."""
    read: dict[bytes, Callable[[bytes], Any]] = {
        b"string": client.get,
        b"list": lambda it: client.lrange(it, 0, -1),
        b"set": client.smembers,
        b"hash": client.hgetall,
        b"zset": lambda it: client.zrange(it, 0, -1, withscores=True),
    }
    kind = client.type(key)
    return f"{key!r} {read[kind](key) if kind in read else kind!r}"


def test_a5_no_repr_holds_a_hidden_card(ada: Client, deal: DailyDeal) -> None:
    """But those of the engine's plain values, which are what they say."""
    attempt = ada.begin("one-pass", *["D"] * DRAWN)
    row = Attempt.objects.select_related("deal", "player").get()
    player = Player.objects.get(pk=row.player_id)
    played = attempts.play(attempt_id=row.pk, player_id=player.pk, move="U", ply=attempt["ply"])
    things = [row, row.deal, player, played, played.game, candidate(), row.log.get(number=1),
              queries.cached_deal(deal.pk), DailyDeal.objects.all()]  # fmt: skip
    for thing in things:
        assert found(f"{thing!r} {thing!s}") == [], thing


def test_a5_staff_can_dump_nothing(deal: DailyDeal, rf: RequestFactory) -> None:
    """What lists let one do with rows is to delete them, and that of none that hold secrets."""
    request = rf.get("/admin/")
    request.user = User.objects.create_superuser("root")
    for model, model_admin in admin.site._registry.items():
        allowed = set(model_admin.get_actions(request))
        assert allowed <= ({"delete_selected"} if model._meta.app_label == "auth" else set())
