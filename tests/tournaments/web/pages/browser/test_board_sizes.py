"""Every board in a browser, on a laptop, a phone and a wall, in each phase of each recorded game: seen whole beside its
controls, in letters one can read, with places that can be hit."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from bots.viewer import film_page
from bots.viewer.answer_forms import form_of
from bots.viewer.commentary import names_of
from bots.viewer.perspectives import eyes_of
from engine.core import Match
from engine.games import GAMES
from engine.replay import Replay, advance, playback, read_replay
from tests.bots.viewer.test_places import places_of
from tests.games.record import RECORDED
from tests.tournaments.web.pages.browser.conftest import PHONE, SMALL_LAPTOP, Site
from tournaments.models import Ladder

# The games with the most players that are recorded, for they have the least room; and long ones.
PLAYED = ["zaibatsu-4", "zaibatsu-3", "kaiju-5", "kaiju-2", "shangzhou-4", "gigabucks-8", "network-6", "network-2"]
MOMENTS = (0, 0.2, 0.45, 0.7, 0.9, 1)  # of a match; and one of each phase
SCREENS: dict[str, tuple[ViewportSize, float]] = {  # and how many pixels letters have at least
    "laptop": (SMALL_LAPTOP, 11.0),
    "phone": (PHONE, 10.0),
    "desk": ({"width": 1920, "height": 1080}, 11.0),
    "wall": ({"width": 3840, "height": 2160}, 11.0),
}
TARGET = 24  # pixels
PLAYING = {"laptop": (968, 608), "phone": (374, 583)}  # what a game of one's own leaves the board there
# Where a game of one's own has its board: how large places are, and the smallest letters.
PLACES = """([places, [width, height]]) => {
  const frame = document.querySelector(".frame"), seen = (element) => element.getClientRects().length > 0;
  Object.assign(frame.style, { width: `${width}px`, height: `${height}px` });
  const smaller = (element) => Math.min(element.getBoundingClientRect().width, element.getBoundingClientRect().height);
  const size = (text) => {
    const { b, d } = text.getScreenCTM();
    return Math.hypot(b, d) * parseFloat(getComputedStyle(text).fontSize);
  };
  const sizes = places.map((place) => {
    const shapes = [...frame.querySelectorAll(`[data-place="${CSS.escape(place)}"]`)].filter(seen);
    return [place, Math.max(0, ...shapes.map(smaller))];
  });
  const texts = [...frame.querySelectorAll("text")].filter((text) => seen(text) && text.textContent).map(size);
  Object.assign(frame.style, { width: "", height: "" });
  return { sizes, letters: Math.min(...texts) };
}"""
MEASURED = """() => {
  const seen = (element) => element.getClientRects().length > 0;
  const picture = [...document.querySelectorAll("svg.picture")].filter(seen);
  const box = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, top, right, bottom };
  };
  const size = (text) => {
    const { b, d } = text.getScreenCTM();
    return Math.hypot(b, d) * parseFloat(getComputedStyle(text).fontSize);
  };
  const texts = picture.flatMap((each) => [...each.querySelectorAll("text")]).filter((text) => text.textContent);
  const controls = ".deck button, .deck a, .deck select, .deck label.larger, .picture a, .picture [role=button]";
  const targets = document.querySelectorAll(controls), title = document.querySelector("h1");
  return {
    pictures: picture.map(box), deck: box(document.querySelector(".deck")),
    turn: document.querySelector(".turn").textContent,
    high: title.getBoundingClientRect().height / parseFloat(getComputedStyle(title).fontSize),
    texts: texts.map((text) => ({ words: text.textContent, size: size(text), ...box(text) })),
    targets: [...targets].filter(seen).map((each) => ({ words: each.outerHTML.slice(0, 80), ...box(each) })),
    window: [innerWidth, innerHeight], wide: document.documentElement.scrollWidth,
  };
}"""


def recorded(name: str) -> Replay:
    return read_replay((RECORDED / f"{name}.json").read_bytes())


@pytest.fixture
def through_one_pair_of_eyes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show what the eyes see that see all, and so the most words: each other film would take as long to make."""
    monkeypatch.setattr(film_page, "eyes_of", lambda replay: eyes_of(replay)[:1])


