"""Games played on the board itself: places are clicked or reached by keyboard, and the decision bar sends."""

from playwright.sync_api import Page

from engine.games import GAMES
from engine.records import to_plain
from tests import thorough
from tests.factories import a_ladder
from tests.pages.browser.conftest import Site
from tests.pages.conftest import World
from tests.practising import bots_answer
from tournaments.models import Practice, User
from tournaments.practice.seats import PERSON, Sample
from tournaments.practice.start import begin

SMALL = {
    "network": {"players": 2, "map": "small", "max_turns": 8},
    "zaibatsu": {"players": 2},
}
FILLED = "() => [...document.querySelectorAll('.way')].map((it) => new URLSearchParams(new FormData(it)).toString())"
PLACE = ".picture.wide .legal"


def a_game(game: str, person: User) -> Practice:
    options = to_plain(GAMES[game].read_options(SMALL[game]))
    ladder = a_ladder(f"small-{game}", game=game, rules=GAMES[game].version, options=options)
    return begin(by=person, ladder=ladder, seats=[PERSON, Sample("random")], seed=f"places of {game}")


def opened(site: Site, practice: Practice) -> Page:
    return site.open(f"/play/{practice.pk}/", person=practice.owner, reduced_motion="reduce")


def is_asked(tab: Page, practice: Practice) -> bool:
    """Whether the person is asked, after the bots had their turn; false when the game is over."""
    practice.refresh_from_db()
    if practice.status == Practice.Status.WAITING:
        assert bots_answer(practice) == "taken"
        practice.refresh_from_db()
    if practice.status == Practice.Status.OVER:
        return False
    tab.wait_for_selector(f'input[name="turn"][value="{len(practice.script)}"]', state="attached")
    return True


def pick_by_mouse(tab: Page, place: int, number: int = -1) -> None:
    """One of the places that are not picked yet, and of several choices there one; without places, nothing."""
    places = tab.locator(f"{PLACE}:not(.picked)")
    if places.count():
        places.nth(place).click()
        if tab.locator("[data-menu]").is_visible():
            tab.locator("[data-menu] button").nth(number).click()


def test_a_game_of_network_is_played_to_its_end_by_clicks_on_the_board_and_send(site: Site, world: World) -> None:
    practice = a_game("network", world.owner)
    tab = opened(site, practice)
    kinds = set[str]()
    while is_asked(tab, practice):
        kinds |= set(tab.locator(PLACE).evaluate_all("all => all.map((it) => it.dataset.place.split(':')[0])"))
        pick_by_mouse(tab, -(len(practice.script) % 2))
        send(tab, practice)
    assert kinds == {"hex", "company"}
    tab.get_by_role("heading", name="The result").wait_for()


def send(tab: Page, practice: Practice) -> None:
    if tab.locator("[data-send]").is_disabled():
        tab.locator("[data-others] button").first.click()
    answered = len(practice.script)
    with tab.expect_response(f"**/play/{practice.pk}/"):
        tab.locator("[data-send]").click()
    practice.refresh_from_db()
    assert len(practice.script) > answered


def test_cards_and_piles_are_reached_picked_and_sent_by_keyboard(site: Site, world: World) -> None:
    practice = a_game("zaibatsu", world.owner)
    tab = opened(site, practice)
    for _ in range(3):
        assert is_asked(tab, practice)
        press_on(tab, "card:")
        assert tab.locator("[data-send]").is_disabled()
        assert "Now choose one of: On pile" in tab.locator("[data-would]").inner_text()
        press_on(tab, "pile:")
        assert tab.evaluate("document.activeElement.matches('[data-send]')")
        with tab.expect_response(f"**/play/{practice.pk}/"):
            tab.keyboard.press("Enter")
    assert is_asked(tab, practice)
    assert "The bots answered in" in tab.locator("[data-speed]").inner_text()


def press_on(tab: Page, kind: str) -> None:
    """Tab to the first place of a kind that is not picked, and press Enter there."""
    tab.locator(".frame").evaluate("frame => { frame.tabIndex = -1; frame.focus(); }")
    for _ in range(30):
        tab.keyboard.press("Tab")
        if tab.evaluate(f"document.activeElement.matches('.legal:not(.picked)[data-place^=\"{kind}\"]')"):
            break
    tab.keyboard.press("Enter")


@thorough.only("tests/pages/browser/test_play_places.py::test_cards_and_piles_are_reached_picked_and_sent_by_keyboard")
def test_undo_gives_the_form_back_as_it_came_and_nothing_was_sent(site: Site, world: World) -> None:
    practice = a_game("network", world.owner)
    tab = opened(site, practice)
    assert is_asked(tab, practice)
    answered = len(practice.script)
    before = tab.evaluate(FILLED)
    pick_by_mouse(tab, -1, 0)
    tab.locator("[data-amounts] input").first.press("End")
    assert tab.locator(f"{PLACE}.picked").count() == 1
    assert tab.evaluate(FILLED) != before
    tab.get_by_role("button", name="Undo").click()
    assert tab.evaluate(FILLED) == before
    assert not tab.locator(f"{PLACE}.picked").count()
    assert tab.locator("[data-send]").is_disabled()
    practice.refresh_from_db()
    assert len(practice.script) == answered
