"""A guest stays, leaves and comes back."""

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import DESKTOP, NeedsContext
from tests.web.playing import Table

if TYPE_CHECKING:
    from pytest_django import Settings


DENY = "() => { throw new DOMException('Denied', 'SecurityError'); }"
BROWSERS = {
    "plain HTTP": "delete Navigator.prototype.locks; delete Navigator.prototype.clipboard;",
    "closed storage": f"""
        Object.defineProperty(window, "localStorage", {{ get: {DENY} }});
        if (isSecureContext) LockManager.prototype.request = async {DENY};
        window.BroadcastChannel = function() {{ ({DENY})() }};
    """,
    "full storage": f"Storage.prototype.setItem = {DENY};",
}
"""What each of them lacks."""


def claimed(visitor: NeedsContext) -> Page:
    """A guest who has begun a game, and keeps it under a name and a password."""
    from tests import builders

    builders.publish()
    page = visitor(DESKTOP).new_page()
    Table(page).enter("one-pass")
    page.goto("/account")
    form = page.get_by_role("form", name="Save your progress")
    form.get_by_label("Name").fill("Ada Lovelace")
    form.get_by_label("Password").fill("a pyramid of cards")
    form.get_by_role("button", name="Create account").click()
    expect(page.locator("[data-who]")).to_have_text("Ada Lovelace")
    return page


def sign_in(page: Page, password: str) -> None:
    form = page.get_by_role("form", name="Sign in")
    form.get_by_label("Name").fill("Ada Lovelace")
    form.get_by_label("Password").fill(password)
    form.get_by_role("button", name="Sign in").click()


def test_a_claimed_guest_comes_back_on_another_device(visitor: NeedsContext) -> None:
    from players.models import Player

    claimed(visitor)
    assert not Player.objects.get().guest
    other = visitor(DESKTOP).new_page()
    other.goto("/account")
    sign_in(other, "another password")
    expect(other.get_by_label("Password").first).to_be_focused()
    expect(other.get_by_text("Wrong name or password.")).to_be_visible()
    sign_in(other, "a pyramid of cards")
    other.wait_for_url("**/profile")
    expect(other.locator(".recent li")).to_contain_text("Clock running")


def test_a_weak_password_is_refused_where_it_was_written(visitor: NeedsContext) -> None:
    from tests import builders

    builders.publish()
    page = visitor(DESKTOP).new_page()
    Table(page).enter("one-pass")
    page.goto("/account")
    form = page.get_by_role("form", name="Save your progress")
    form.get_by_label("Password").fill("12345678")
    form.get_by_role("button", name="Create account").click()
    field = form.get_by_label("Password")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")


@pytest.mark.parametrize(
    ("locale", "entry", "password", "keep", "refused"),
    [
        ("de", "Sichere deinen Spielstand", "Passwort", "Konto erstellen",
         "Ein Passwort darf nicht nur aus Ziffern bestehen."),
        ("pl", "Zachowaj swoje wyniki", "Hasło", "Załóż konto",
         "Hasło nie może składać się z samych cyfr."),
    ],
)  # fmt: skip
def test_a_weak_password_is_refused_in_the_language_of_the_page(
    visitor: NeedsContext, locale: str, entry: str, password: str, keep: str, refused: str
) -> None:
    from tests import builders

    builders.publish()
    page = visitor(DESKTOP, locale=locale).new_page()
    Table(page).enter("one-pass")
    page.goto("/account")
    form = page.get_by_role("form", name=entry)
    form.get_by_label(password).fill("12345678")
    form.get_by_role("button", name=keep).click()
    expect(form.get_by_text(refused)).to_be_visible()


def test_who_tries_too_often_is_told_how_long_to_wait(
    visitor: NeedsContext, settings: "Settings"
) -> None:
    settings.THROTTLE_GUESS = "1/day"
    page = visitor(DESKTOP, locale="de").new_page()
    page.goto("/account")
    form = page.get_by_role("form", name="Anmelden")
    form.get_by_label("Name").fill("Ada Lovelace")
    form.get_by_label("Passwort").fill("a pyramid of cards")
    form.get_by_role("button").click()
    expect(form.get_by_text("Name oder Passwort ist falsch.")).to_be_visible()
    form.get_by_role("button").click()
    expect(form.get_by_role("alert")).to_have_text(
        re.compile(r"Zu viele Versuche\. Bitte warte .*\d (Stunde|Minute|Sekunde)n?\.")
    )


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        ({"code": "unavailable"}, "Can’t reach the server. Please try again in a moment."),
        ({"code": "unheard_of"}, "Words of the server."),
        (
            {"code": "invalid_request", "errors": [{"field": "name", "code": "max_length"}]},
            "This is too long.",
        ),
    ],
)
def test_a_refusal_has_the_words_of_the_page_or_else_of_the_server(
    visitor: NeedsContext, problem: dict[str, Any], said: str
) -> None:
    page = visitor(DESKTOP).new_page()
    body = json.dumps({"detail": "Words of the server.", **problem})
    page.route("**/auth/login", lambda route: route.fulfill(status=400, body=body))
    page.goto("/account")
    sign_in(page, "a pyramid of cards")
    expect(page.get_by_role("form", name="Sign in").get_by_text(said)).to_be_visible()


