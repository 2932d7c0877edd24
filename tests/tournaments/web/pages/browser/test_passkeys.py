"""Passkeys in a real Chromium, with its virtual authenticator: the ceremonies are the browser's own."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.conf import LazySettings
from playwright.sync_api import CDPSession, Page, expect

from tests.factories import a_user
from tests.tournaments.web.pages.browser.conftest import Site
from tournaments.models import User

OPTIONS = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def olga(site: Site, settings: LazySettings) -> User:
    settings.SITE_URL = site.url
    assert site.url.startswith("http://localhost:")
    return a_user("olga")


class Device:
    """An authenticator in the browser of a page."""

    def __init__(self, page: Page) -> None:
        self.cdp: CDPSession = page.context.new_cdp_session(page)
        self.cdp.send("WebAuthn.enable")
        self.number = self.cdp.send("WebAuthn.addVirtualAuthenticator", {"options": OPTIONS})["authenticatorId"]

    def held(self) -> list[dict[str, Any]]:
        credentials: list[dict[str, Any]] = self.cdp.send("WebAuthn.getCredentials", {"authenticatorId": self.number})[
            "credentials"
        ]
        return credentials

    def take(self, credential: dict[str, Any]) -> None:
        self.cdp.send("WebAuthn.addCredential", {"authenticatorId": self.number, "credential": credential})

    def verifies(self, *, verified: bool) -> None:
        self.cdp.send("WebAuthn.setUserVerified", {"authenticatorId": self.number, "isUserVerified": verified})


def password(page: Page, field: str = "Password") -> None:
    page.get_by_label(field).fill("the password of olga")


def add(page: Page) -> None:
    page.get_by_role("link", name="Add a passkey").click()
    password(page, "Your password")
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Name").fill("telephone")
    page.get_by_role("button", name="Make the passkey").click()
    expect(page.locator("#recovery-codes")).to_contain_text("-")


def test_a_passkey_is_added_is_the_second_factor_and_opens_the_account_alone(site: Site, olga: User) -> None:
    page = site.open("/account/second-factor/", person=olga)
    device = Device(page)
    add(page)
    [credential] = device.held()
    assert credential["isResidentCredential"]
    page.goto(f"{site.url}/account/second-factor/")
    expect(page.get_by_role("row", name="telephone")).to_contain_text("never")

    page.context.clear_cookies()
    page.goto(f"{site.url}/sign-in/?next=/tokens/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page).to_have_url(f"{site.url}/tokens/")

    page.context.clear_cookies()
    page.goto(f"{site.url}/sign-in/?next=/tokens/")
    page.get_by_label("Name").fill("olga")
    password(page)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("button", name="Use a passkey").click()
    expect(page).to_have_url(f"{site.url}/tokens/")
    page.get_by_label("Name").fill("laptop")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.locator("#secret")).to_contain_text("brd_")

    page.goto(f"{site.url}/account/second-factor/")
    expect(page.get_by_role("row", name="telephone")).to_contain_text("just now")
    page.get_by_role("link", name="Remove telephone").click()
    password(page, "Your password")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("status").first).to_contain_text("The second factor is off")
    page.context.clear_cookies()
    page.goto(f"{site.url}/sign-in/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert").first).to_contain_text("Please check:")
    assert not Authenticator.objects.exists()


def test_a_copy_a_stranger_and_a_finger_that_is_not_hers_open_nothing(site: Site, olga: User) -> None:
    page = site.open("/account/second-factor/", person=olga)
    device = Device(page)
    add(page)
    [credential] = device.held()

    device.verifies(verified=False)
    page.context.clear_cookies()
    page.goto(f"{site.url}/sign-in/")
    button = page.get_by_role("button", name="Sign in with a passkey")
    button.click()
    expect(page.get_by_role("alert")).to_contain_text("No passkey answered, and nothing was sent")
    device.verifies(verified=True)
    button.click()
    expect(page.get_by_role("link", name="olga").first).to_be_visible()

    thief = site.open("/sign-in/")
    Device(thief).take({**credential, "signCount": 0})
    thief.get_by_role("button", name="Sign in with a passkey").click()
    expect(thief.get_by_text("there may be a copy of it")).to_be_visible()

    otto = site.open("/account/second-factor/", person=a_user("otto"))
    Device(otto).take({**credential, "signCount": 50})
    otto.get_by_role("link", name="Add a passkey").click()
    otto.get_by_label("Your password").fill("the password of otto")
    otto.get_by_role("button", name="Go on").click()
    otto.get_by_label("Name").fill("hers")
    otto.get_by_role("button", name="Make the passkey").click()
    expect(otto.locator("#recovery-codes")).to_contain_text("-")  # one of his own
    assert Authenticator.objects.filter(type="webauthn").count() == 2


def test_another_origin_gets_nothing_of_the_key(site: Site, olga: User, settings: LazySettings) -> None:
    """The browser signs for the origin it is at, whatever a page says; the site believes its own alone."""
    page = site.open("/account/second-factor/", person=olga)
    device = Device(page)
    add(page)
    settings.SITE_URL = "http://other.localhost:1"
    page.context.clear_cookies()
    page.goto(f"{site.url}/sign-in/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_be_visible()
    settings.SITE_URL = "http://localhost:1"  # the same name, another port
    page.reload()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_text("This passkey was not accepted").first).to_be_visible()
    assert device.held()[0]["signCount"] >= 1


def test_without_javascript_it_says_so(site: Site, olga: User) -> None:
    page = site.open("/sign-in/", java_script_enabled=False)
    assert "<noscript>" in page.content().partition("Sign in with a passkey")[2]  # what a browser without it shows
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_hidden()
