"""Every page as people see it, as pictures, and one HTML file that shows them beside each other.

`FOLDER=/tmp/sheet python3 manage.py test tests/tournaments/web/pages/browser/contact_sheet.py`: on a phone, a laptop
and a desk, in both themes and languages; with `NAMES="home bot"` only the pages whose route is called so. All take
some ten minutes.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby, product
from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import FloatRect, ViewportSize
from playwright.sync_api import Page as Tab

from tests.tournaments.web.pages.browser.conftest import PHONE, SCHEMES, SMALL_LAPTOP, Site
from tests.tournaments.web.pages.browser.pages import PAGES, Page, things
from tests.tournaments.web.pages.conftest import World

DESK: Final[ViewportSize] = {"width": 1920, "height": 1080}
SCREENS: Final = (PHONE, SMALL_LAPTOP, DESK)
LANGUAGES: Final = ("en", "de")
PEOPLE: Final = ("nobody", "owner", "staff")
HIGHEST: Final = 3_000  # pixels of a picture
READY: Final = "document.querySelector('replay-film')?.ready"
# What comes only when somebody scrolls near it: pictures, and parts with a page of their own.
COMPLETE: Final = """async () => {
  for (const image of document.images) image.loading = "eager";
  await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  const missing = () => document.querySelector("[data-fetched]");
  missing()?.scrollIntoView();
  for (let frame = 0; missing() && frame < 300; frame++) await new Promise(requestAnimationFrame);
  scrollTo(0, 0);
}"""
STYLE: Final = """body { font: 14px system-ui; margin: 1rem } table { border-collapse: collapse }
td, th { padding: 4px; vertical-align: top; text-align: left } img { width: 180px; border: 1px solid #999 }"""


@dataclass(frozen=True, slots=True)
class Look:
    """How somebody sees the pages."""

    by: str
    scheme: Literal["light", "dark"]
    language: str


@dataclass(frozen=True, slots=True)
class Shot:
    page: Page
    look: Look
    width: int

    @property
    def file(self) -> str:
        number = PAGES.index(self.page)
        return f"{number:03}-{self.page.name}-{self.width}-{self.look.scheme}-{self.look.language}.png"


LOOKS: Final = [Look(*chosen) for chosen in product(PEOPLE, SCHEMES, LANGUAGES)]


def opened(site: Site, world: World, look: Look, screen: ViewportSize) -> Tab:
    """Return an empty tab in which pages have that look."""
    person = getattr(world, look.by, None)
    return site.open("/robots.txt", person=person, viewport=screen, color_scheme=look.scheme, locale=look.language)


def drawn(site: Site, world: World, pages: list[Page]) -> Iterator[tuple[Shot, Tab]]:
    """Yield each page in each look on each screen."""
    named = things(world)
    for look in LOOKS:
        tab = opened(site, world, look, PHONE)
        for page in (page for page in pages if page.by == look.by):
            tab.goto(site.url + page.path.format_map(named))
            tab.evaluate(READY)
            tab.evaluate(COMPLETE)
            for screen in SCREENS:
                tab.set_viewport_size(screen)
                yield Shot(page, look, screen["width"]), tab
        tab.context.close()


def test_every_page_is_drawn(site: Site, pages_world: World) -> None:
    folder, names = Path(os.environ["FOLDER"]), os.environ.get("NAMES", "").split()
    folder.mkdir(parents=True, exist_ok=True)
    shots = []
    for shot, tab in drawn(site, pages_world, [page for page in PAGES if not names or page.name in names]):
        high = min(HIGHEST, tab.evaluate("document.documentElement.scrollHeight"))
        clip: FloatRect = {"x": 0, "y": 0, "width": shot.width, "height": high}
        tab.screenshot(path=folder / shot.file, full_page=True, clip=clip, animations="disabled")
        shots.append(shot)
    (folder / "index.html").write_text(index(shots))


def index(shots: list[Shot]) -> str:
    """Return a page with a line for each page and a column for each width, theme and language."""
    ordered = sorted(shots, key=lambda shot: (PAGES.index(shot.page), shot.width, shot.file))
    rows = []
    for page, row in groupby(ordered, key=lambda shot: shot.page):
        cells = "".join(f"<td>{thumbnail(shot)}</td>" for shot in row)
        rows.append(f"<tr><th>{escape(page.name)}<br>{escape(page.by)}<br>{escape(page.path)}</th>{cells}</tr>")
    table = f"<table>{''.join(rows)}</table>"
    return f"<!doctype html><meta charset=utf-8><title>Contact sheet</title><style>{STYLE}</style>{table}"


def thumbnail(shot: Shot) -> str:
    words = f"{shot.width} {shot.look.scheme} {shot.look.language}"
    return f'{words}<br><a href="{shot.file}"><img src="{shot.file}" alt="{words}" loading="lazy"></a>'
