"""Trials, in which a bot plays against itself, are no matches of a ladder; elsewhere they say what they are."""

import csv
import io
import re

import pytest
from django.test import Client

from tests.factories import a_trial, play_set
from tests.holding import ROBIN, a_running, play_out
from tests.tournaments.web.api.asking import ask
from tests.tournaments.web.pages.conftest import World, signed_in
from tournaments.core.notices.headlines import headline_of
from tournaments.features.follow.rules import start_following
from tournaments.features.friendlies.rules import ask_friendly_set
from tournaments.features.stories.steps import keep_headlines
from tournaments.features.trials.rules import deal_trials
from tournaments.ledger.dispatch.leases import claim
from tournaments.models import Attempt, Bot, Match, MatchSet, User
from tournaments.models.set_creation import create_match_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def tried(pages_world: World) -> list[int]:
    """The matches of a trial: those of one set are over, those of another with a worker."""
    trial = a_trial(pages_world.bot.versions.get(status="active"), sets=1)
    deal_trials()
    under_way(trial.sets.latest("pk"))
    return list(Match.objects.filter(set__trial=trial).order_by("pk").values_list("pk", flat=True))


def text(path: str, user: User | None = None) -> str:
    return signed_in(user).get(path).content.decode()


def shown(page: str, matches: list[int]) -> set[int]:
    return {match for match in matches if f"/matches/{match}/" in page}


PLACES = ("/", "/live/", "/live/?ladder=arena", "/ladders/arena/", "/matches/?ladder=arena", "/feeds/ladders/arena/")


@pytest.mark.parametrize("path", PLACES)
def test_trials_are_in_no_list_of_a_ladder(pages_world: World, tried: list[int], path: str) -> None:
    for user in (None, pages_world.owner, pages_world.staff):
        assert shown(text(path, user), tried) == set()
    assert path.startswith("/live/") or shown(text(path), [pages_world.set.matches.latest("pk").pk])


def test_a_trial_with_a_worker_is_no_match_that_the_ladder_plays_now(pages_world: World, tried: list[int]) -> None:
    assert Match.objects.filter(pk__in=tried, status="leased").exists()
    assert counted_now() == (0, 0)


def test_the_api_lists_no_trials_of_a_ladder_and_says_elsewhere_what_they_are(
    pages_world: World, tried: list[int]
) -> None:
    for user in (None, pages_world.owner, pages_world.staff):
        for query in ("", "&status=done", "&status=leased", f"&bot={pages_world.bot.pk}"):
            rows = ask("GET", f"matches?ladder=arena{query}", user).json()["results"]
            assert {row["id"] for row in rows}.isdisjoint(tried)
            assert {row["kind"] for row in rows} <= {"ladder"}
    kinds = {row["id"]: row["kind"] for row in ask("GET", f"matches?bot={pages_world.bot.pk}", None).json()["results"]}
    assert {kinds[match] for match in tried} == {"trial"}
    assert ask("GET", f"matches/{tried[0]}", None).json()["kind"] == "trial"


def test_a_bot_s_matches_in_a_ladder_are_no_trials(pages_world: World, tried: list[int]) -> None:
    for user in (None, pages_world.owner, pages_world.staff):
        page = text("/matches/?ladder=arena&bot=Orchid", user)
        assert shown(page, tried) == set()
        assert shown(page, [match.pk for match in pages_world.set.matches.all()])


def test_people_and_followers_see_no_trial_among_matches(pages_world: World, tried: list[int]) -> None:
    start_following(user=pages_world.staff, target=pages_world.bot)
    for path in (f"/people/{pages_world.owner}/", "/following/matches/", "/live/wall/", "/ladders/arena/wall/"):
        assert shown(text(path, pages_world.staff), tried) == set()


def test_the_headline_of_a_trial_names_versions_wherever_it_stands(pages_world: World, tried: list[int]) -> None:
    while keep_headlines():
        pass
    match = Match.objects.select_related("result").get(pk=tried[0])
    headline = " ".join(headline_of(match).split())
    assert all(re.findall(r"Orchid( v[12])?", headline))
    for path in ("/matches/", f"/bots/{pages_world.bot.pk}/", f"/matches/{match.pk}/"):
        assert headline in " ".join(text(path).split())
    assert f"Match {match.pk} (trial, not rated): {headline}" in text(f"/feeds/bots/{pages_world.bot.pk}/")
    assert ask("GET", f"matches/{match.pk}", None).json()["story"].split() == headline.split()


@pytest.mark.parametrize("path", ["/bots/{bot}/", "/matches/", "/matches/?bot=Orchid"])
def test_lists_of_all_matches_say_what_a_trial_is_with_its_versions(
    pages_world: World, tried: list[int], path: str
) -> None:
    page = text(path.format(bot=pages_world.bot.pk))
    assert shown(page, tried)
    row = " ".join(page[page.index(f"/matches/{tried[0]}/") :].partition("</tr>")[0].split())
    assert '<span class="tag">Trial, not rated</span>' in row
    assert "<small>v1</small>" in row
    assert "<small>v2</small>" in row
    other = page[page.index(f"/matches/{pages_world.set.matches.latest('pk').pk}/") :].partition("</tr>")[0]
    assert "not rated" not in other
    assert "<small>v1</small>" not in other