def test_a_wrong_old_password_and_a_wrong_key_are_called_so(visitor: NeedsContext) -> None:
    page = claimed(visitor)
    form = page.get_by_role("form", name="Password")
    form.get_by_label("Old password").fill("another password")
    form.get_by_label("New password").fill("another one of cards")
    form.get_by_role("button", name="Change password").click()
    expect(form.get_by_text("Wrong old password.")).to_be_visible()
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.get_by_text("Forgot password?").first.click()
    form = page.get_by_role("form", name="Set a new password")
    form.get_by_label("Code").fill("no such key")
    form.get_by_label("Password").fill("another one of cards")
    form.get_by_role("button", name="Set password").click()
    expect(form.get_by_text("This code is wrong, used or expired.")).to_be_visible()


def test_name_and_password_can_be_changed(visitor: NeedsContext) -> None:
    page = claimed(visitor)
    form = page.get_by_role("form", name="Name")
    form.get_by_label("Name").fill("Countess")
    form.get_by_role("button", name="Change name").click()
    expect(page.locator("[data-who]")).to_have_text("Countess")
    form = page.get_by_role("form", name="Password")
    form.get_by_label("Old password").fill("a pyramid of cards")
    form.get_by_label("New password").fill("another one of cards")
    form.get_by_role("button", name="Change password").click()
    expect(form.get_by_text("Changed.")).to_be_visible()


def test_an_address_is_confirmed_by_the_key_from_the_mail(
    visitor: NeedsContext, settings: "Settings"
) -> None:
    from django.core import mail

    from players.models import Player
    from tests import mailing

    settings.EMAIL_URL = "smtp://mail.example"
    page = claimed(visitor)
    form = page.get_by_role("form", name="Email address")
    form.get_by_label("Email", exact=True).fill("Ada@Example.org")
    form.get_by_label("Password").fill("a pyramid of cards")
    form.get_by_role("button", name="Email me a code").click()
    expect(form.get_by_text("The email is on its way.")).to_be_visible()
    mailing.deliver()
    assert mail.outbox[0].to == ["ada@example.org"]
    form = page.get_by_role("form", name="Confirm your address")
    form.get_by_label("Code").fill("no such key")
    form.get_by_role("button", name="Confirm").click()
    expect(form.get_by_text("This code is wrong, used or expired.")).to_be_visible()
    form.get_by_label("Code").fill(mailing.mailed_key())
    form.get_by_role("button", name="Confirm").click()
    expect(form.get_by_text("Confirmed.")).to_be_visible()
    assert Player.objects.get().email_confirmed


def test_data_can_be_taken_along(visitor: NeedsContext) -> None:
    page = claimed(visitor)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download my data").click()
    assert "Ada Lovelace" in download.value.path().read_text()


def test_a_guest_is_warned_before_it_is_lost(visitor: NeedsContext) -> None:
    from tests import builders

    builders.publish()
    page = visitor(DESKTOP).new_page()
    Table(page).enter("one-pass")
    page.goto("/account")
    page.get_by_role("button", name="Sign out").click()
    dialog = page.get_by_role("dialog", name="Sign out of this guest?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.locator("[data-who]")).not_to_have_text("Sign in")
    page.get_by_role("button", name="Sign out").click()
    dialog.get_by_role("button", name="Sign out").click()
    expect(page.locator("[data-who]")).to_have_text("Sign in")


def test_a_guest_is_warned_before_another_account_takes_its_place(visitor: NeedsContext) -> None:
    claimed(visitor)
    page = visitor(DESKTOP).new_page()
    Table(page).enter("one-pass")
    guest = page.locator("[data-who]").text_content() or ""
    page.goto("/account")
    sign_in(page, "a pyramid of cards")
    dialog = page.get_by_role("dialog", name="Sign out of this guest?")
    expect(dialog).to_contain_text("you will lose its ranks and streak")
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.locator("[data-who]")).to_have_text(guest)
    sign_in(page, "a pyramid of cards")
    dialog.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/profile")
    expect(page.locator("[data-who]")).to_have_text("Ada Lovelace")


def test_deleting_asks_first_and_forgets_the_player(visitor: NeedsContext) -> None:
    from players.models import Player

    page = claimed(visitor)
    page.get_by_role("button", name="Delete account").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator("[data-who]")).to_have_text("Sign in")
    assert not Player.objects.filter(name="Ada Lovelace").exists()


@pytest.mark.parametrize("browser_of", BROWSERS)
def test_a_guest_plays_where_the_browser_has_no_locks_or_keeps_nothing(
    visitor: NeedsContext, browser_of: str
) -> None:
    from players.models import Player
    from tests import builders

    builders.publish()
    context = visitor(DESKTOP)
    context.add_init_script(BROWSERS[browser_of])
    page = context.new_page()
    table = Table(page).enter("one-pass")
    table.click("g1")
    table.wait(1)
    assert Player.objects.count() == 1
    expect(page.locator("[data-who]")).to_have_text(Player.objects.get().name)
