"""What programs that show links, and those that look at all pages, read of a page."""

import re

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.test import Client

from bots.viewer.film_chunks import find_moment
from bots.viewer.key_moments import decisive_mark, every_swing
from bots.viewer.player import Perspective
from bots.viewer.stories import story_of
from engine.replay import read_replay
from tests.factories import a_completed_set, a_ladder, a_user, a_version, rate
from tests.holding import KNOCKOUT, a_draft, a_running, play_out
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.models import Event, Match

SITE = "boardroom/preview.png"
pytestmark = pytest.mark.django_db


def properties(client: Client, path: str) -> dict[str, str]:
    """Properties of Open Graph."""
    page = Html(client.get(path).content.decode())
    return {element["property"]: element["content"] for element in page.all("meta") if "property" in element}


def test_a_page_tells_other_sites_its_title_its_text_and_its_latest_match(client: Client) -> None:
    ladder = a_ladder("arena", title='"Arena" & <more>')
    versions = [a_version() for _ in range(3)]
    a_completed_set(ladder, versions)
    seen = properties(client, "/ladders/arena/")
    assert seen["og:title"] == '"Arena" & <more> · Boardroom'
    assert seen["og:description"].startswith('Standings of "Arena" & <more>')
    assert seen["og:url"] == f"{settings.SITE_URL}/ladders/arena/"
    latest = Match.objects.latest("pk").pk
    pages = (f"/bots/{versions[0].bot_id}/", f"/people/{versions[0].bot.owner}/")
    for path in ("/ladders/arena/", *pages, "/", "/matches/"):
        assert properties(client, path)["og:image"] == f"{settings.SITE_URL}/matches/{latest}/card.png"
    assert properties(client, "/docs/ratings/")["og:title"].endswith("· Boardroom")


@pytest.mark.parametrize("path", ["/docs/ratings/", "/bots/", "/live/", "/events/", "/sign-up/", "/"])
def test_a_page_without_a_match_has_a_picture_of_the_site(client: Client, path: str) -> None:
    page = Html(client.get(path).content.decode())
    [picture] = [element["content"] for element in page.all("meta") if element.get("property") == "og:image"]
    assert picture == f"{settings.SITE_URL}{static(SITE)}"
    assert finders.find(SITE)


def test_a_match_tells_the_moment_that_the_link_leads_to(client: Client) -> None:
    match = a_completed_set(a_ladder(), [a_version() for _ in range(3)]).matches.earliest("pk")
    page = client.get(f"/matches/{match.pk}/?at=3").content.decode()
    assert page.count("og:title") == 1
    assert properties(client, f"/matches/{match.pk}/?at=3")["og:url"].endswith("?at=3&as=all")


def test_a_link_to_no_moment_shows_who_won_and_the_decisive_one(client: Client) -> None:
    match = a_completed_set(a_ladder(), [a_version() for _ in range(3)]).matches.select_related("result").earliest("pk")
    replay = read_replay(bytes(match.result.replay))
    seen = find_moment(replay, Perspective.everything(3), 0)
    mark = decisive_mark(seen.outline, seen.names, seen.unit)
    assert mark
    largest = max(every_swing(seen.outline), key=lambda swing: swing.size)
    assert (mark.at, mark.text.split(":")[0]) == (largest.at, seen.names[largest.seat])
    meta = properties(client, f"/matches/{match.pk}/")
    story = story_of(replay, seen.outline, seen.names, seen.unit)
    assert meta["og:title"] == f"{story.headline} Zaibatsu, match {match.pk}"
    assert mark.text.startswith(meta["og:description"].removesuffix("…"))
    pictures = [client.get(f"/matches/{match.pk}/card.png{query}").content for query in ("", "?at=0", "?as=all")]
    assert meta["og:image"].endswith("card.png?as=all")
    assert pictures[0] == pictures[2] != pictures[1]


def boards(client: Client, path: str) -> list[dict[str, str]]:
    return [image for image in Html(client.get(path).content.decode()).all("img") if image.get("class") == "thumbnail"]


def test_lists_show_the_boards_of_their_matches_when_these_come_into_sight(client: Client) -> None:
    versions = [a_version() for _ in range(3)]
    matches = {match.pk for match in a_completed_set(a_ladder("arena"), versions).matches.all()}
    rate()
    for path in ("/matches/", "/ladders/arena/", f"/bots/{versions[0].bot_id}/", "/"):
        shown = boards(client, path)
        assert {f"/matches/{match}/board.svg" for match in matches} == {board["src"] for board in shown}
        assert all(
            board["alt"] and board["loading"] == "lazy" and board["width"] and board["height"] for board in shown
        )
    assert len(shown) == len(matches)
    answer = client.get(shown[0]["src"], headers={"Accept-Encoding": "gzip"})
    assert answer["Content-Type"] == "image/svg+xml"
    assert "max-age=604800" in answer["Cache-Control"]
    assert len(answer.content) < 8_000


def test_no_board_tells_organisers_friends_what_is_held_back(client: Client) -> None:
    """A link that an organiser shows around does not tell it, either."""
    event = play_out(a_running(3, KNOCKOUT, released=0))
    organiser = signed_in(a_user(staff=True))
    page = f"/events/{event.slug}/"
    owner = f"/people/{event.entrants.all()[0].bot.owner}/"
    for path in (page, owner, "/matches/"):
        assert properties(organiser, path)["og:image"].endswith(static(SITE))
        assert boards(organiser, path) == []
    assert Html(organiser.get("/matches/").content.decode()).all("table")
    Event.objects.filter(pk=event.pk).update(released=None)
    for path in (page, owner, "/matches/"):
        assert properties(client, path)["og:image"].endswith("/card.png")


def test_the_map_of_the_site_leads_to_pages_that_are_there_and_to_no_draft(client: Client) -> None:
    a_draft()
    a_ladder("arena")
    a_version()
    a_user("gone").delete()
    assert f"Sitemap: {settings.SITE_URL}/sitemap.xml" in client.get("/robots.txt").content.decode()
    files = locations(client, "/sitemap.xml")
    assert len(files) == 7
    pages = [page for file in files for page in locations(client, file)]
    assert {client.get(page).status_code for page in pages} == {200}
    assert not [page for page in pages if page.startswith("/events/") and page != "/events/"]
    assert "/ladders/arena/" in pages


def locations(client: Client, path: str) -> list[str]:
    return re.findall(r"<loc>https?://[^/]+(/[^<]*)</loc>", client.get(path).content.decode())
