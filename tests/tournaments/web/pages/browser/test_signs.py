"""What the signs of a board mean, by tap and by keyboard: each says its words, in the film of each game and in play."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from bots.viewer import film_page
from bots.viewer.perspectives import eyes_of
from engine.games import GAMES
from tests.bots.viewer.replays import replay_of
from tests.tournaments.web.pages.browser.conftest import PHONE, SMALL_LAPTOP, Site
from tests.tournaments.web.pages.browser.test_play_places import PLACE, a_game, is_asked, opened
from tests.tournaments.web.pages.conftest import World

TAPPED = 12  # signs of a board
# The middles of signs that lie on top there, on the screen, each with its words.
MIDDLES = """() => [...document.querySelectorAll(".frame svg.picture :has(> title)")].flatMap((sign) => {
  const { left, top, width, height } = sign.getBoundingClientRect();
  const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
  const on = document.elementFromPoint(x, y)?.closest(":has(> title)");
  return width && on === sign ? [[x, y, sign.querySelector(":scope > title").textContent]] : [];
})"""
# From the board's frame by Enter and arrows alone: how many signs one comes to, of how many, and what says nothing.
REACHED = """async () => {
  const frame = document.querySelector(".frame"), tip = document.getElementById("sign-words");
  const press = (on, key) => on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  frame.focus();
  press(frame, "Enter");
  const seen = new Set([document.activeElement]), places = new Set(), all = new Set();
  for (const sign of seen) for (const way of ["Left", "Right", "Up", "Down"]) {
    sign.focus({ preventScroll: true });
    press(sign, `Arrow${way}`);
    seen.add(document.activeElement);
  }
  const place = (sign) => {
    const { left, top, width, height } = sign.getBoundingClientRect();
    return width ? `${Math.round(left + width / 2)} ${Math.round(top + height / 2)}` : "";
  };
  for (const sign of seen) places.add(place(sign));
  for (const sign of frame.querySelectorAll("svg.picture :has(> title)")) {
    if (!sign.closest("[data-part=places]")) all.add(place(sign));
  }
  all.delete("");
  return [[...all].filter((each) => !places.has(each)).length, all.size, seen.has(frame)];
}"""


def tip_of(tab: Page) -> Locator:
    return tab.locator("#sign-words")


def check_in_window(tab: Page) -> None:
    box, size = tip_of(tab).bounding_box(), tab.viewport_size
    assert box
    assert size
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    assert box["y"] >= 0
    assert tab.evaluate("document.documentElement.scrollWidth") <= size["width"]


@pytest.mark.parametrize("screen", [SMALL_LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("game", GAMES)
def test_signs_of_a_film_say_what_they_are_by_tap_and_by_keyboard(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, game: str, screen: ViewportSize
) -> None:
    monkeypatch.setattr(film_page, "eyes_of", lambda replay: eyes_of(replay)[:1])
    replay, file, wrong = replay_of(f"{game}-3"), tmp_path / "film.html", list[str]()
    file.write_text(film_page.page(replay, step=len(replay.answers) // 2))
    with browser.new_context(viewport=screen, has_touch=True) as context:
        tab = context.new_page()
        tab.on("console", lambda message: wrong.append(message.text))
        tab.goto(file.as_uri())
        tab.evaluate("document.querySelector('replay-film').ready")
        tab.locator(".frame").scroll_into_view_if_needed()
        middles = tab.evaluate(MIDDLES)
        assert len(middles) > TAPPED
        for x, y, words in middles[:: len(middles) // TAPPED]:
            tab.touchscreen.tap(x, y)
            expect(tip_of(tab)).to_have_text(words)
            check_in_window(tab)
        tab.keyboard.press("Escape")
        expect(tip_of(tab)).to_be_hidden()
        moment = tab.locator("#scrub").input_value()
        tab.locator(".frame").focus()
        tab.keyboard.press("Enter")
        expect(tip_of(tab)).to_be_visible()
        first = tip_of(tab).text_content()
        tab.keyboard.press("ArrowDown")
        tab.keyboard.press("ArrowRight")
        expect(tip_of(tab)).not_to_have_text(first or "")
        check_in_window(tab)
        assert tab.locator("#scrub").input_value() == moment  # arrows on the frame itself go through the match
        tab.keyboard.press("Escape")
        expect(tip_of(tab)).to_be_hidden()
        expect(tab.locator(".frame")).to_be_focused()
        missed, signs, away = tab.evaluate(REACHED)
        assert (missed, away) == (0, False), f"{missed} of {signs} signs are not reached"
    assert wrong == []


def test_a_sign_that_is_drawn_anew_is_silent_and_keys_go_on_at_the_board(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(film_page, "eyes_of", lambda replay: eyes_of(replay)[:1])
    file = tmp_path / "film.html"
    file.write_text(film_page.page(replay_of("network-3"), step=20))
    tab = browser.new_page(viewport=SMALL_LAPTOP)
    tab.goto(file.as_uri())
    tab.locator(".frame").focus()
    tab.keyboard.press("Enter")
    expect(tip_of(tab)).to_be_visible()
    tab.evaluate("document.activeElement.closest('[data-part]').replaceChildren()")
    expect(tab.locator(".frame")).to_be_focused()
    tab.close()


def test_choices_of_a_game_are_chosen_as_before_and_say_their_words_at_focus(site: Site, pages_world: World) -> None:
    practice = a_game("network", pages_world.owner)
    tab = opened(site, practice)
    assert is_asked(tab, practice)
    choice = tab.locator(PLACE).first
    choice.click()
    expect(tip_of(tab)).to_be_hidden()
    expect(tab.locator(f"{PLACE}.picked, [data-menu] button").first).to_be_visible()
    tab.keyboard.press("Escape")
    tab.locator(".frame").focus()
    tab.keyboard.press("Enter")
    expect(tip_of(tab)).to_be_visible()
    choice.focus()
    expect(tip_of(tab)).to_be_visible()
    tab.keyboard.press("Enter")
    expect(tab.locator(f"{PLACE}.picked, [data-menu] button").first).to_be_visible()


def test_a_guided_step_says_what_its_signs_are(site: Site) -> None:
    tab = site.open("/learn/network/1/", viewport=PHONE)
    tab.locator(".picture.slim .on-seat").first.click()
    expect(tip_of(tab)).to_contain_text("Seat")
    check_in_window(tab)
