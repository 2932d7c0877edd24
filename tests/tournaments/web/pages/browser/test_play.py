"""A person goes on from a replay and plays to the end, with nothing but the keyboard."""

from playwright.sync_api import Page

from tests.practising import bots_answer
from tests.tournaments.web.pages.browser.conftest import Site
from tests.tournaments.web.pages.browser.test_play_places import a_game, is_asked, opened
from tests.tournaments.web.pages.conftest import World
from tournaments.models import Practice

ON_SEND = "document.activeElement.matches('[data-send]')"


def test_a_match_goes_on_with_a_person_who_plays_it_to_its_end_by_keyboard(site: Site, pages_world: World) -> None:
    match = pages_world.set.matches.order_by("turn")[0]
    tab = site.open(f"/matches/{match.pk}/?at=60", person=pages_world.owner, reduced_motion="reduce")
    tab.get_by_role("link", name="Go on from here").press("Enter")
    tab.get_by_label("Seat 0,").select_option("myself")
    tab.get_by_role("button", name="Go on").press("Enter")
    tab.wait_for_url("**/play/*/")
    practice = Practice.objects.get()
    assert practice.moment
    answered = 0
    while answer_by_keyboard(tab, practice):
        answered += 1
    assert answered >= 3
    tab.get_by_role("heading", name="The result").wait_for()
    assert tab.get_by_role("cell", name="olga (you)").or_(tab.get_by_role("rowheader", name="olga (you)")).is_visible()
    tab.get_by_role("button", name="Play again").press("Enter")
    tab.wait_for_url(f"**/play/{practice.pk + 1}/")


def answer_by_keyboard(tab: Page, practice: Practice) -> bool:
    """One answer, the first that the keyboard comes to, and then Send; false when the game is over."""
    practice.refresh_from_db()
    if practice.status == Practice.Status.WAITING:
        assert bots_answer(practice) == "taken"
        practice.refresh_from_db()
    if practice.status == Practice.Status.OVER:
        return False
    tab.wait_for_selector(f'input[name="turn"][value="{len(practice.script)}"]', state="attached")
    tab.locator("#ask-title").focus()
    while not tab.evaluate("document.activeElement.matches('.way button')"):
        if tab.evaluate("document.activeElement.matches('.way [type=radio]')"):
            tab.keyboard.press("Space")
        tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    while not tab.evaluate(ON_SEND):
        tab.keyboard.press("Tab")
    with tab.expect_response(f"**/play/{practice.pk}/"):
        tab.keyboard.press("Enter")
    return True


def test_what_is_refused_is_said_at_its_field_and_nothing_typed_is_lost(site: Site, pages_world: World) -> None:
    tab = site.open("/play/", person=pages_world.owner)
    tab.get_by_role("button", name="Play Arena").click()
    practice = Practice.objects.get()
    if practice.status == Practice.Status.WAITING:
        bots_answer(practice)
    tab.wait_for_selector(".way")
    tab.evaluate("() => { document.querySelector('.way [name=\"pile:one\"]').value = '99'; }")
    tab.locator(".choices input").last.check()
    tab.locator(".way button").first.click()
    tab.locator("[data-send]").click()
    alert = tab.get_by_role("alert")
    alert.wait_for()
    assert "places on pile 99; the piles are 1 to 4" in (alert.text_content() or "")
    assert tab.locator(".choices input").last.is_checked()


def test_a_page_that_one_comes_back_to_shows_what_is_asked_by_now(site: Site, pages_world: World) -> None:
    practice = a_game("zaibatsu", pages_world.owner)
    tab = opened(site, practice)
    assert is_asked(tab, practice)
    tab.reload()
    asked = len(practice.script)
    answer_by_keyboard(tab, practice)
    assert is_asked(tab, practice)
    tab.goto(site.url + "/docs/")
    tab.go_back()  # the browser shows the page as it first was
    tab.wait_for_selector(f'input[name="turn"][value="{len(practice.script)}"]', state="attached")
    assert len(practice.script) > asked
