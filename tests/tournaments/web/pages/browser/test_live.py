"""A match under way, watched in a real browser, served by the real web server."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.plugin import DjangoDbBlocker

from tests.tournaments.web.pages.browser.conftest import PHONE, SMALL_LAPTOP, Site
from tests.tournaments.web.server.conftest import Played, a_match
from tests.tournaments.web.server.stand import Stand, a_stand
from tournaments.models import Attempt


@pytest.fixture(scope="module")
def server(browser: Browser, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Stand]:
    with django_db_blocker.unblock(), a_stand() as stand:
        yield stand


@pytest.fixture
def watched(server: Stand, transactional_db: None) -> Played:
    match = a_match(server)
    Attempt.objects.filter(match=match.number).update(outcome=Attempt.Outcome.PLAYING)
    match.tell(0, 3, absent={})
    return match


@pytest.fixture
def live(browser: Browser, watched: Played) -> Iterator[Site]:
    site = Site(browser, f"http://127.0.0.1:{watched.stand.port}")
    yield site
    for context in browser.contexts:
        context.close()
    assert site.wrong == []


def test_one_click_from_home_a_board_moves_and_tells_who_is_winning(live: Site, watched: Played) -> None:
    page = live.open("/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Live").click()
    expect(page.get_by_text("Being played now")).to_be_visible()
    log = page.get_by_role("list", name="What happened last")
    expect(log).to_be_visible()
    before = log.inner_text()
    watched.tell(3, 9)
    expect(log).not_to_have_text(before)
    expect(page.locator("[data-lead]")).to_contain_text("lead")
    watched.tell(9)
    page.get_by_label("Pace").select_option("as it comes")
    winner = watched.replay.players[watched.replay.result.places.index(1)].name
    expect(page.locator("[data-lead]")).to_contain_text(winner, timeout=60_000)
    expect(page.get_by_text("This match is over.")).to_be_visible(timeout=60_000)


def test_the_match_page_shows_the_board_too_and_fits_a_phone(live: Site, watched: Played) -> None:
    page = live.open(f"/matches/{watched.number}/", viewport=PHONE)
    expect(page.get_by_role("heading", name="The board, live")).to_be_visible()
    expect(page.get_by_role("list", name="What happened last")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_board_controls_and_whose_turn_it_is_fit_the_window(live: Site, watched: Played) -> None:
    page = live.open("/live/")
    expect(page.locator("[data-controls]")).to_be_visible()
    expect(page.locator("[data-asked]")).to_contain_text("Next: ")
    for window in (SMALL_LAPTOP, PHONE):
        page.set_viewport_size(window)
        for part in (".frame", "[data-asked]", "[data-now]", "[data-controls]"):
            box = page.locator(part).bounding_box()
            assert box, part
            assert box["height"] > 0, part
            assert box["y"] + box["height"] <= window["height"], part
            assert box["x"] + box["width"] <= window["width"], part


def test_home_shows_the_three_ways_in_and_then_a_match_that_is_told_as_it_moves(live: Site, watched: Played) -> None:
    for window in (PHONE, SMALL_LAPTOP):
        page = live.open("/", viewport=window)
        for name in ("Play now", "Watch", "Write a bot"):
            box = page.get_by_role("main").get_by_role("link", name=name, exact=True).first.bounding_box()
            assert box, name
            assert box["y"] + box["height"] <= window["height"], name
    sentence = page.locator("[data-now]")
    expect(sentence).to_be_visible()
    before = sentence.inner_text()
    watched.tell(3, 9)
    expect(sentence).not_to_have_text(before, timeout=20_000)
    expect(page.locator(".standing .emblem")).to_have_count(3)
    assert all(page.evaluate("[...document.querySelectorAll('.poster')].map((poster) => poster.loading === 'lazy')"))


def test_without_javascript_there_is_a_picture_and_a_way_to_look_again(live: Site, watched: Played) -> None:
    page = live.open("/live/", java_script_enabled=False)
    expect(page.locator("svg.picture.wide")).to_be_visible()
    page.get_by_role("link", name="Reload").click()
    expect(page.locator(".standing li")).to_have_count(3)
