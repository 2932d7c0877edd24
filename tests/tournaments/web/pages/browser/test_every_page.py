"""Every kind of page as axe reads it, and how it stands on a laptop, a wall, a phone and at 400 %, some in dark too."""

from collections.abc import Iterator

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page as Tab
from playwright.sync_api import ViewportSize

from tests.thorough import budget
from tests.tournaments.web.pages.browser.conftest import FAINT, LAPTOP, PHONE, Site
from tests.tournaments.web.pages.browser.narrow import NARROW, sideways, squeezed
from tests.tournaments.web.pages.browser.pages import NO_PAGES, PAGES, things
from tests.tournaments.web.pages.conftest import World
from tests.tournaments.web.pages.test_permissions import TABLE
from tournaments.models import User

WALL: ViewportSize = {"width": 2560, "height": 1440}
PEOPLE = ("nobody", "owner", "staff")
# What sticks out of the screen, and is not in a box of its own that scrolls.
WIDE = """() => [...document.querySelectorAll("body *")]
  .filter((element) => !element.closest(".table, .bracket, pre"))
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
  .map((element) => element.outerHTML.slice(0, 90))"""
# How a page is opened, on what screens it is looked at then, and which pages: the first of so many. It is the same page
# on a wall and on a phone, drawn anew.
SCREENS = [LAPTOP, WALL, PHONE, NARROW]
OPENED = [("light", SCREENS, 1), ("dark", [PHONE], budget(6, full=1))]
# Contrast is axe's dearest rule, and `FAINT` looks at it on every screen, more strictly.
OPTIONS = {"resultTypes": ["violations"], "rules": {"color-contrast": {"enabled": False}}}
# One of each kind. Of all pages `test_pages` reads what the server sends.
DRAWN = [*{page.name: page for page in reversed(PAGES)}.values()]


def test_axe_finds_nothing_and_every_page_fits_its_screen(site: Site, pages_world: World) -> None:
    named = things(pages_world)
    wrong: list[str] = []
    for person in PEOPLE:
        paths = [page.path.format_map(named) for page in DRAWN if page.by == person]
        assert paths
        wrong += wrong_for(site, getattr(pages_world, person, None), paths)
    assert not wrong, "\n".join(wrong)


def wrong_for(site: Site, person: User | None, paths: list[str]) -> Iterator[str]:
    for scheme, screens, step in OPENED:
        tab = site.open(person=person, viewport=screens[0], color_scheme=scheme)
        for path in paths[::step]:
            yield from (f"{path} {scheme} {fault}" for fault in seen(tab, site.url + path, screens))
        tab.context.close()


def seen(tab: Tab, address: str, screens: list[ViewportSize]) -> Iterator[str]:
    for turn, screen in enumerate(screens):
        tab.set_viewport_size(screen)
        if not turn:
            tab.goto(address)
        yield from (f"{screen['width']}: {fault}" for fault in faults(tab, screen))


def faults(tab: Tab, screen: ViewportSize) -> list[object]:
    if screen == NARROW:
        return squeezed(tab, WIDE)
    wrong = [*sideways(tab, WIDE), *tab.evaluate(FAINT)]
    if screen == LAPTOP:  # what axe reads is the same on every screen, and it takes its time
        for violation in Axe().run(tab, options=OPTIONS).response["violations"]:
            wrong += [(violation["id"], node["html"][:120]) for node in violation["nodes"]]
    return wrong


def test_every_page_of_the_site_is_among_them() -> None:
    shown = {row.name for row in TABLE if 200 in row.seen}
    assert shown - NO_PAGES == {page.name for page in PAGES}
