"""A wall turns by itself, by keys, and not at all where less movement is wanted."""

import re

import pytest
from playwright.sync_api import expect

from tests.factories import a_completed_set
from tests.holding import KNOCKOUT, a_running, play_out
from tests.tournaments.web.pages.browser.conftest import LAPTOP, Site
from tests.tournaments.web.pages.browser.contact_sheet import SCREENS
from tests.tournaments.web.pages.browser.test_layout import faults
from tournaments.features.walls.views import BOARD_SECONDS, BOARDS
from tournaments.models import Ladder

PATH = "/ladders/arena/wall/"
# What has been opened of streams, and how many of these are not closed.
COUNTED = """(() => {
  const Source = window.EventSource;
  window.streams = [];
  window.EventSource = class extends Source { constructor(address) { super(address); window.streams.push(this); } };
})()"""
# Several boards are for who plays and leads; and these tests play at random, which crowds boards.
SMALL_ON_BOARDS = re.compile(r"[\d.]+ pixels: text").match
OPEN = "window.streams.filter((stream) => stream.readyState !== EventSource.CLOSED).length"


def test_keys_step_and_hold_and_the_address_says_what_is_shown(site: Site, ladder: Ladder) -> None:
    page = site.open(PATH)
    expect(page.locator(".wall-board")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".wall-table tbody tr")).to_have_count(3)
    expect(page).to_have_url(f"{site.url}{PATH}?view=2")
    page.keyboard.press("Space")
    expect(page.get_by_role("link", name="Go on", exact=True)).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".wall-board")).to_have_count(1)
    expect(page.get_by_role("link", name="Go on", exact=True)).to_be_visible()  # it still holds


def test_it_turns_by_itself_unless_less_movement_is_wanted(site: Site, ladder: Ladder) -> None:
    for motion, shown in (("no-preference", 1), ("reduce", 0)):
        page = site.open("/docs/", reduced_motion=motion)
        page.clock.install()
        page.goto(site.url + PATH)
        expect(page.locator(".wall-board")).to_have_count(1)
        page.clock.run_for(46_000)
        if shown:
            expect(page.locator(".wall-table")).to_have_count(1)
        else:
            expect(page.get_by_role("link", name="Go on", exact=True)).to_be_visible()
            assert page.url == site.url + PATH


def test_a_wall_has_as_many_streams_as_boards_and_asks_once_for_each_view(site: Site, ladder: Ladder) -> None:
    a_completed_set(ladder, [entry.bot.versions.get() for entry in ladder.entries.all()])
    page = site.open("/docs/", reduced_motion="no-preference")
    page.add_init_script(COUNTED)
    page.clock.install()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if PATH in request.url else None)
    page.goto(f"{site.url}{PATH}?boards={BOARDS}")
    expect(page.locator(".wall-board")).to_have_count(BOARDS)
    for shown, opened in ((0, 1), (BOARDS, 2), (0, 2), (BOARDS, 3)):
        page.clock.run_for(BOARD_SECONDS * 1000)
        expect(page.locator(".wall-board")).to_have_count(shown)
        assert page.evaluate("window.streams.length") == opened * BOARDS
        assert shown or page.evaluate(OPEN) == 0
    assert len(asked) == 5


def test_an_overlay_leaves_the_view_alone_on_nothing(site: Site, ladder: Ladder) -> None:
    page = site.open(f"{PATH}?overlay=1&view=2")
    for part in (".wall-head", ".wall-foot"):
        box = page.locator(part).bounding_box()
        assert box, part
        assert (box["width"], box["height"]) == (1, 1), part
    for part in ("html", "body"):
        assert page.locator(part).evaluate("(part) => getComputedStyle(part).backgroundColor") == "rgba(0, 0, 0, 0)"
    page.keyboard.press("Tab")  # who works without a mouse sees the ways on
    expect(page.get_by_role("link", name="Back", exact=True)).to_be_focused()
    box = page.locator(".wall-foot").bounding_box()
    assert box
    assert box["width"] > 100


def test_board_words_and_standing_fit_the_window(site: Site, ladder: Ladder) -> None:
    page = site.open(PATH)
    for part in (".frame", "[data-now]", ".standing", ".wall-foot"):
        box = page.locator(part).bounding_box()
        assert box, part
        assert box["height"] > 0, part
        assert box["y"] + box["height"] <= LAPTOP["height"] + 1, part
    assert page.evaluate("document.documentElement.scrollHeight") == LAPTOP["height"]


@pytest.mark.parametrize("query", ["", "&boards=4&overlay=1"])
def test_no_view_is_cut_covered_or_too_small(site: Site, ladder: Ladder, query: str) -> None:
    event = play_out(a_running(6, {**KNOCKOUT, "bracket": "fixed"}))
    page, wrong = site.open("/robots.txt", locale="de"), list[str]()
    for path in ("/live/wall/", PATH, f"/events/{event.slug}/wall/"):
        for view in range(1, 5):
            address = f"{path}?hold=1&view={view}{query}"
            page.goto(site.url + address)
            for screen in SCREENS:
                page.set_viewport_size(screen)
                serious = [fault for fault in map(str, faults(page, screen["width"])) if not SMALL_ON_BOARDS(fault)]
                wrong += [f"{address} {screen['width']}: {fault}" for fault in serious]
    assert not wrong, "\n".join(wrong)


def test_without_javascript_the_next_view_is_a_link_away(site: Site, ladder: Ladder) -> None:
    page = site.open(PATH, java_script_enabled=False)
    page.get_by_role("link", name="Next", exact=True).click()
    expect(page.locator(".wall-table tbody tr")).to_have_count(3)
    page.get_by_role("link", name="Back", exact=True).click()
    expect(page.locator(".wall-board")).to_have_count(1)
