"""A real Chromium before the running site. What it complains of, and every request to another origin, is a failure."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

import pytest
from django.conf import settings
from django.db import connections
from django.test import Client
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, ViewportSize, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests import factories
from tests.factories import a_bot, a_completed_set, a_ladder, a_version
from tournaments.models import Ladder, User

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
# All pages are of one site, so a process for each origin, and one that waits for the next, are a third of the work for
# nothing. A list of features replaces Playwright's, of which the last four are.
NO_FEATURES = (
    "SpareRendererForSitePerProcess,IsolateOrigins,site-per-process,PaintHolding,Translate,HttpsUpgrades,"
    "OptimizationHints,MediaRouter"
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--disable-background-networking",
    "--no-first-run",
    f"--disable-features={NO_FEATURES}",
    "--disable-site-isolation-trials",
]
LIMIT = 30_000  # ms for whatever is waited for: other tests are at work beside it
expect.set_options(timeout=LIMIT)
PASSWORD = "vermilion tea house"
PHONE: ViewportSize = {"width": 390, "height": 844}
LAPTOP: ViewportSize = {"width": 1280, "height": 800}
SMALL_LAPTOP: ViewportSize = {"width": 1366, "height": 768}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@contextmanager
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        assert os.environ.get("CI") != "true", "in CI a browser must be there: apt-get install chromium"
        pytest.skip("NO BROWSER FOUND: the pages were not tried as people see them. Debian: apt-get install chromium")
    with sync_playwright() as playwright, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # Playwright's event loop in this thread is no mistake of ours
        patch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)  # else the last threads outlive the database
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@dataclass
class Site:
    """A browser before a running site, and all that went wrong in it."""

    browser: Browser
    url: str
    wrong: list[str] = field(default_factory=list)

    def open(self, path: str = "/", *, person: User | None = None, **context: object) -> Page:
        """A tab, of somebody who has signed in before if there is a `person`."""
        page = self.browser.new_context(**{"viewport": LAPTOP, **context}).new_page()  # type: ignore[arg-type]
        if person:
            client = Client()
            client.force_login(person)
            name = settings.SESSION_COOKIE_NAME
            page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": self.url}])
        page.set_default_timeout(LIMIT)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("request", self._see)
        page.goto(self.url + path)
        return page

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.wrong.append(f"{message.text} {message.location['url']}")

    def _see(self, request: Request) -> None:
        if not request.url.startswith(self.url):
            self.wrong.append(f"asked another origin for {request.url}")


@pytest.fixture
def site(browser: Browser, live_server: LiveServer, transactional_db: None) -> Iterator[Site]:
    site = Site(browser, live_server.url)
    yield site
    for context in browser.contexts:
        context.close()
    assert site.wrong == []


@pytest.fixture
def ladder(site: Site) -> Ladder:
    """A ladder with three bots and one rated set."""
    ladder = a_ladder("arena", title="Arena")
    versions = [a_version(a_bot(name=name)) for name in ("Marginal", "Random", "A long name with many words in it")]
    for version in versions:
        ladder.entries.create(bot=version.bot)
    a_completed_set(ladder, versions)
    factories.rate()
    return ladder


def sign_up(page: Page, name: str) -> None:
    page.get_by_role("link", name="Sign up").first.click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password, once more").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the element with these words has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            return
    pytest.fail(f"no Tab leads to {name}")


# Every element with words of its own, whose contrast to what lies behind is below WCAG's AA.
FAINT = """() => {
  const channel = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const rgba = (text) => text.match(/[\\d.]+/g).map(Number);
  const behind = (element) => {
    const colour = element ? rgba(getComputedStyle(element).backgroundColor) : [255, 255, 255];
    return colour[3] === 0 ? behind(element.parentElement) : colour;
  };
  const wordy = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  return [...document.body.querySelectorAll("*")].filter(wordy).map((element) => {
    const [a, b] = [light(rgba(getComputedStyle(element).color)), light(behind(element))];
    return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), element.outerHTML.slice(0, 90)];
  }).filter(([contrast]) => contrast < 4.5);
}"""


def phone_faults(page: Page) -> list[object]:
    """Return what sticks out of the screen and what is hard to read, in light and in dark."""
    width = page.evaluate("document.documentElement.scrollWidth")
    faults: list[object] = [] if width == PHONE["width"] else [f"{width} pixels wide"]
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        faults += [(scheme, *fault) for fault in page.evaluate(FAINT)]
    return faults
