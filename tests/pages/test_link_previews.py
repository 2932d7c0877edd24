"""What programs that show links, and those that look at all pages, read of a page."""

import re

import pytest
from django.conf import settings
from django.test import Client

from tests.factories import a_completed_set, a_ladder, a_user, a_version
from tests.holding import a_draft
from tests.pages.html import Html
from tournaments.models import Match

pytestmark = pytest.mark.django_db


def told(client: Client, path: str) -> dict[str, str]:
    """Of Open Graph."""
    page = Html(client.get(path).content.decode())
    return {each["property"]: each["content"] for each in page.all("meta") if "property" in each}


def test_a_page_tells_other_sites_its_title_its_text_and_its_latest_match(client: Client) -> None:
    ladder = a_ladder("arena", title='"Arena" & <more>')
    versions = [a_version() for _ in range(3)]
    a_completed_set(ladder, versions)
    seen = told(client, "/ladders/arena/")
    assert seen["og:title"] == '"Arena" & <more> · Boardroom'
    assert seen["og:description"].startswith('Standings of "Arena" & <more>')
    assert seen["og:url"] == f"{settings.SITE_URL}/ladders/arena/"
    latest = Match.objects.latest("pk").pk
    for path in ("/ladders/arena/", f"/bots/{versions[0].bot_id}/", "/", "/matches/"):
        assert told(client, path)["og:image"] == f"{settings.SITE_URL}/matches/{latest}/card.png"
    assert told(client, "/docs/ratings/")["og:title"].endswith("· Boardroom")


def test_a_match_tells_the_moment_that_the_link_leads_to(client: Client) -> None:
    match = a_completed_set(a_ladder(), [a_version() for _ in range(3)]).matches.earliest("pk")
    page = client.get(f"/matches/{match.pk}/?at=3").content.decode()
    assert page.count("og:title") == 1
    assert told(client, f"/matches/{match.pk}/?at=3")["og:url"].endswith("?at=3&as=all")


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
