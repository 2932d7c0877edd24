"""A fixed bracket on a screen, on a phone, without JavaScript and on paper."""

import re
from io import BytesIO
from typing import Any

import pytest
from playwright.sync_api import Page as Tab
from playwright.sync_api import ViewportSize, expect

from tests.holding import a_running, play_out, play_round
from tests.tournaments.web.pages.browser.conftest import LAPTOP, PHONE, Site, phone_faults
from tournaments.models import Event

FIXED: dict[str, Any] = {"t": "knockout", "bracket": "fixed", "third_place": True}
# The middle of each table of the second round, and that of the two which fill it.
MIDDLES = """() => {
  const middle = (element) => (({top, bottom}) => (top + bottom) / 2)(element.getBoundingClientRect());
  const tables = (step) => [...step.querySelectorAll(".duel")].map(middle);
  const [first, second] = [...document.querySelectorAll(".step")].map(tables);
  return second.map((at, table) => Math.abs(at - (first[2 * table] + first[2 * table + 1]) / 2))
}"""


def test_each_table_stands_half_way_between_those_that_fill_it(site: Site) -> None:
    event = a_running(7, FIXED)
    tab = site.open(f"/events/{event.slug}/")
    expect(tab.locator(".step")).to_have_count(3)
    assert max(tab.evaluate(MIDDLES)) < 2
    expect(tab.locator(".step").nth(1)).to_contain_text("Winner of table 2")
    expect(tab.locator(".third")).to_contain_text("Loser of table 1")


def test_it_fits_a_phone_and_can_be_read(site: Site) -> None:
    event = a_running(6, FIXED, title="A cup whose name is rather long for a small screen")
    play_round(event)
    tab = site.open(f"/events/{event.slug}/", viewport=PHONE)
    assert phone_faults(tab) == []


def test_a_keyboard_scrolls_it_and_follows_its_links_without_javascript(site: Site) -> None:
    event = play_out(a_running(8, FIXED))
    tab = site.open(f"/events/{event.slug}/", java_script_enabled=False, viewport={"width": 700, "height": 600})
    tab.locator(".tree").focus()
    tab.keyboard.press("Tab")
    expect(tab.locator(".tree a:focus")).to_have_count(1)
    expect(tab.locator(".third .on, .step:last-child .on")).to_have_count(1)


def test_rounds_that_are_paired_anew_are_whole_on_paper_too(site: Site) -> None:
    event = play_out(a_running(8, {"t": "knockout", "third_place": True}))
    paper: ViewportSize = {"width": 700, "height": 1000}  # as wide as A4 within its margins
    tab = site.open(f"/events/{event.slug}/", viewport=paper)
    tab.emulate_media(media="print")
    columns = tab.locator(".bracket > div")
    expect(columns).to_have_count(3)
    assert columns.last.evaluate("(column) => column.getBoundingClientRect().right") <= paper["width"]
    expect(columns.last.locator(".board")).to_have_count(2)  # the final, and the match for the third place


def sheets(tab: Tab) -> list[str]:
    """The sizes of the pages of the print, in points."""
    return re.findall(
        r"/MediaBox \[0 0 ([\d.]+ [\d.]+)\]", BytesIO(tab.pdf(prefer_css_page_size=True)).read().decode("latin-1")
    )


def landscape(sizes: list[str]) -> int:
    return sum(float(size.split()[0]) > float(size.split()[1]) for size in sizes)


@pytest.mark.parametrize(("count", "pages"), [(8, 1), (16, 1), (64, 3)])
def test_on_paper_it_stands_on_pages_of_its_own_black_on_white(site: Site, count: int, pages: int) -> None:
    event: Event = a_running(count, FIXED)
    tab = site.open(f"/events/{event.slug}/", color_scheme="dark", viewport=LAPTOP)
    assert 1 <= landscape(sheets(tab)) <= pages
    tab.emulate_media(media="print", color_scheme="dark")
    colours = "([body, duel]) => [getComputedStyle(body).backgroundColor, getComputedStyle(duel).color]"
    assert tab.evaluate(f"({colours})([document.body, document.querySelector('.duel')])") == [
        "rgb(255, 255, 255)",
        "rgb(0, 0, 0)",
    ]