@pytest.mark.usefixtures("through_one_pair_of_eyes")
@pytest.mark.parametrize("name", PLAYED)
def test_a_board_is_seen_whole_and_can_be_read(tmp_path: Path, browser: Browser, name: str) -> None:
    replay, file = recorded(name), tmp_path / "film.html"
    file.write_text(film_page.page(replay))
    moments = places_of_phases(replay)
    for screen, (window, smallest) in SCREENS.items():
        page = browser.new_page(viewport=window)
        page.goto(file.as_uri())
        page.evaluate("document.querySelector('replay-film').ready")
        for moment, places in moments.items():
            page.evaluate("(at) => document.querySelector('replay-film').go(at)", moment)
            where = f"{name} on a {screen} at {moment}"
            check(page.evaluate(MEASURED), smallest, where)
            if screen in PLAYING:
                check_places(page.evaluate(PLACES, [sorted(places), PLAYING[screen]]), smallest, where)
        page.close()


def places_of_phases(replay: Replay) -> dict[int, set[str]]:
    """Places that can be clicked at the first moment of each phase and at some more, by answers given."""
    run, names, seen = playback(replay), names_of(replay), set[str]()
    steps = {round(moment * len(replay.answers)) for moment in MOMENTS}
    places: dict[int, set[str]] = {}
    while True:
        phase = phase_of(run.match)
        if phase not in seen or run.match.over or steps & {*range(run.step, run.step + len(run.match.questions))}:
            forms = [form_of(GAMES[replay.game], run.match, seat, names) for seat in run.match.questions]
            places[run.step] = {place for form in forms for place in places_of(form)}
        seen.add(phase)
        if run.match.over:
            return places
        advance(replay, run)


def phase_of(match: Match[Any]) -> str:
    """The kinds of questions asked, and the phase of those games that have some."""
    position, asked = match.at, {type(question).__name__ for question in match.questions.values()}
    return f"{sorted(asked)} {getattr(position, 'phase', '')} {getattr(getattr(position, 'auction', None), 'kind', '')}"


def check_places(measures: dict[str, Any], smallest: float, where: str) -> None:
    assert measures["letters"] >= smallest, where
    for place, size in measures["sizes"]:
        assert size >= TARGET, f"{where}: {place} is {size:.1f} pixels in a game of one's own"


def check(measures: dict[str, Any], smallest: float, where: str) -> None:
    wide, high = measures["window"]
    assert len(measures["pictures"]) == 1, where
    picture = measures["pictures"][0]
    for box in (picture, measures["deck"]):
        assert 0 <= box["left"] < box["right"] <= wide + 1, where
        assert 0 <= box["top"] < box["bottom"] <= high + 1, where
    assert picture["bottom"] <= measures["deck"]["top"] + 1, where
    assert measures["wide"] <= wide, where
    assert measures["turn"], where
    assert measures["high"] < 2, f"{where}: the title has several lines"
    check_texts(measures["texts"], picture, smallest, where)
    for target in measures["targets"]:
        assert min(target["right"] - target["left"], target["bottom"] - target["top"]) >= TARGET, f"{where}: {target}"


def check_texts(texts: list[dict[str, Any]], picture: dict[str, float], smallest: float, where: str) -> None:
    assert texts, where
    for text in texts:
        assert text["size"] >= smallest, f"{where}: {text}"
        inside = text["left"] >= picture["left"] - 1 and text["right"] <= picture["right"] + 1
        assert inside, f"{where}: cut off: {text}"
        assert text["top"] >= picture["top"] - 2, f"{where}: cut off: {text}"
        assert text["bottom"] <= picture["bottom"] + 2, f"{where}: cut off: {text}"


@pytest.mark.parametrize("script", [True, False])
def test_on_the_site_too_and_before_its_script_has_come(site: Site, ladder: Ladder, *, script: bool) -> None:
    match = ladder.sets.get().matches.earliest("pk").pk
    for screen, (window, smallest) in SCREENS.items():
        page: Page = site.open(f"/matches/{match}/?at=30", viewport=window, java_script_enabled=script)
        if script:
            page.evaluate("document.querySelector('replay-film').ready")
        check(page.evaluate(MEASURED), smallest, f"the site on a {screen}")
        page.context.close()
