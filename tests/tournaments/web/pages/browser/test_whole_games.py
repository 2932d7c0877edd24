"""Each game to its end by clicks alone: lit places of the board and buttons of the decision bar, and nothing else."""

import pytest
from playwright.sync_api import Page

from tests.tournaments.web.pages.browser.conftest import Site
from tests.tournaments.web.pages.browser.test_play_places import PLACE, SMALL, a_game, is_asked, opened
from tests.tournaments.web.pages.conftest import World
from tournaments.models import Practice

SHORT = {
    "zaibatsu": ({"players": 2}, {"card", "pile"}),
    "kaiju": ({"players": 2, "max_turns": 8}, {"card"}),
    "gigabucks": ({"players": 2, "max_rounds": 8, "spaces": 12, "currency": 60}, {"space"}),
    "shangzhou": ({"players": 2, "max_turns": 3, "home_layout": "choose"}, {"sector", "lot"}),
}
MOST_PICKS = 4  # of places for one answer


@pytest.mark.parametrize("game", SHORT)
def test_a_game_is_played_to_its_end_by_clicks(site: Site, pages_world: World, game: str) -> None:
    SMALL[game], kinds = SHORT[game]
    practice = a_game(game, pages_world.owner)
    tab = opened(site, practice)
    seen = set[str]()
    while is_asked(tab, practice):
        seen |= set(tab.locator(PLACE).evaluate_all("all => all.map((it) => it.dataset.place.split(':')[0])"))
        click_an_answer(tab, practice)
    assert kinds <= seen
    tab.get_by_role("heading", name="The result").wait_for()


def click_an_answer(tab: Page, practice: Practice) -> None:
    """Pick an answer on the board, by turns by the first place and the last; where that is none, press a button."""
    answered = len(practice.script)
    for pick in range(MOST_PICKS):
        if pick and tab.locator("[data-send]").is_enabled():
            break
        pick_a_place(tab, -((answered + pick) % 2))
    if tab.locator("[data-send]").is_disabled() or not sent(tab, practice, answered):
        tab.get_by_role("button", name="Undo").click(force=True)
        tab.locator("[data-others] button").last.click()
        assert sent(tab, practice, answered), tab.locator("#panel [role=alert]").all_inner_texts()


def pick_a_place(tab: Page, which: int) -> None:
    places = tab.locator(f"{PLACE}:not(.picked)")
    if not places.count():
        return
    places.nth(which).click()
    if tab.locator("[data-menu]").is_visible():
        tab.locator("[data-menu] button").first.click()


def sent(tab: Page, practice: Practice, answered: int) -> bool:
    """Whether what was sent was an answer that the game takes."""
    with tab.expect_response(f"**/play/{practice.pk}/"):
        tab.locator("[data-send]").click()
    practice.refresh_from_db()
    return len(practice.script) > answered
