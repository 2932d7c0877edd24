"""Every kind of question of every game on a phone and a laptop: nothing is chosen for anybody, nothing is sent by one
click, and nothing that is pressed lies over or under something else."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from engine.dice import Dice
from engine.games import GAMES
from engine.records import to_plain
from tests.factories import a_ladder
from tests.tournaments.web.pages.browser.conftest import PHONE, SMALL_LAPTOP, Site
from tests.tournaments.web.pages.conftest import World
from tournaments.features.practice.seats import PERSON, Sample, SeatedPlayer
from tournaments.features.practice.start import begin_practice
from tournaments.models import Practice

OPTIONS: dict[str, dict[str, object]] = {
    "zaibatsu": {"players": 3},
    "kaiju": {"players": 2},
    "gigabucks": {"players": 3, "talk": "typed", "currency": 200, "seating": "auction"},
    "network": {"players": 2},
    "shangzhou": {"players": 3, "talk": "private", "home_layout": "choose"},
}
MOST = 900  # answers, in which each kind of question comes
# What is chosen before anybody has chosen: it stands for nothing, or is in a group that is not sent yet.
CHOSEN = """() => {
  const kinds = ".way :is(:checked:not(option), select), .frame .picked, [data-send]:enabled";
  const neutral = (each) => each.matches("select") && (!each.value || each.closest("details"));
  const chosen = [...document.querySelectorAll(kinds)].filter((each) => !neutral(each));
  return chosen.map((each) => each.outerHTML.slice(0, 120));
}"""
# What is pressed, and what lies over it where it is seen; what lies on another; and words that have no room.
COVERED = """() => {
  const kinds = "a, button, summary, select, input:not([type=hidden], .unseen), label:has(input)";
  const seen = (element) => element.checkVisibility() && element.getClientRects().length > 0;
  const pressed = [...document.querySelectorAll(`:is(#panel, #decision) :is(${kinds})`)].filter(seen), wrong = [];
  const own = (one, other) => one.contains(other) || other.contains(one)
    || one.closest("label, .amount")?.contains(other);
  const named = (element) => `${element.tagName} ${(element.textContent || element.name || "").trim().slice(0, 40)}`;
  const inBar = (element) => Boolean(element.closest("#decision"));
  for (const element of pressed) {
    element.scrollIntoView({ block: "nearest", behavior: "instant" });
    const { left, right, top, bottom } = element.getBoundingClientRect();
    for (const [x, y] of [[(left + right) / 2, (top + bottom) / 2], [left + 4, top + 4], [right - 4, bottom - 4]]) {
      const there = document.elementFromPoint(x, y);
      if (!there || !own(element, there)) wrong.push(`${named(element)} under ${there && named(there)}`);
    }
    const cut = element.matches("button") && element.scrollHeight > element.clientHeight + 2;
    if (cut) wrong.push(`no room: ${named(element)}`);
    for (const other of pressed.filter((each) => inBar(each) === inBar(element) && !own(element, each))) {
      const box = other.getBoundingClientRect();
      const wide = Math.min(right, box.right) - Math.max(left, box.left);
      const high = Math.min(bottom, box.bottom) - Math.max(top, box.top);
      if (wide > 1 && high > 1) wrong.push(`${named(element)} on ${named(other)}`);
    }
  }
  return [...new Set(wrong)];
}"""
SEVERAL = """() => [...document.querySelectorAll(".picture .legal")].filter((each) => each.getClientRects().length)
  .findIndex((each) => /^\\d+ \\D+: /.test(each.ariaLabel))"""


def questions(practice: Practice) -> Iterator[list[Any]]:
    """The script before the first question of each kind to the person, played by lot."""
    rules, dice, seen = GAMES[practice.ladder.game], Dice.of("questions"), set[str]()
    match, script = rules.start(rules.read_options(OPTIONS[practice.ladder.game]), practice.seed), list[Any]()
    while not match.over and len(script) < MOST:
        asked = match.questions
        if 0 in asked and asked[0].tag not in seen:
            seen.add(asked[0].tag)
            yield list(script)
        answers = {seat: question.draw(dice) for seat, question in asked.items()}
        script += [[seat, to_plain(answers[seat]), 0.0] for seat in sorted(answers)]
        match.apply(answers)


def pick(tab: Page) -> None:
    """The first place on the board; better one that stands for several choices."""
    places = tab.locator(".picture .legal").locator("visible=true")
    if places.count():
        places.nth(max(0, tab.evaluate(SEVERAL))).click(force=True)


@pytest.mark.parametrize("game", OPTIONS)
def test_nothing_is_chosen_covered_or_sent_by_one_click(site: Site, pages_world: World, game: str) -> None:
    """Pages are in German, whose words are longer."""
    options = to_plain(GAMES[game].read_options(OPTIONS[game]))
    ladder = a_ladder(f"small-{game}", game=game, rules=GAMES[game].version, options=options)
    seats: list[SeatedPlayer] = [PERSON, *[Sample("random")] * (options["players"] - 1)]
    practice = begin_practice(by=pages_world.owner, ladder=ladder, seats=seats, seed=f"questions of {game}")
    tab = site.open("/", person=pages_world.owner, viewport=PHONE, locale="de", reduced_motion="reduce")
    posts = list[str]()
    tab.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    for script in questions(practice):
        Practice.objects.filter(pk=practice.pk).update(script=script, status=Practice.Status.ASKING)
        tab.goto(f"{site.url}/play/{practice.pk}/")
        tab.locator("[data-would]:not(:empty)").wait_for()
        for window in (PHONE, SMALL_LAPTOP):
            tab.set_viewport_size(window)
            looked_at(tab)
    assert posts == []


def looked_at(tab: Page) -> None:
    """Look at the page as it comes, with a place picked, one of its choices, and each button of the list pressed."""
    assert tab.evaluate(CHOSEN) == []
    assert tab.evaluate(COVERED) == []
    pick(tab)
    assert tab.evaluate(COVERED) == []
    if tab.locator("[data-menu]").is_visible():
        tab.locator("[data-menu] button").last.click()
        assert tab.evaluate(COVERED) == []
    for button in tab.locator(".way .row button").all()[:8]:
        button.click()
    assert tab.evaluate(COVERED) == []
    if tab.locator("[data-undo]").is_enabled():
        tab.locator("[data-undo]").click()
