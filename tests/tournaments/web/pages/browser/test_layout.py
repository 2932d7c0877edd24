"""On every page of the contact sheet: words that are cut, covered or too small, what lies under a bar that stays, what
is wider than the screen, and words of a board over others."""

from typing import Final

import pytest
from playwright.sync_api import Browser
from playwright.sync_api import Page as Tab

from tests.thorough import budget
from tests.tournaments.web.pages.browser.conftest import PHONE, SMALL_LAPTOP, Site
from tests.tournaments.web.pages.browser.contact_sheet import LOOKS, READY, SCREENS, Look, opened
from tests.tournaments.web.pages.browser.narrow import sideways
from tests.tournaments.web.pages.browser.pages import PAGES, Page, things
from tests.tournaments.web.pages.browser.test_board_words import LOOSE, OVERPRINTED
from tests.tournaments.web.pages.browser.test_every_page import DRAWN, WIDE
from tests.tournaments.web.pages.conftest import World

DESIGN: Final = next(page for page in PAGES if page.path == "/docs/design/")
LOOKED_AT: Final = [*DRAWN, DESIGN]
# In German, whose words are longer, on a phone and a laptop; the other looks and the desk with full budgets.
USUAL: Final = [look for look in LOOKS if (look.scheme, look.language) == ("light", "de")]
SEEN_AS: Final = [*USUAL, *[look for look in LOOKS if look not in USUAL]][: budget(len(USUAL), full=len(LOOKS))]
WINDOWS: Final = SCREENS[: budget(2, full=3)]
SMALLEST: Final = 12  # pixels of a letter
OF_BOARDS: Final = {PHONE["width"]: 10}  # in a board, which has a whole match in it: as test_board_sizes.py
OF_WIDE_BOARDS: Final = 11
MOST: Final = 6  # faults of a kind on a page are enough to see what is wrong
# Every element that has words of its own, with the boxes of their lines.
WORDED: Final = """
  const hidden = ".unseen, [aria-hidden=true], option, noscript, template, script, style, title";
  const named = (element) => `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} `
    + `“${element.textContent.trim().slice(0, 50)}”`;
  const seen = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(hidden);
  const words = (element) => [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
  const worded = [...document.body.querySelectorAll("*")].filter((element) => words(element).length && seen(element));
  const boxes = (element) => words(element).flatMap((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
  });
"""
SMALL: Final = f"""([smallest, ofBoards]) => {{
  {WORDED}
  const size = (element) => {{
    const matrix = element instanceof SVGElement ? element.getScreenCTM() : null;
    return parseFloat(getComputedStyle(element).fontSize) * (matrix ? Math.hypot(matrix.b, matrix.d) : 1);
  }};
  const least = (element) => (element.closest(".frame") ? ofBoards : smallest) - 0.05;
  return worded.filter((element) => boxes(element).length && size(element) < least(element))
    .map((element) => `${{size(element).toFixed(1)}} pixels: ${{named(element)}}`);
}}"""
CUT: Final = f"""() => {{
  {WORDED}
  const hides = (overflow) => ["hidden", "clip"].includes(overflow);
  const cuts = (box, around) => {{
    const {{ overflowX, overflowY }} = getComputedStyle(around), edge = around.getBoundingClientRect();
    return hides(overflowX) && (box.right > edge.right + 1.5 || box.left < edge.left - 1.5)
      || hides(overflowY) && (box.bottom > edge.bottom + 3 || box.top < edge.top - 3);
  }};
  const around = (element) => element && element !== document.body ? [element, ...around(element.parentElement)] : [];
  const scrolls = (element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
  const inside = (element) => {{
    const all = around(element), until = all.findIndex(scrolls);
    return until < 0 ? all : all.slice(0, until);
  }};
  return worded.filter((element) => inside(element).some((each) => boxes(element).some((box) => cuts(box, each))))
    .map((element) => `cut: ${{named(element)}}`);
}}"""
COVERED: Final = f"""() => {{
  {WORDED}
  const own = (one, other) => one.contains(other) || other.contains(one) || one.closest("label")?.contains(other);
  const there = ({{ left, right, top, bottom }}) => document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const wrong = [];
  for (const element of worded.filter((each) => !(each instanceof SVGElement))) {{
    element.scrollIntoView({{ block: "center", behavior: "instant" }});
    const all = boxes(element), box = all[all.length >> 1], over = box && there(box);
    if (over && !own(element, over)) wrong.push(`covered: ${{named(element)}} by ${{named(over)}}`);
  }}
  const kinds = "a[href], button, select, textarea, summary, input:not([type=hidden])";
  const pressed = [...document.querySelectorAll(kinds)];
  for (const element of pressed.filter((each) => seen(each) && !(each instanceof SVGElement))) {{
    element.scrollIntoView({{ block: "nearest", behavior: "instant" }});
    const box = element.getClientRects()[0], over = box && box.width > 1 && there(box);
    if (over && !own(element, over)) wrong.push(`under a bar: ${{named(element)}} under ${{named(over)}}`);
  }}
  scrollTo(0, 0);
  return wrong;
}}"""


