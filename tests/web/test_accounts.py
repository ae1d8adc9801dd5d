"""A guest stays, leaves and comes back."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import DESKTOP, NeedsContext
from tests.web.playing import Table


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
    form = page.get_by_role("form", name="Keep what you have played")
    form.get_by_label("Name").fill("Ada Lovelace")
    form.get_by_label("Password").fill("a pyramid of cards")
    form.get_by_role("button", name="Keep").click()
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
    expect(other.get_by_text("Name and password do not match.")).to_be_visible()
    sign_in(other, "a pyramid of cards")
    other.wait_for_url("**/profile")
    expect(other.locator(".recent li")).to_contain_text("Your clock is running")


def test_a_weak_password_is_refused_where_it_was_written(visitor: NeedsContext) -> None:
    from tests import builders

    builders.publish()
    page = visitor(DESKTOP).new_page()
    Table(page).enter("one-pass")
    page.goto("/account")
    form = page.get_by_role("form", name="Keep what you have played")
    form.get_by_label("Password").fill("12345678")
    form.get_by_role("button", name="Keep").click()
    field = form.get_by_label("Password")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")


def test_name_and_password_can_be_changed(visitor: NeedsContext) -> None:
    page = claimed(visitor)
    form = page.get_by_role("form", name="Name")
    form.get_by_label("Name").fill("Countess")
    form.get_by_role("button", name="Change the name").click()
    expect(page.locator("[data-who]")).to_have_text("Countess")
    form = page.get_by_role("form", name="Password")
    form.get_by_label("Old password").fill("a pyramid of cards")
    form.get_by_label("New password").fill("another one of cards")
    form.get_by_role("button", name="Change the password").click()
    expect(form.get_by_text("Changed.")).to_be_visible()


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
    dialog = page.get_by_role("dialog", name="Leave this guest?")
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
    dialog = page.get_by_role("dialog", name="Leave this guest?")
    expect(dialog).to_contain_text("nobody gets back to its ranks and streak")
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.locator("[data-who]")).to_have_text(guest)
    sign_in(page, "a pyramid of cards")
    dialog.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/profile")
    expect(page.locator("[data-who]")).to_have_text("Ada Lovelace")


def test_deleting_asks_first_and_forgets_the_player(visitor: NeedsContext) -> None:
    from players.models import Player

    page = claimed(visitor)
    page.get_by_role("button", name="Delete the account").click()
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

