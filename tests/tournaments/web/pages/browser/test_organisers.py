"""The admin, the API's reader and the second factor in a real Chromium, which enforces our policy."""

import pytest
from django.test import Client
from playwright.sync_api import expect

from tests.factories import a_completed_set, a_ladder, a_user, a_version
from tests.tournaments.core.accounts.test_second_factor import now
from tests.tournaments.web.pages.browser.conftest import Site
from tournaments.core.accounts.time_codes import code_at
from tournaments.models import User


@pytest.fixture
def organiser(site: Site, settings: object) -> User:
    settings.STAFF_NEED_SECOND_FACTOR = True  # type: ignore[attr-defined]
    a_completed_set(a_ladder("arena", players=2), [a_version(), a_version()])
    user = a_user("stella", staff=True)
    user.is_superuser = True
    user.save()
    return user


def test_an_organiser_sets_up_a_second_factor_and_the_admin_opens(site: Site, organiser: User) -> None:
    page = site.open("/admin/")
    page.get_by_label("Name").fill("stella")
    page.get_by_label("Password").fill("the password of stella")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("status").first).to_contain_text("Organisers need a second factor")
    page.get_by_role("link", name="Set one up").click()
    page.get_by_label("Your password").fill("the password of stella")
    page.get_by_role("button", name="Set it up").click()
    picture = page.get_by_alt_text("The QR code")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    page.get_by_label("Code").fill(code_at(page.locator("#letters").inner_text(), now()))
    page.get_by_role("button", name="Turn it on").click()
    expect(page.locator("#recovery-codes")).to_contain_text("-")
    for path in ("", "tournaments/ladder/", "tournaments/match/", "tournaments/user/"):
        page.goto(f"{site.url}/admin/{path}")
        expect(page.locator("#header")).to_contain_text("Boardroom")
    page.goto(f"{site.url}/api/v1/docs/")
    expect(page.get_by_text("Upload bots, enter them in ladders").first).to_be_visible(timeout=60_000)
    page.get_by_text("/api/v1/account", exact=True).first.click(timeout=60_000)  # of those the reader draws first
    expect(page.get_by_role("button", name="Try it out").first).to_be_visible(timeout=60_000)


def test_a_script_written_in_place_would_not_run(site: Site) -> None:
    """The tests above trust that this browser does what the policy says."""
    page = site.open("/")
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'window.ran = 1'}))")
    assert page.evaluate("window.ran") is None
    assert any("Content Security Policy" in line for line in site.wrong)
    site.wrong.clear()
    assert "unsafe" not in Client().get("/").headers["Content-Security-Policy"]