def test_a_ladder_names_the_event_of_a_match(pages_world: World) -> None:
    event = play_out(a_running(2, ROBIN, title="Tea & <b>cup</b>", ladder=pages_world.ladder))
    match = Match.objects.filter(set__event=event).earliest("pk")
    assert shown(text("/ladders/arena/"), [match.pk]) == {match.pk}
    row = row_of("/ladders/arena/", match.pk)
    assert f'<a class="tag" href="/events/{event.slug}/">Tea &amp; &lt;b&gt;cup&lt;/b&gt;, not rated</a>' in row
    assert "not rated" not in row_of("/ladders/arena/", pages_world.set.matches.latest("pk").pk)
    assert "not rated" not in row_of("/matches/", match.pk)  # whose column of ladders and events names it


def row_of(path: str, match: int) -> str:
    page = text(path)
    return " ".join(page[page.index(f"/matches/{match}/") :].partition("</tr>")[0].split()).replace('" >', '">')


def test_feeds_files_and_search_say_it_too(pages_world: World, tried: list[int]) -> None:
    feed = text(f"/feeds/bots/{pages_world.bot.pk}/")
    assert f"Match {tried[0]} (trial, not rated): " in feed
    assert "Orchid v1" in feed
    assert "Orchid v2" in feed
    lines = csv.DictReader(io.StringIO(text(f"/bots/{pages_world.bot.pk}/matches.csv").lstrip("\ufeff")))
    kinds = {int(line["match"]): line["kind"] for line in lines}
    assert (kinds[tried[0]], kinds[pages_world.set.matches.latest("pk").pk]) == ("trial", "ladder")
    results = ask("GET", f"search?q={tried[0]}", None).json()["results"]
    (hit,) = (hit for hit in results if hit["kind"] == "match")
    assert "Trial, not rated: " in hit["about"]
    assert "Orchid v2" in hit["about"]


def under_way(match_set: MatchSet) -> list[Match]:
    """A worker plays its matches."""
    claimed = claim(match_set=match_set)
    Attempt.objects.filter(match__in=claimed).update(outcome=Attempt.Outcome.PLAYING)
    return claimed


def counted_now() -> tuple[int, int]:
    """Return how many matches the home page and the ladder's say are played."""
    return Client().get("/").context["cards"][0].playing, Client().get("/ladders/arena/").context["playing"]


def test_what_a_worker_has_taken_and_not_begun_is_not_played_yet(pages_world: World) -> None:
    against = [pages_world.rival, Bot.objects.get(name="Thistle")]
    ladder, owner = pages_world.ladder, pages_world.owner
    first, *later = claim(match_set=ask_friendly_set(ladder=ladder, bot=pages_world.bot, against=against, by=owner))
    assert counted_now() == (0, 0)
    Attempt.objects.filter(match=first).update(outcome=Attempt.Outcome.PLAYING)
    assert later
    assert counted_now() == (1, 1)


def test_friendly_sets_say_what_they_are_on_the_live_page_and_in_feeds(pages_world: World) -> None:
    third = Bot.objects.get(name="Thistle")
    over, later = [
        ask_friendly_set(
            ladder=pages_world.ladder, bot=pages_world.bot, against=[pages_world.rival, third], by=pages_world.owner
        )
        for _ in range(2)
    ]
    play_set(over)
    (playing, *_), played = under_way(later), over.matches.earliest("pk")
    live, tag = " ".join(text("/live/?ladder=arena").split()), '<span class="tag">Friendly set, not rated</span>'
    channel, listed = live[live.index('id="channel"') :].split('id="playing"')
    assert f"/matches/{playing.pk}/" in channel
    assert tag in channel
    assert f"/matches/{playing.pk}/" in listed
    assert tag in listed
    for feed in (f"/feeds/bots/{pages_world.bot.pk}/", "/feeds/ladders/arena/"):
        assert f"Match {played.pk} (friendly set, not rated): " in text(feed)
    for path in ("/matches/", "/ladders/arena/", f"/bots/{pages_world.bot.pk}/"):
        assert tag in row_of(path, played.pk)


def test_spot_checks_are_not_counted_as_played_now(pages_world: World) -> None:
    ladder, checked = pages_world.ladder, pages_world.set.matches.latest("pk")
    options = {"game": ladder.game, "rules": ladder.rules, "options": ladder.options}
    seats = list(checked.seats.order_by("number").values_list("version", flat=True))
    under_way(create_match_set(seed="seed", tables={0: seats}, ladder=ladder, rechecks=checked, **options))
    assert counted_now() == (0, 0)


def test_the_page_of_a_match_names_both_versions(pages_world: World, tried: list[int]) -> None:
    page = " ".join(text(f"/matches/{tried[0]}/").split())
    assert "Trial of Orchid v2 against Orchid v1</a>" in page
    assert page.count("<small>v2</small>") >= 2
