"""Games played on the board itself: places are clicked or reached by keyboard, and the decision bar sends."""

from typing import Any

from playwright.sync_api import Page

from engine.dice import Dice
from engine.games import GAMES
from engine.games.shangzhou import Bid, ToBid
from engine.records import to_plain
from tests.factories import AnyAnswers, a_ladder
from tests.practising import bots_answer
from tests.tournaments.web.pages.browser.conftest import PHONE, SMALL_LAPTOP, Site
from tests.tournaments.web.pages.conftest import World
from tournaments.features.practice.seats import PERSON, Sample
from tournaments.features.practice.start import begin_practice
from tournaments.features.practice.turns import PracticeState, answer_question
from tournaments.models import Practice, User

SMALL = {
    "network": {"players": 2, "map": "small", "max_turns": 8},
    "zaibatsu": {"players": 2},
    "shangzhou": {"players": 2},
    "kaiju": {"players": 2},
}
# Words of the decision bar that are scrolled out of it.
CUT = """() => {
  const words = document.querySelector("#decision .words");
  return words.scrollHeight > words.clientHeight + 1 ? words.innerText : "";
}"""
FILLED = "() => [...document.querySelectorAll('.way')].map((it) => new URLSearchParams(new FormData(it)).toString())"
PLACE = ".picture.wide .legal"


def a_game(game: str, person: User) -> Practice:
    options = to_plain(GAMES[game].read_options(SMALL[game]))
    ladder = a_ladder(f"small-{game}", game=game, rules=GAMES[game].version, options=options)
    return begin_practice(by=person, ladder=ladder, seats=[PERSON, Sample("random")], seed=f"places of {game}")


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


def test_a_game_of_network_is_played_to_its_end_by_clicks_on_the_board_and_send(site: Site, pages_world: World) -> None:
    practice = a_game("network", pages_world.owner)
    tab = opened(site, practice)
    kinds = set[str]()
    while is_asked(tab, practice):
        kinds |= set(tab.locator(PLACE).evaluate_all("all => all.map((it) => it.dataset.place.split(':')[0])"))
        pick_by_mouse(tab, -(len(practice.script) % 2))
        check_width(tab)
        send(tab, practice)
    assert kinds == {"hex", "company"}
    tab.get_by_role("heading", name="The result").wait_for()


def check_width(tab: Page) -> None:
    """Nothing of what is asked stands outside the window, not even the slider and buttons of a bid."""
    for window in (PHONE, SMALL_LAPTOP):
        tab.set_viewport_size(window)
        assert tab.evaluate("document.documentElement.scrollWidth") == window["width"]


def send(tab: Page, practice: Practice) -> None:
    if tab.locator("[data-send]").is_disabled():
        tab.locator("[data-others] button").first.click()
    answered = len(practice.script)
    with tab.expect_response(f"**/play/{practice.pk}/"):
        tab.locator("[data-send]").click()
    practice.refresh_from_db()
    assert len(practice.script) > answered


def test_cards_and_piles_are_reached_picked_and_sent_by_keyboard(site: Site, pages_world: World) -> None:
    practice = a_game("zaibatsu", pages_world.owner)
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


def test_what_would_be_sent_is_read_whole_on_a_phone(site: Site, pages_world: World) -> None:
    practice = a_game("kaiju", pages_world.owner)
    context = {"viewport": PHONE, "locale": "de", "reduced_motion": "reduce"}
    tab = site.open(f"/play/{practice.pk}/", person=practice.owner, **context)
    for _ in range(3):
        assert is_asked(tab, practice)
        tab.locator("[data-would]:not(:empty)").wait_for()
        assert tab.evaluate(CUT) == ""
        for button in tab.locator(".way .row button").all():
            button.click()  # below the board: the bar stays in sight
            tab.get_by_text("Zu senden: ").or_(tab.get_by_text("Nun wählen: ")).first.wait_for()
            assert tab.evaluate(CUT) == ""
        send(tab, practice)
    assert tab.locator("#decision [data-speed]").count() == 0


def press_on(tab: Page, kind: str) -> None:
    """Tab to the first place of a kind that is not picked, and press Enter there."""
    tab.locator(".frame").evaluate("frame => { frame.tabIndex = -1; frame.focus(); }")
    for _ in range(30):
        tab.keyboard.press("Tab")
        if tab.evaluate(f"document.activeElement.matches('.legal:not(.picked)[data-place^=\"{kind}\"]')"):
            break
    tab.keyboard.press("Enter")


def test_undo_gives_the_form_back_as_it_came_and_nothing_was_sent(site: Site, pages_world: World) -> None:
    practice = a_game("network", pages_world.owner)
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


def test_a_bid_begins_where_the_tile_that_is_picked_asks_for_it(site: Site, pages_world: World) -> None:
    practice = a_game("shangzhou", pages_world.owner)
    asked = play_until_tiles_ask_for_different_bids(practice)
    tab = opened(site, practice)
    bid = tab.locator('.way input[name="amount:number"]')
    lots = [lot for lot, least in enumerate(asked.least) if least <= asked.besides.hand.clout]
    for lot in [*lots, lots[0]]:
        tab.locator(f'{PLACE}[data-place="lot:{lot}"]').click()
        least = str(asked.least[lot])
        assert [bid.input_value(), bid.get_attribute("min")] == [least, least]
        assert tab.locator("[data-amounts] input").get_attribute("min") == least
    send(tab, practice)


def play_until_tiles_ask_for_different_bids(practice: Practice) -> ToBid:
    """The person bids the least on the first tile, the bot by lot."""
    dice = Dice.of("bids")
    for _ in range(400):
        practice.refresh_from_db()
        if practice.status == Practice.Status.WAITING:
            assert bots_answer(practice, table=AnyAnswers(dice, {})) == "taken"
            continue
        question: Any = PracticeState.of(practice).run.match.questions[0]
        bids = {bid for bid in question.least if bid <= question.besides.hand.clout} if question.tag == "bid" else set()
        if len(bids) > 1:
            return question  # type: ignore[no-any-return]
        action = Bid(question.least.index(min(bids)), min(bids)) if bids else question.default()
        answer_question(practice=practice, by=practice.owner, turn=len(practice.script), action=to_plain(action))
    raise AssertionError("no tile ever asked for more than another")


def test_on_a_phone_the_bar_covers_nothing_of_the_board_and_both_are_seen(site: Site, pages_world: World) -> None:
    practice = a_game("network", pages_world.owner)
    tab = site.open(f"/play/{practice.pk}/", person=pages_world.owner, reduced_motion="reduce", viewport=PHONE)
    assert is_asked(tab, practice)
    tab.locator(".picture.slim .legal").first.click()
    board, bar = tab.locator(".frame").bounding_box(), tab.locator("#decision").bounding_box()
    assert board
    assert bar
    assert board["y"] + board["height"] <= bar["y"]
    assert bar["y"] + bar["height"] <= PHONE["height"]
