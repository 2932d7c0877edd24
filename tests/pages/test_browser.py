"""The main paths in a real Chromium, as people go them: by mouse, by keyboard, on a phone, in the dark."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.db import connections
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests import factories
from tests.factories import SAMPLE, a_bot, a_completed_set, a_ladder, a_user, a_version, play_set
from tests.holding import KNOCKOUT, a_running, play_out
from tournaments.models import Bot, Entry, Ladder, MatchSet, Version

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
PASSWORD = "vermilion tea house"
PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1280, "height": 800}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        assert os.environ.get("CI") != "true", "in CI a browser must be there: apt-get install chromium"
        pytest.skip("NO BROWSER FOUND: the pages were not tried as people see them. Debian: apt-get install chromium")
    with sync_playwright() as playwright, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # Playwright's event loop in this thread is no mistake of ours
        patch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)  # else the last threads outlive the database
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


@dataclass
class Site:
    """A browser before a running site, and all that went wrong in it."""

    browser: Browser
    url: str
    wrong: list[str] = field(default_factory=list)

    def open(self, path: str = "/", **context: object) -> Page:
        page = self.browser.new_context(**{"viewport": LAPTOP, **context}).new_page()  # type: ignore[arg-type]
        page.set_default_timeout(10_000)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("request", self._see)
        page.goto(self.url + path)
        return page

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.wrong.append(message.text)

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
    """With three bots and one rated set."""
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


def test_a_newcomer_signs_up_uploads_a_bot_and_sees_it_on_the_ladder(
    site: Site, ladder: Ladder, tmp_path: Path
) -> None:
    page = site.open()
    sign_up(page, "nina")
    expect(page.get_by_role("status").first).to_contain_text("Welcome, nina.")
    (tmp_path / "mybot.py").write_bytes(SAMPLE + b"# mine\n")
    page.get_by_label("Name").fill("Newcomer")
    page.get_by_label("File").set_input_files(tmp_path / "mybot.py")
    page.get_by_label("Ladder").select_option(label="Arena (Zaibatsu)")
    page.get_by_role("button", name="Upload and check").click()
    expect(page.get_by_role("heading", name="Newcomer", exact=True)).to_be_visible()
    expect(page.get_by_text("Version 1 is being checked")).to_be_visible()
    play_set(MatchSet.objects.get(checks__bot__name="Newcomer"))
    expect(page.locator("#versions .tag.good")).to_have_text("active")  # by itself: nobody reloads
    expect(page.locator("#announcer")).to_contain_text("Version 1: Passed its check")
    page.get_by_role("link", name="Arena").first.click()
    expect(page.locator("#standings")).to_contain_text("Newcomer v1")


def test_a_file_too_large_is_refused_before_it_is_sent(site: Site, ladder: Ladder, tmp_path: Path) -> None:
    page = site.open()
    sign_up(page, "nina")
    (tmp_path / "huge.zip").write_bytes(bytes(6 << 20))
    page.get_by_label("File").set_input_files(tmp_path / "huge.zip")
    told = page.get_by_label("File").evaluate("field => field.validationMessage")
    assert told == "This file has 6291456 bytes; at most 5242880 are taken."


def test_standings_move_while_one_watches_and_keep_the_focus(site: Site, ladder: Ladder) -> None:
    page = site.open("/ladders/arena/")
    link = page.locator("#standings").get_by_role("link", name="Random")
    link.focus()
    a_completed_set(ladder, list(Version.objects.filter(status="active", bot__entries__ladder=ladder)))
    factories.rate()
    expect(page.locator("#standings tbody tr").first.locator("td").nth(5)).to_have_text("2", timeout=30_000)
    expect(link).to_be_focused()


def test_everything_can_be_reached_and_done_by_keyboard(site: Site, ladder: Ladder) -> None:
    owner = a_user("olga")
    a_version(a_bot(owner, "Orchid"))
    page = site.open("/ladders/arena/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    tab_to(page, "sign in")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Name")).to_be_focused()
    page.keyboard.type("olga")
    page.keyboard.press("Tab")
    page.keyboard.type("the password of olga")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Enter the ladder")).to_be_visible()
    tab_to(page, "Enter the ladder")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("Orchid is in the Arena ladder.")
    assert Entry.objects.get(bot=Bot.objects.get(name="Orchid")).status == Entry.Status.PLAYING


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the element with these words has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            return
    pytest.fail(f"no Tab leads to {name}")


def test_a_match_tells_its_log_round_by_round(site: Site, ladder: Ladder) -> None:
    page = site.open("/ladders/arena/")
    page.locator("#matches").get_by_role("rowheader").get_by_role("link").first.click()
    page.get_by_text("Round 1", exact=True).click()
    expect(page.locator("details[open] .log").first).to_contain_text("is Commissioner")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_never_scrolls_sideways_and_words_stand_out(site: Site, ladder: Ladder, scheme: str) -> None:
    page = site.open("/", viewport=PHONE, color_scheme=scheme)
    sign_up(page, "nina")
    match = ladder.sets.get().matches.first()
    assert match is not None
    bot = Bot.objects.get(name="A long name with many words in it")
    for path in ("/", "/ladders/arena/", f"/bots/{bot.pk}/", f"/matches/{match.pk}/", "/upload/", "/tokens/"):
        page.goto(site.url + path)
        assert (path, page.evaluate("document.documentElement.scrollWidth")) == (path, PHONE["width"])
        assert (path, page.evaluate(FAINT)) == (path, [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_event_fits_a_phone_too(site: Site, scheme: str) -> None:
    event = play_out(a_running(5, KNOCKOUT, title="A cup whose name is rather long for a small screen"))
    page = site.open("/events/", viewport=PHONE, color_scheme=scheme)
    for path in ("/events/", f"/events/{event.slug}/"):
        page.goto(site.url + path)
        assert (path, page.evaluate("document.documentElement.scrollWidth")) == (path, PHONE["width"])
        assert (path, page.evaluate(FAINT)) == (path, [])
    expect(page.locator(".bracket > div")).to_have_count(3)


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


def test_without_javascript_every_page_still_tells_its_story(site: Site, ladder: Ladder) -> None:
    page = site.open("/", java_script_enabled=False)
    page.get_by_role("link", name="Arena").first.click()
    expect(page.locator("#standings")).to_contain_text("Marginal v1")
    sign_up(page, "nina")
    expect(page.get_by_role("status").first).to_contain_text("Welcome, nina.")
