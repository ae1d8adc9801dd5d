"""Guessing at the passwords of staff (E)."""

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

pytestmark = [pytest.mark.core, pytest.mark.django_db]

LOGIN = "/admin/login/"
PASSWORD = "seven rows of cards"


@pytest.fixture(autouse=True)
def root() -> User:
    return User.objects.create_superuser("root", password=PASSWORD)


def tried(password: str, name: str = "root", address: str = "192.0.2.1", **headers: str) -> int:
    client = Client(REMOTE_ADDR=address)
    form = {"username": name, "password": password}
    return client.post(LOGIN, form, headers=headers).status_code


def test_e_after_ten_wrong_passwords_even_the_right_one_waits() -> None:
    assert [tried("wrong") for _ in range(9)] == [200] * 9
    assert tried("wrong") == 429
    assert tried(PASSWORD) == 429
    assert tried(PASSWORD, address="192.0.2.2") == 302  # nobody locks staff out from afar
    AccessAttempt.objects.update(attempt_time="2020-01-01T00:00:00Z")
    assert tried(PASSWORD) == 302


def test_e_a_right_password_forgives_the_wrong_ones() -> None:
    for _ in range(3):
        assert [tried("wrong") for _ in range(9)] == [200] * 9
        assert tried(PASSWORD) == 302


def test_e_the_address_is_the_one_that_the_trusted_proxy_saw(settings: Settings) -> None:
    settings.TRUSTED_PROXIES = 1
    for number in range(10):
        forged = f"198.51.100.{number}, 192.0.2.7"
        tried("wrong", address="10.0.0.1", **{"X-Forwarded-For": forged})
    at = {"address": "10.0.0.1"}
    assert tried(PASSWORD, **at, **{"X-Forwarded-For": "192.0.2.7"}) == 429
    assert tried(PASSWORD, **at, **{"X-Forwarded-For": "192.0.2.8"}) == 302


def test_e_the_cooling_off_is_a_quarter_of_an_hour(settings: Settings) -> None:
    assert timedelta(minutes=15) == settings.AXES_COOLOFF_TIME


def test_e_what_was_typed_for_a_name_stands_on_no_page() -> None:
    """It may be a password."""
    tried("wrong", name=PASSWORD)
    client = Client()
    client.force_login(User.objects.get())
    assert AccessAttempt.objects.filter(username=PASSWORD).exists()
    index = client.get("/admin/").content.decode()
    assert "axes" not in index.lower()
    assert PASSWORD not in index
