"""What pages with boards weigh on the line, counted by a browser before the real web server."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser
from pytest_django.plugin import DjangoDbBlocker

from tests.factories import a_bot, a_completed_set, a_ladder, a_version, rate
from tests.tournaments.web.pages.browser.conftest import SMALL_LAPTOP
from tests.tournaments.web.server.stand import Stand, a_stand

HEAVIEST = 150_000  # bytes before the replay, with all pictures
FIRST = 60_000  # bytes until there is a board: on Slow 3G, 50 kB and two and a half turns a second, in less than 3 s
REPLAY = "/film/"
# A promise, for the page's policy lets nobody ask again and again by a text.
IMAGES = """Promise.all([...document.images].map(
    (image) => image.complete || new Promise((done) => { image.onload = image.onerror = done })))"""


@pytest.fixture(scope="module")
def server(browser: Browser, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Stand]:
    with django_db_blocker.unblock(), a_stand() as stand:
        yield stand


@pytest.mark.usefixtures("transactional_db")
def test_a_page_weighs_little_before_its_replay_comes(browser: Browser, server: Stand) -> None:
    versions = [a_version(a_bot(name=name)) for name in ("Ann", "Bea", "Cleo")]
    match = a_completed_set(a_ladder("arena"), versions).matches.earliest("pk").pk
    rate()
    for path in (f"/matches/{match}/", "/", "/ladders/arena/"):
        came = loaded(browser, f"http://127.0.0.1:{server.port}{path}")
        before = {address: size for address, (_, size) in came.items() if REPLAY not in address}
        assert 10_000 < sum(before.values()) <= HEAVIEST, before
        first = [size for kind, size in came.values() if kind in ("Document", "Stylesheet")]
        assert sum(first) <= FIRST, came
        assert path != f"/matches/{match}/" or len(before) < len(came)  # the replay has come, and was not counted


def loaded(browser: Browser, address: str) -> dict[str, tuple[str, int]]:
    """Kind and bytes of what a whole page loads, by address; bytes as they were sent, with their headers."""
    context = browser.new_context(viewport=SMALL_LAPTOP)
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    asked: dict[str, Any] = {}
    sizes: dict[str, int] = {}
    line.on("Network.responseReceived", lambda event: asked.update({event["requestId"]: event}))
    line.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    page.goto(address)
    page.evaluate("document.querySelector('replay-film')?.ready")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.evaluate(IMAGES)
    context.close()
    return {event["response"]["url"]: (event["type"], sizes.get(number, 0)) for number, event in asked.items()}