@pytest.mark.parametrize("look", SEEN_AS, ids=lambda look: f"{look.by}-{look.scheme}-{look.language}")
def test_nothing_is_cut_covered_small_or_beside_its_place(site: Site, pages_world: World, look: Look) -> None:
    named = things(pages_world)
    tab, wrong = opened(site, pages_world, look, WINDOWS[0]), list[str]()
    for page in (page for page in LOOKED_AT if page.by == look.by):
        wrong += faults_of(tab, page, site.url + page.path.format_map(named))
    assert not wrong, "\n".join(wrong)


def faults_of(tab: Tab, page: Page, address: str) -> list[str]:
    tab.goto(address)
    tab.evaluate(READY)
    wrong: list[str] = []
    for window in WINDOWS:
        tab.set_viewport_size(window)
        wrong += [f"{page.path} {window['width']}: {fault}" for fault in faults(tab, window["width"])]
    return wrong


def faults(tab: Tab, width: int) -> list[object]:
    small = tab.evaluate(SMALL, [SMALLEST, OF_BOARDS.get(width, OF_WIDE_BOARDS)])
    kinds = (small, tab.evaluate(CUT), tab.evaluate(COVERED), tab.evaluate(OVERPRINTED, LOOSE), sideways(tab, WIDE))
    return [fault for kind in kinds for fault in kind[:MOST]]


# What sticks out of the box of a table about ratings.
SCROLLED: Final = """() => [
  ...document.querySelectorAll(":is(#standings, #versions, #moves, #overall) > .table:not(#card)")
].filter((box) => box.scrollWidth > box.clientWidth + 1)
  .map((box) => `${box.scrollWidth} in ${box.clientWidth}: ${box.getAttribute("aria-labelledby")}`)"""


@pytest.mark.parametrize("look", USUAL, ids=lambda look: look.by)
def test_tables_of_ratings_are_whole_on_a_phone_and_a_laptop(site: Site, pages_world: World, look: Look) -> None:
    named = things(pages_world)
    tab, wrong = opened(site, pages_world, look, WINDOWS[0]), list[str]()
    for path in ("/ladders/arena/", "/ladders/arena/?details=1", "/overall/", "/bots/{bot}/?ladder=arena"):
        tab.goto(site.url + path.format_map(named))
        for window in (PHONE, SMALL_LAPTOP):
            tab.set_viewport_size(window)
            wrong += [f"{path} {window['width']}: {fault}" for fault in tab.evaluate(SCROLLED)]
    assert not wrong, "\n".join(wrong)


ODD = """<style>div { width: 60px; height: 20px; overflow: hidden; white-space: nowrap } p { margin: 0; height: 20px }
b { position: fixed; bottom: 0; left: 0; width: 400px; height: 60px; background: #fff } small { font-size: 9px }</style>
<div>much longer than its room</div><small>tiny</small><svg width=200 height=50><text y=20>one</text>
<text x=20 y=20>two</text></svg><p style="height: 1000px"></p><button>under</button><b>bar</b>
<p style="width: 900px">wide</p>"""


def test_each_fault_is_found(browser: Browser) -> None:
    tab = browser.new_page(viewport=PHONE)
    tab.set_content(ODD)
    lines = "\n".join(map(str, faults(tab, PHONE["width"])))
    for words in ("9.0 pixels: small", "cut: div", "under a bar: button", "one on two", "908 wide"):
        assert words in lines, lines
    tab.close()
