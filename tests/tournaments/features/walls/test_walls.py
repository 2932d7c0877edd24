"""Walls: what is on them, how they turn without a script, and that nobody sees there what is held back or private."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import a_completed_set, a_ladder, a_user, a_version, rate
from tests.holding import KNOCKOUT, ROBIN, a_draft, a_running, an_event, an_organiser, fresh, play_out
from tests.spaces import a_space
from tests.tournaments.features.events.test_pages import GROUPS
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.html import Html
from tests.tournaments.web.pages.test_match_lists import under_way
from tournaments.features.events.lifecycle import release_round
from tournaments.features.walls.views import BOARD_SECONDS, BOARDS, LINES, TABLE_SECONDS
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Ladder, Match

pytestmark = pytest.mark.django_db
QUERIES = 30  # of a view


def seen(path: str, client: Client | None = None) -> Html:
    answer = (client or Client()).get(path)
    assert answer.status_code == 200
    page = Html(answer.content.decode())
    assert page.faults() == []
    return page


def links(page: Html) -> dict[str, str]:
    return {link["data-key"]: link["href"] for link in page.all("a") if "data-key" in link}


def refreshes(page: Html) -> list[str]:
    return [meta["content"] for meta in page.all("meta") if meta.get("http-equiv") == "refresh"]


def boards(page: Html) -> list[str]:
    return [item["data-live"] for item in page.all("li") if "data-live" in item]


def turned(path: str, turns: int, key: str = "next") -> list[str]:
    """Return the words of so many views, one after the other."""
    texts, query = [], ""
    for _ in range(turns):
        page = seen(path + query)
        texts.append(page.text)
        query = links(page)[key]
    return texts


def a_full_ladder(bots: int) -> Ladder:
    ladder = a_ladder("hall", title="Hall")
    versions = [a_version() for _ in range(bots)]
    for version in versions:
        ladder.entries.create(bot=version.bot)
    a_completed_set(ladder, versions[:3])
    rate()
    return ladder


def test_a_wall_has_no_menu_and_turns_from_boards_to_table_and_back(pages_world: World) -> None:
    page = seen("/ladders/arena/wall/")
    assert len(boards(page)) == 1
    assert page.all("form") == page.all("input") == []
    assert [nav["aria-label"] for nav in page.all("nav")] == ["Views"]
    first, table, again = turned("/ladders/arena/wall/", 3)
    assert first == again
    assert "Standings" in table
    assert all(bot in table for bot in ("Orchid", "Rook", "Thistle"))
    assert turned("/ladders/arena/wall/", 3, "back") == [first, table, again]


def test_without_a_script_the_page_goes_on_by_itself_unless_it_is_held(pages_world: World) -> None:
    page = seen("/ladders/arena/wall/")
    assert refreshes(page) == [f"{BOARD_SECONDS}; url={links(page)['next']}"]
    table = seen(f"/ladders/arena/wall/{links(page)['next']}")
    assert refreshes(table) == [f"{TABLE_SECONDS}; url={links(table)['next']}"]
    held = seen(f"/ladders/arena/wall/{links(table)['hold']}")
    assert refreshes(held) == []
    assert held.text.replace("Go on", "Hold") == table.text
    assert refreshes(seen(f"/ladders/arena/wall/{links(held)['hold']}")) == refreshes(table)


def test_what_is_played_comes_first_and_as_many_boards_as_are_wanted() -> None:
    ladder = a_full_ladder(3)
    versions = list(ladder.entries.values_list("bot__versions", flat=True))
    playing = under_way(create_set(ladder=ladder, versions=versions))
    watched = [f"/live/matches/{match.pk}/stream" for match in playing]
    assert boards(seen("/live/wall/")) == watched[:1]
    assert set(boards(seen("/live/wall/?boards=3"))) == set(watched)
    filled = boards(seen(f"/ladders/hall/wall/?boards={BOARDS}"))
    assert len(filled) == len(set(filled)) == BOARDS
    assert set(filled) > set(watched)
    assert "Playing next" in turned("/ladders/hall/wall/", 3)[2]


@pytest.mark.parametrize("odd", ["view=0", "view=x", "view=" + "9" * 18, "boards=-1", "boards=99", "back=&view=1"])
def test_odd_numbers_show_some_view(pages_world: World, odd: str) -> None:
    assert len(boards(seen(f"/ladders/arena/wall/?{odd}"))) <= BOARDS


def test_a_long_table_is_turned_in_parts() -> None:
    ladder = a_full_ladder(LINES + 1)
    names = list(ladder.entries.values_list("bot__name", flat=True))
    _, first, second, live = turned("/ladders/hall/wall/", 4)
    assert sorted(name for text in (first, second) for name in names if f" {name} " in f" {text} ") == sorted(names)
    assert "Standings" not in live


def test_an_overlay_keeps_its_options_from_view_to_view(pages_world: World) -> None:
    page = seen("/ladders/arena/wall/?overlay=1&boards=2")
    for _ in range(2):
        assert page.all("html")[0]["class"] == "overlay"
        assert all("overlay=1" in link and "boards=2" in link for link in links(page).values())
        page = seen(f"/ladders/arena/wall/{links(page)['next']}")
    assert "class" not in seen("/ladders/arena/wall/").all("html")[0]


def test_an_event_shows_its_entrants_then_its_rounds_bracket_and_winner() -> None:
    waiting = an_event([(bot := a_version().bot)])
    assert bot.name in seen(f"/events/{waiting.slug}/wall/").text
    event = play_out(a_running(4, {**KNOCKOUT, "bracket": "fixed"}))
    path = f"/events/{event.slug}/wall/"
    live, played, bracket, table = turned(path, 4)
    assert "Round 2" in played
    assert "Final" in bracket
    assert event.entrants.get(place=1).bot.name + " wins." in table
    assert "Played lately" in live


def test_tables_of_a_round_name_their_group_and_byes_are_named() -> None:
    event = a_running(6, GROUPS)
    page = seen(f"/events/{event.slug}/wall/?view=2").text
    assert all(f"Group {group}, table 1" in page for group in (1, 2))
    [(first, second)] = re.findall(r"Without a table this round: (bot \d+) ?, (bot \d+) ?\.", page)
    assert first != second


def test_an_organiser_shows_the_hall_no_more_than_is_public() -> None:
    event = play_out(a_running(3, ROBIN, released=0))
    path, organiser = f"/events/{event.slug}/wall/", signed_in(an_organiser())
    for view in range(1, 5):
        assert seen(f"{path}?view={view}", organiser).text == seen(f"{path}?view={view}").text
    assert boards(seen(path, organiser)) == []
    release_round(event=event, by=an_organiser())
    assert fresh(event).released == 1
    assert len(boards(seen(path))) == 1


def test_a_held_back_round_is_on_no_wall_before_it_is_released() -> None:
    event = a_running(4, ROBIN, released=0)
    for match_set in event.sets.all():
        under_way(match_set)
    places = ("/live/", f"/ladders/{event.ladder.slug}/", f"/events/{event.slug}/")
    paths, organiser = [f"{place}wall/?boards={BOARDS}" for place in places], signed_in(an_organiser())
    for path in paths:
        for view in range(1, 6):
            page = seen(f"{path}&view={view}", organiser)
            assert boards(page) == []
            assert "Set " not in page.text
            assert page.text == seen(f"{path}&view={view}").text
    event.released = 1
    event.save()
    assert [len(boards(seen(path))) for path in paths] == [BOARDS, BOARDS, BOARDS]


def test_a_private_spaces_wall_is_for_those_who_may_see_it() -> None:
    member, other = a_user(), a_user()
    space = a_space("bio1", members=[member])
    ladder = a_ladder("bio1-arena", space=space)
    a_completed_set(ladder, [a_version() for _ in range(3)])
    event = a_draft(ladder=a_ladder("bio1-cup", players=2, space=space))
    match = Match.objects.filter(set__ladder=ladder).earliest("pk").pk
    assert boards(seen("/ladders/bio1-arena/wall/", signed_in(member)))
    for client in (Client(), signed_in(other)):
        assert client.get("/ladders/bio1-arena/wall/").status_code == 404
        assert client.get(f"/events/{event.slug}/wall/").status_code == 404
    for client in (Client(), signed_in(member)):
        text = client.get("/live/wall/?boards=4").content.decode()
        assert f"/matches/{match}/" not in text
        assert "bio1" not in text.lower()


def test_visitors_share_a_wall_for_a_moment_and_others_get_their_own(pages_world: World) -> None:
    assert "s-maxage=1" in Client().get("/live/wall/")["Cache-Control"]
    assert Client().get("/live/wall/")["Content-Security-Policy"].count("'unsafe") == 0
    assert "private" in signed_in(pages_world.owner).get("/live/wall/")["Cache-Control"]


def test_a_view_asks_as_much_of_many_bots_as_of_few() -> None:
    ladder, cup = a_full_ladder(4), play_out(a_running(4, {**KNOCKOUT, "bracket": "fixed"}))
    paths = [
        f"/{place}/wall/?view={view}" for place in ("ladders/hall", f"events/{cup.slug}", "live") for view in (1, 2)
    ]
    before = [asked_by(path) for path in paths]
    for _ in range(LINES):
        ladder.entries.create(bot=a_version().bot)
    assert [asked_by(path) for path in paths] == before
    assert max(before) <= QUERIES


def asked_by(path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        seen(path)
    return len(queries)
