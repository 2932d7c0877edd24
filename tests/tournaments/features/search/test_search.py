"""Bots, people, teams, ladders, events, matches and docs are found by parts of their names and by what they say."""

import re
from urllib.parse import urlencode

import pytest
from django.test import Client

from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version
from tests.holding import a_draft
from tests.tournaments.web.api.asking import ask
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.features.search.docs import doc_sections, search_docs
from tournaments.features.teams.rules import create_team
from tournaments.ledger.search.words import words_of
from tournaments.models import Match
from tournaments.web.pages.docs import PAGES

pytestmark = pytest.mark.django_db
LISTS = ("/bots/", "/people/", "/matches/")
ODD = ("%", "_", "\\", "'", "a" * 5000, "&lt;script&gt;", "!&|():*", " ", "%F0%9F%8E%B2", "99999999999999999999")


def links(client: Client, address: str) -> list[str]:
    """Links in the page's body, but for those to whole lists."""
    answer = client.get(address)
    assert answer.status_code == 200, answer.content
    page = Html(answer.content.decode().partition("<main")[2].partition(">")[2].partition("</main>")[0])
    return [link["href"] for link in page.all("a") if link["href"] not in LISTS]


def test_a_bot_is_found_by_a_part_of_its_name_and_by_what_it_says(client: Client) -> None:
    bot, other = a_bot(name="Quiet Tanuki"), a_bot(name="loud one")
    other.about = "It searches ahead with determinizations."
    other.save()
    assert f"/bots/{bot.pk}/" in links(client, "/search/?q=tanU")
    assert f"/bots/{bot.pk}/" in links(client, "/search/?q=nuki+qui")
    assert f"/bots/{other.pk}/" in links(client, "/search/?q=searching")
    assert f"/bots/{bot.pk}/" not in links(client, "/search/?q=tanuki+loud")


def test_the_nearest_name_stands_first(client: Client) -> None:
    part, beginning, exact = a_bot(name="a new moon"), a_bot(name="moonlight"), a_bot(name="moon")
    shown = [link for link in links(client, "/search/?q=moon") if link.startswith("/bots/")]
    assert shown == [f"/bots/{bot.pk}/" for bot in (exact, beginning, part)]


def test_people_teams_ladders_matches_and_docs_are_found(client: Client) -> None:
    person = a_user("grace")
    team = create_team(name="graceful", by=person)
    a_ladder("graces")
    match = a_completed_set(a_ladder(players=2), [a_version(), a_version()]).matches.earliest("pk")
    assert {"/people/grace/", f"/teams/{team.pk}/", "/ladders/graces/"} <= set(links(client, "/search/?q=grace"))
    assert f"/matches/{match.pk}/" in links(client, f"/search/?q=%23{match.pk}")
    assert "/docs/games/network/#auction" in links(client, "/search/?q=network+auction")


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("elo", "/docs/ratings/"),
        ("timeout", "/docs/protocol/#time"),
        ("Why did my bot lose?", "/docs/kit/#why-a-match-was-lost"),
        ("rating went down", "/docs/ratings/#why-a-rating-moved"),
        ("my bot crashed", "/docs/write-a-bot/#what-goes-wrong-and-what-it-costs"),
        ("how do I upload a bot", "/docs/write-a-bot/#upload"),
        ("delete my account", "/docs/data/#your-own-data"),
        ("join code", "/docs/spaces/#let-people-in"),
        ("late days", "/docs/teach/#deadlines-and-late-days"),
    ],
)
def test_the_page_that_answers_comes_first(typed: str, answer: str, client: Client) -> None:
    for word in ("hello", "a bot of quiet moves"):  # names that contain a word, and do not begin as the question does
        a_bot(name=word)
    assert links(client, f"/search/?{urlencode({'q': typed})}")[0] == answer


def test_a_name_that_begins_so_comes_before_the_docs(client: Client) -> None:
    bot = a_bot(name="Elo eater")
    assert links(client, "/search/?q=elo")[:2] == [f"/bots/{bot.pk}/", "/docs/ratings/"]


@pytest.mark.parametrize("typed", ["a", "rating", "sand", "bots play", "timeout", "late days", "zaibatsu"])
def test_excerpts_are_of_whole_words(typed: str) -> None:
    words = {word for name in PAGES for section in doc_sections(name) for word in section.text.split()}
    excerpts = search_docs(words_of(typed))
    assert excerpts
    for excerpt in excerpts:
        assert set(excerpt.excerpt.split()) <= {*words, "..."}


def test_no_excerpt_has_the_line_below_the_head_of_a_table() -> None:
    assert not [section for name in PAGES for section in doc_sections(name) if "---" in section.text]


def test_who_is_deactivated_and_what_is_a_draft_are_found_by_nobody_else(client: Client) -> None:
    person, draft = a_user("hidden-one"), a_draft()
    person.is_active = False
    person.save()
    assert not [link for link in links(client, "/search/?q=hidden") if link.startswith("/people/")]
    assert f"/events/{draft.slug}/" not in links(client, f"/search/?q={draft.title}")
    assert f"/events/{draft.slug}/" in links(signed_in(a_user(staff=True)), f"/search/?q={draft.title}")


@pytest.mark.parametrize("page", ["/search/?q=", "/bots/?name=", "/people/?name=", "/matches/?bot=", "/bots/?before="])
def test_whatever_is_typed_has_an_answer(client: Client, page: str) -> None:
    a_bot(name="a bot")
    for typed in ODD:
        assert client.get(page + typed).status_code == 200
    assert not [link for link in links(client, "/bots/?name=%25") if link.startswith("/bots/")]


def test_lists_are_filtered_and_go_on_below_their_last_line(client: Client) -> None:
    mine, other = a_bot(a_user("ada"), "first"), a_bot(name="second")
    assert f"/bots/{mine.pk}/" in links(client, "/bots/?owner=ada&game=zaibatsu")
    assert f"/bots/{other.pk}/" not in links(client, "/bots/?owner=ada")
    assert f"/bots/{other.pk}/" not in links(client, f"/bots/?before={other.pk}")
    assert "/people/ada/" in links(client, "/people/?name=AD")
    assert "/people/ada/" not in links(client, "/people/?after=ada")


def test_matches_are_listed_by_ladder_and_by_bot(client: Client) -> None:
    ladder, versions = a_ladder(players=2), [a_version(), a_version()]
    a_completed_set(ladder, versions)
    a_completed_set(a_ladder(players=2), [a_version(), a_version()])
    played = {f"/matches/{pk}/" for pk in Match.objects.filter(set__ladder=ladder).values_list("pk", flat=True)}
    for query in (
        f"ladder={ladder.slug}",
        f"bot={versions[0].bot.name}",
        f"ladder={ladder.slug}&bot={versions[1].bot}",
    ):
        listed = {link for link in links(client, f"/matches/?{query}") if link.startswith("/matches/")}
        assert played <= listed
    assert len([link for link in links(client, "/matches/") if re.fullmatch(r"/matches/\d+/", link)]) == 2 * len(played)


def test_a_program_searches_too(db: None) -> None:
    bot = a_bot(name="Quiet Tanuki")
    [hit] = ask("GET", "search?q=tanuki").json()["results"]
    assert (hit["kind"], hit["key"], hit["address"]) == ("bot", str(bot.pk), f"/bots/{bot.pk}/")
    assert ask("GET", "search").json()["code"] == "invalid"
