"""What was looked at before a lock is looked at again under it, and what has changed counts.

Each test changes something in the instant in which the lock is taken.
"""

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any
from uuid import UUID

import pytest

from games import attempts, deals, departures, orders, queries
from games.models import Attempt, AttemptStatus, DailyDeal, DealOrder, Seal
from leaderboards import groups
from leaderboards.models import Group, Membership, Result
from players import accounts, passwords
from players.models import Player
from pyramid_site.refusals import Refusal
from tests.api.client import PASSWORD, Client, claimed, log_in, sign_up
from tests.builders import CERTIFIED, SHORT_LINE, nothing_changes, publish_short
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core

LAST_MS, SEALS_AT = "2026-12-01T01:59:59.999Z", "2026-12-01T02:00:00.000Z"
NEW = "nine rows of cards"
COMING = date(2026, 12, 3)

Meanwhile = Callable[..., None]


@pytest.fixture
def meanwhile(db: None, monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    """Somebody else acts once, just before a function does what it does, or after it."""

    def let_act(module: Any, name: str, act: Callable[[], object], *, after: bool = False) -> None:
        real = getattr(module, name)

        def call(*arguments: Any, **named: Any) -> Any:
            monkeypatch.setattr(module, name, real)
            if not after:
                act()
            answer = real(*arguments, **named)
            if after:
                act()
            return answer

        monkeypatch.setattr(module, name, call)

    return let_act


# Attempts and deals


@pytest.mark.parametrize(("at", "in_time"), [(LAST_MS, True), (SEALS_AT, False)])
def test_c1_a_finish_is_too_late_when_the_end_comes_while_it_waits_for_its_deal(
    meanwhile: Meanwhile, clock: SimulatedClock, at: str, in_time: bool
) -> None:
    publish_short()
    ada = sign_up()
    attempt = ada.begin("one-pass", "b1b2")
    clock.set(LAST_MS)
    meanwhile(queries, "lock_deal_against_sealing", partial(clock.set, at))
    if in_time:
        assert ada.move(attempt["id"], "a1", 1).body["status"] == "cleared"
        return
    with nothing_changes():
        assert ada.move(attempt["id"], "a1", 1).refusal == (409, "attempt_over")
    assert not Result.objects.exists()
    assert Attempt.objects.get().ply == 1


def test_c1_an_attempt_that_was_cleared_meanwhile_does_not_expire(
    meanwhile: Meanwhile, clock: SimulatedClock
) -> None:
    """It was open when the sweep looked, by a clock that was ahead."""
    publish_short()
    ada = sign_up()
    attempt = ada.begin("one-pass", "b1b2")
    clock.set(SEALS_AT)

    def clear() -> None:
        clock.set(LAST_MS)
        assert ada.move(attempt["id"], "a1", 1).status == 200
        clock.set(SEALS_AT)

    meanwhile(queries, "lock_attempts", clear)
    look = queries.attempts_to_expire(clock.instant)
    assert [it.pk for it in look] == [UUID(attempt["id"])]
    assert attempts._expire([UUID(attempt["id"])]) == 0
    assert Attempt.objects.get().status == AttemptStatus.CLEARED


def test_c3_a_deal_that_was_sealed_meanwhile_is_not_sealed_again(
    meanwhile: Meanwhile, clock: SimulatedClock
) -> None:
    deal = publish_short()
    sign_up().begin("one-pass", *SHORT_LINE)
    clock.set(SEALS_AT)
    meanwhile(queries, "lock_deal_to_seal", partial(deals.seal, deal_id=deal.pk))
    assert deals.seal(deal_id=deal.pk) is False
    assert Seal.objects.count() == 1


def test_a_day_that_was_voided_meanwhile_is_not_voided_again(
    meanwhile: Meanwhile, clock: SimulatedClock
) -> None:
    deal = publish_short()
    void = partial(deals.void, deal_id=deal.pk)
    meanwhile(queries, "lock_deal_to_seal", partial(void, reason="The first."))
    with pytest.raises(Refusal) as refused:
        void(reason="The second.")
    assert refused.value.code == "deal_void"


def test_a_challenge_is_not_paused_from_a_day_that_has_begun_meanwhile(
    meanwhile: Meanwhile, clock: SimulatedClock
) -> None:
    tomorrow = date(2026, 12, 1)
    clock.set("2026-11-30T23:59:59.999Z")
    meanwhile(queries, "lock_challenge", partial(clock.set, "2026-12-01T00:00:00.000Z"))
    with pytest.raises(Refusal) as refused, nothing_changes():
        deals.pause(challenge_id="double", first_day=tomorrow)
    assert refused.value.code == "deal_closed"


# Orders


@pytest.fixture
def order(db: None, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch) -> DealOrder:
    """Of another deal for a coming day; the solver has been asked."""
    publish_short("double", COMING)
    orders.write(day=COMING, challenge_id="double", cards=CERTIFIED["double"].deal)
    return DealOrder.objects.get()


def other_deal(order: DealOrder) -> DailyDeal:
    row = DailyDeal.objects.get()
    row.pk = None
    row._state.adding = True
    row.cards = order.cards
    return row


def test_c3_an_order_that_another_worker_has_fulfilled_meanwhile_is_not_fulfilled_again(
    meanwhile: Meanwhile, order: DealOrder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orders, "_written", other_deal)
    meanwhile(orders, "_put_in_place", partial(orders._settle, order, "Made by another."))
    assert orders.fulfil(order=DealOrder.objects.get()) is False
    assert DailyDeal.objects.count() == 1
    assert DealOrder.objects.get().outcome == "Made by another."


def test_c3_an_order_is_not_given_up_that_another_worker_has_fulfilled_meanwhile(
    meanwhile: Meanwhile, order: DealOrder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def written(order: DealOrder) -> DailyDeal:
        raise Refusal("not_winnable", "Nothing wins it.")

    monkeypatch.setattr(orders, "_written", written)
    meanwhile(orders, "_give_up", partial(orders._settle, order, "Made by another."))
    assert orders.fulfil(order=DealOrder.objects.get()) is False
    assert DealOrder.objects.get().outcome == "Made by another."


def test_a6_a_deal_is_not_replaced_when_its_day_comes_while_the_order_waits(
    meanwhile: Meanwhile, clock: SimulatedClock, order: DealOrder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orders, "_written", other_deal)
    clock.set("2026-12-02T23:58:59.999Z")
    meanwhile(queries, "lock_deal_of", partial(clock.set, "2026-12-02T23:59:00.000Z"))
    assert orders.fulfil(order=order) is False
    assert DailyDeal.objects.count() == 1
    assert DealOrder.objects.get().outcome.startswith("That day has begun")


# Accounts


@pytest.fixture
def eve(db: None, clock: SimulatedClock) -> Client:
    return claimed("Eve Holt")


def set_new_password(name: str = "Eve Holt") -> None:
    player = Player.objects.get(name=name)
    accounts.set_password(player, passwords.hashed(NEW))


def test_e_a_password_that_was_changed_meanwhile_stays_as_it_was_changed(
    eve: Client, meanwhile: Meanwhile
) -> None:
    """By another request, between the look at the old one and the lock."""
    meanwhile(passwords, "hashed", set_new_password)
    with pytest.raises(Refusal) as refused:
        accounts.change_password(
            player_id=UUID(eve.player["id"]),
            token=str(eve.token),
            old=PASSWORD,
            new="ten rows of cards",
        )
    assert refused.value.code == "invalid_credentials"
    assert log_in("Eve Holt", NEW).player["name"] == "Eve Holt"


def test_e_the_answer_to_a_password_that_was_changed_meanwhile_is_401(
    eve: Client, meanwhile: Meanwhile
) -> None:
    with_new = {"password": passwords.hashed(NEW)}  # by one who kept this token alive
    meanwhile(
        passwords, "hashed", partial(Player.objects.filter(name="Eve Holt").update, **with_new)
    )
    changed = eve.post("/me/password", {"old": PASSWORD, "new": "ten rows of cards"})
    assert changed.refusal == (401, "invalid_credentials")
    assert log_in("Eve Holt", NEW).player["name"] == "Eve Holt"


def test_e_no_login_with_a_password_that_was_changed_meanwhile(
    eve: Client, meanwhile: Meanwhile
) -> None:
    meanwhile(passwords, "check", set_new_password, after=True)
    old = Client().post("/auth/login", {"name": "Eve Holt", "password": PASSWORD})
    assert old.refusal == (401, "invalid_credentials")
    assert not Player.objects.get(name="Eve Holt").tokens.exists()


def test_e_no_login_to_an_account_that_was_deleted_meanwhile(
    eve: Client, meanwhile: Meanwhile
) -> None:
    gone = partial(accounts.delete, player_id=UUID(eve.player["id"]))
    meanwhile(passwords, "check", gone, after=True)
    old = Client().post("/auth/login", {"name": "Eve Holt", "password": PASSWORD})
    assert old.refusal == (401, "invalid_credentials")


def test_e_an_account_that_was_claimed_meanwhile_keeps_its_password(
    ada: Client, meanwhile: Meanwhile
) -> None:
    claim = partial(ada.post, "/me/claim", {"password": NEW})
    meanwhile(passwords, "hashed", claim)
    late = ada.post("/me/claim", {"password": PASSWORD})
    assert late.refusal == (409, "already_claimed")
    assert log_in("Ada", NEW).player["name"] == "Ada"


# Groups


@pytest.fixture
def group(ada: Client, ben: Client) -> Group:
    """Ada's, which Ben has joined."""
    made = groups.make(name="Friends", owner_id=UUID(ada.player["id"]))
    return groups.join(code=made.code, player_id=UUID(ben.player["id"]))


def test_e_who_was_removed_meanwhile_removes_nobody(
    ada: Client, ben: Client, group: Group, meanwhile: Meanwhile
) -> None:
    ben_id = UUID(ben.player["id"])
    looked = groups.seen_by(group_id=group.pk, player_id=ben_id)

    def remove_after_the_look(**its: Any) -> Group:
        groups.remove(group_id=group.pk, member_id=ben_id, by_id=UUID(ada.player["id"]))
        return looked

    with pytest.MonkeyPatch.context() as patch:
        real = groups.seen_by
        calls = iter([remove_after_the_look, real])
        patch.setattr(groups, "seen_by", lambda **its: next(calls)(**its))
        with pytest.raises(Refusal) as refused:
            groups.remove(group_id=group.pk, member_id=ben_id, by_id=ben_id)
    assert (refused.value.code, refused.value.detail) == ("not_found", "There is no such group.")


def test_e_who_is_deleted_is_in_no_group_that_was_joined_meanwhile(
    ada: Client, ben: Client, group: Group, meanwhile: Meanwhile, cyd: Client
) -> None:
    join = partial(groups.join, code=group.code, player_id=UUID(cyd.player["id"]))
    meanwhile(accounts, "delete", join)
    departures.delete(player_id=UUID(cyd.player["id"]))
    assert not Membership.objects.filter(player=cyd.player["id"]).exists()


@pytest.fixture
def cyd(db: None, clock: SimulatedClock) -> Client:
    return sign_up("Cyd")
