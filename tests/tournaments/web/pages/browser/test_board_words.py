"""Boards in German, whose words are longer: none is drawn over another or at a badge, on a phone and on a laptop."""

import pytest
from playwright.sync_api import Browser

from bots.viewer import film_page
from bots.viewer.film_chunks import find_moment
from bots.viewer.language import told_in
from bots.viewer.perspectives import eyes_of
from engine.games import GAMES
from tests.bots.viewer.replays import replay_of
from tests.tournaments.web.pages.browser.conftest import PHONE, SMALL_LAPTOP
from tournaments.core.config.match_languages import match_language

PARTS = 12  # of a match, at whose ends one looks
LOOSE = 2  # pixels by which letters, which are lower than their box, may reach over each other
# A part drawn over another covers its words on purpose; such a word does not lie on top at its own middle.
OVERPRINTED = """(loose) => {
  const onTop = (text, { left, right, top, bottom }) =>
    text.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  const seen = ([text, box]) => text.textContent.trim() && box.width && onTop(text, box);
  const boxed = [...document.querySelectorAll("svg text")].map((text) => [text, text.getBoundingClientRect()]);
  const all = boxed.filter(seen);
  const wrong = [];
  for (const [place, [one, a]] of all.entries()) for (const [other, b] of all.slice(place + 1)) {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    const much = high > 0.45 * Math.min(a.height, b.height);
    if (wide > loose && much) wrong.push(`${one.textContent} on ${other.textContent}`);
  }
  return wrong;
}"""
# A badge is the shape of a seat's colour with its number on it. Letters are lower than their box, by a fifth on each
# side.
TOUCHED = """(gap) => {
  const parts = (selector) => [...document.querySelectorAll(selector)];
  const words = parts("svg text:not(.on-seat)").filter((text) => text.textContent.trim());
  const boxed = words.map((text) => [text.textContent, text.getBoundingClientRect()]).filter(([, box]) => box.width);
  const wrong = [];
  for (const badge of parts("svg path[class^=seat-]:has(+ .on-seat)")) {
    const within = badge.getScreenCTM().inverse();
    const covers = (x, y) => badge.isPointInFill(new DOMPoint(x, y).matrixTransform(within));
    for (const [text, { left, right, top, height }] of boxed) {
      const heights = [0.2, 0.5, 0.8].map((part) => top + part * height);
      const ends = [left - gap, left + height / 4, right - height / 4, right + gap];
      if (heights.some((y) => ends.some((x) => covers(x, y)))) wrong.push(`${text} at a badge`);
    }
  }
  return wrong;
}"""
GAP = 0.5  # pixels at least between words and a badge


@pytest.mark.parametrize("game", GAMES)
def test_no_word_of_a_board_is_drawn_over_another_or_at_a_badge(browser: Browser, game: str) -> None:
    replay = replay_of(f"{game}-3")
    style = "\n".join(film_page.read_asset(name) for name in ("tokens.css", "site.css", "boards.css"))
    tab, wrong = browser.new_page(), set[str]()
    (everybody, *_), last = eyes_of(replay), len(replay.answers)
    with told_in(match_language("de")):
        pictures = [
            find_moment(replay, everybody.perspective, last * part // PARTS).picture.svg() for part in range(PARTS + 1)
        ]
    for picture in pictures:
        tab.set_content(f"<style>{style} .frame {{ height: 95vh; }}</style><div class='frame'>{picture}</div>")
        for window in (PHONE, SMALL_LAPTOP):
            tab.set_viewport_size(window)
            faults = [*tab.evaluate(OVERPRINTED, LOOSE), *tab.evaluate(TOUCHED, GAP)]
            wrong |= {f"{window['width']}: {fault}" for fault in faults}
    assert sorted(wrong) == []
