"""Passwords are hashed a few at a time, so that they cannot use up the memory (I)."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock
from typing import Any

import pytest
from argon2 import low_level
from django.contrib.auth import hashers
from django.test import Client as DjangoClient

from players import passwords
from pyramid_site.refusals import Refusal
from tests.api.client import PASSWORD, Client, claimed, stored_password
from tests.builders import nothing_changes
from tests.conftest import SimulatedClock

pytestmark = pytest.mark.core


class Hashing:
    """Hashes that take until they are let go; how many are under way, and how many there were."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.now = self.most = self.done = 0
        self.full, self.let_go = Event(), Event()

    def __call__(self, *args: Any, **named: Any) -> bool:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
            if self.now == passwords.AT_ONCE:
                self.full.set()
        assert self.let_go.wait(30)
        with self.lock:
            self.now -= 1
            self.done += 1
        return True


@pytest.fixture
def hashing(monkeypatch: pytest.MonkeyPatch) -> Hashing:
    found = Hashing()
    stored = stored_password()
    encoded = stored.removeprefix("argon2$").encode()
    monkeypatch.setattr(low_level, "hash_secret", lambda *a, **k: found(*a, **k) and encoded)
    monkeypatch.setattr("argon2.low_level.hash_secret", low_level.hash_secret)
    monkeypatch.setattr("argon2._password_hasher.verify_secret", found)
    found.stored = stored  # type: ignore[attr-defined]
    return found


def test_e_no_more_hashes_are_computed_at_once_than_the_memory_holds(hashing: Hashing) -> None:
    """Of players and of staff together, to store one or to compare it, of any parameters."""
    stored: str = hashing.stored  # type: ignore[attr-defined]
    calls = [
        lambda: passwords.hashed(PASSWORD),
        lambda: passwords.check(PASSWORD, stored),
        lambda: passwords.check(PASSWORD, ""),
        lambda: hashers.check_password(PASSWORD, stored),
    ]
    with ThreadPoolExecutor(12) as threads:
        waiting = [threads.submit(calls[number % len(calls)]) for number in range(12)]
        assert hashing.full.wait(30)
        assert hashing.most == passwords.AT_ONCE
        hashing.let_go.set()
        for it in waiting:
            it.result(timeout=30)
    assert (hashing.done >= len(waiting), hashing.most) == (True, passwords.AT_ONCE)


def test_e_one_too_many_is_told_to_come_again(
    db: None, clock: SimulatedClock, hashing: Hashing, monkeypatch: pytest.MonkeyPatch
) -> None:
    claimed("Eve Holt")
    monkeypatch.setattr(passwords, "PATIENCE", 0.0)
    with ThreadPoolExecutor(passwords.AT_ONCE) as threads:
        for _ in range(passwords.AT_ONCE):
            threads.submit(passwords.hashed, PASSWORD)
        assert hashing.full.wait(30)
        with nothing_changes():
            login = {"name": "Eve Holt", "password": PASSWORD}
            reply = Client().post("/auth/login", login)
        assert reply.refusal == (503, "unavailable")
        assert reply.headers["Retry-After"] == "5"
        staff = DjangoClient(raise_request_exception=False)
        page = staff.post("/admin/login/", {"username": "root", "password": PASSWORD})
        assert page.status_code == 503
        hashing.let_go.set()
    assert Client().post("/auth/login", login).status == 200


def test_a_turn_is_given_back_by_a_hash_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **named: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr("argon2.low_level.hash_secret", fail)
        for _ in range(2 * passwords.AT_ONCE):
            with pytest.raises(MemoryError):
                passwords.hashed(PASSWORD)
    try:
        assert passwords.check(PASSWORD, passwords.hashed(PASSWORD))
    except Refusal:
        pytest.fail("a turn was not given back")
