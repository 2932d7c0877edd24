"""From the home page to the end of a game without an account, and then under a name, on a phone and on a laptop."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from engine.games import GAMES
from engine.records import to_plain
from tests.factories import a_ladder
from tests.practising import answer_by_the_book, bots_answer, everything_by_the_book
from tests.tournaments.web.pages.browser import test_whole_games
from tests.tournaments.web.pages.browser.conftest import LAPTOP, PASSWORD, PHONE, Site
from tests.tournaments.web.pages.browser.test_play_places import SMALL, is_asked
from tests.tournaments.web.pages.browser.test_whole_games import SHORT, click_an_answer
from tests.tournaments.web.pages.conftest import World
from tournaments.models import Practice, User

OPTIONS = SMALL | {game: options for game, (options, _) in SHORT.items()}
PLAYED_OUT = "kaiju"  # by clicks to its end; of the others a few answers, and the rest goes by the book


def to_play_now(site: Site, game: str, window: ViewportSize, person: User | None = None) -> Page:
    options = to_plain(GAMES[game].read_options(OPTIONS[game]))
    a_ladder(f"small-{game}", game=game, rules=GAMES[game].version, options=options)
    tab = site.open("/", person=person, viewport=window, reduced_motion="reduce")
    tab.get_by_role("link", name="Play now").click()
    tab.get_by_role("button", name=f"Against 1 bot {GAMES[game].title}").click()
    tab.wait_for_url("**/play/*/")
    return tab


def play(tab: Page, game: str) -> Practice:
    practice = Practice.objects.select_related("ladder", "owner").latest("pk")
    answered = 0
    while is_asked(tab, practice) and (game == PLAYED_OUT or answered < 2):
        click_an_answer(tab, practice)
        answered += 1
    if game != PLAYED_OUT:
        everything_by_the_book(practice)
        tab.reload()
    tab.get_by_role("heading", name="The result").wait_for()
    return practice


@pytest.mark.parametrize("window", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("game", GAMES)
def test_a_newcomer_plays_a_game_to_its_end_and_keeps_it(
    site: Site, game: str, window: ViewportSize, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(test_whole_games, "PLACE", ".picture .legal:visible")  # of either layout
    tab = to_play_now(site, game, window)
    practice = play(tab, game)
    tab.get_by_role("link", name="Keep this game under a name").click()
    tab.get_by_label("Name").fill("nina")
    tab.get_by_label("Password", exact=True).fill(PASSWORD)
    tab.get_by_label("Password, once more").fill(PASSWORD)
    tab.get_by_role("button", name="Sign up").click()
    tab.wait_for_url(f"**/play/{practice.pk}/")
    expect(tab.get_by_role("rowheader", name="nina (you)")).to_be_visible()
    assert User.objects.get(username="nina") == Practice.objects.get(pk=practice.pk).owner


@pytest.mark.parametrize("window", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("game", GAMES)
def test_somebody_with_an_account_takes_the_same_way(
    site: Site, pages_world: World, game: str, window: ViewportSize, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(test_whole_games, "PLACE", ".picture .legal:visible")  # of either layout
    tab = to_play_now(site, game, window, pages_world.owner)
    play(tab, game)
    expect(tab.get_by_role("rowheader", name="olga (you)")).to_be_visible()
    expect(tab.get_by_role("link", name="Keep this game")).to_have_count(0)


def test_with_minutes_for_an_answer_the_page_goes_on_by_itself(site: Site, pages_world: World) -> None:
    tab = site.open("/play/under/arena/", person=pages_world.owner)
    tab.get_by_label("Opponent 1").select_option("somebody by invitation")
    tab.get_by_label("Opponent 2").select_option(index=2)
    tab.get_by_label("Time for each answer").select_option("1 minute")
    tab.get_by_role("button", name="Begin").click()
    tab.wait_for_url("**/play/*/")
    practice = Practice.objects.get()
    friend = site.open(f"/play/join/{practice.invite_key}/")
    friend.get_by_role("button", name="Take seat").click()
    friend.wait_for_url(f"**/play/{practice.pk}/")
    tab.locator("#play").wait_for()
    practice.refresh_from_db()
    while practice.status == Practice.Status.WAITING:
        bots_answer(practice)
        practice.refresh_from_db()
    tabs = [tab, friend]
    for page in tabs:
        page.reload()
    [asked] = [page for page in tabs if page.locator("[data-left]").count()]
    clock = asked.locator("[data-left]")
    begun = clock.inner_text()
    expect(clock).not_to_have_text(begun)
    script = len(practice.script)
    answer_by_the_book(practice)  # as from another tab: the page learns of it
    asked.wait_for_selector(f'input[name="turn"][value="{script}"]', state="detached")
