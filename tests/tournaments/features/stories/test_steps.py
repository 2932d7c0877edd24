"""Headlines are made once by the dispatcher, and stand where matches are listed."""

import pytest
from django.test import Client

from bots.viewer.stories import kept_headline
from engine.referee import Verdict
from engine.replay import read_replay
from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version, reports
from tests.holding import KNOCKOUT, a_running, play_out
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.core.notices.headlines import headline_of
from tournaments.features.stories import steps
from tournaments.features.stories.steps import keep_headlines
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording.reports import record_report
from tournaments.models import Bot, Match, MatchSet, Result

pytestmark = pytest.mark.django_db


@pytest.fixture
def played() -> MatchSet:
    return a_completed_set(a_ladder("arena"), [a_version(a_bot(name=name)) for name in ("Ada", "Bob", "Cleo")])


def text(client: Client, path: str) -> str:
    return Html(client.get(path).content.decode()).text


def test_each_is_kept_once_the_newest_first(played: MatchSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "BATCH", 2)
    monkeypatch.setattr(steps, "SECONDS", 60.0)
    newest = Result.objects.order_by("-match").values_list("match", flat=True)
    count = len(newest)
    assert keep_headlines() == 2
    assert list(Result.objects.filter(story__isnull=False).order_by("-match").values_list("match", flat=True)) == list(
        newest[:2]
    )
    while keep_headlines():
        pass
    for result in Result.objects.filter(match__set=played):
        assert result.story == kept_headline(read_replay(bytes(result.replay)))
    assert (Result.objects.filter(story__isnull=True).count(), count > 3) == (0, True)


def test_none_is_made_while_its_set_is_open(client: Client) -> None:
    dealt = create_set(ladder=a_ladder(), versions=[a_version().pk for _ in range(3)])
    first, *_ = reports(order_of_set(dealt, claim(match_set=dealt)))
    record_report(first)
    while keep_headlines():
        pass
    assert list(Result.objects.filter(match__set=dealt).values_list("story", flat=True)) == [None]
    assert Html(client.get(f"/matches/{first.match}/").content.decode()).text.count(f"Match {first.match}") > 1
    assert client.get("/matches/").status_code == 200


def test_a_match_that_cannot_be_played_again_has_none(played: MatchSet) -> None:
    matches = list(played.matches.values_list("pk", flat=True))
    for match, replay in zip(matches, (b"", b"x", b"{}"), strict=True):
        Result.objects.filter(match=match).update(replay=replay)
    while keep_headlines():
        pass
    assert set(Result.objects.filter(match__set=played).values_list("story", flat=True)) == {""}


def test_it_is_the_match_s_heading_title_and_preview_and_stands_in_lists_and_feeds(
    client: Client, played: MatchSet
) -> None:
    while keep_headlines():
        pass
    match = played.matches.select_related("result").latest("pk")
    headline = headline_of(match)
    page = Html(client.get(f"/matches/{match.pk}/").content.decode())
    assert headline.split()[0] in ("Ada", "Bob", "Cleo")
    assert " ".join(headline.split()) in page.text
    assert f">{headline.split(':')[0].removesuffix('.')}</h1>" in client.get(f"/matches/{match.pk}/").content.decode()
    metas = {
        element.get("property", element.get("name", "")): element.get("content", "") for element in page.all("meta")
    }
    assert metas["og:title"].startswith(headline)
    assert metas["description"].startswith(headline)
    assert (
        f"<title>{headline} · Match {match.pk} · Boardroom</title>"
        in client.get(f"/matches/{match.pk}/").content.decode()
    )
    for path in ("/matches/", "/ladders/arena/", f"/bots/{Bot.objects.get(name='Ada').pk}/"):
        assert " ".join(headline.split()) in text(client, path)
    assert " ".join(headline.split()) in client.get("/feeds/ladders/arena/").content.decode()


def test_a_list_says_it_in_the_reader_s_language_with_the_names_of_today(client: Client, played: MatchSet) -> None:
    while keep_headlines():
        pass
    winner = next(won[0] for match in played.matches.all() if len(won := match.seats.filter(place=1)) == 1).version.bot
    Bot.objects.filter(pk=winner.pk).update(name="<b>Zoë</b>")
    listed = text(Client(headers={"accept-language": "de"}), "/matches/")
    assert "<b>Zoë</b> gewinnt mit" in listed
    assert winner.name not in listed


def test_a_seat_that_crashed_is_named(client: Client) -> None:
    versions = [a_version() for _ in range(3)]
    dealt = a_completed_set(a_ladder(), versions, faults={versions[1].pk: Verdict.CRASHED})
    for match in dealt.matches.all():
        assert f"{versions[1].bot} forfeited in" in text(client, f"/matches/{match.pk}/")


def test_what_is_held_back_is_told_to_nobody_but_organisers(client: Client) -> None:
    event = play_out(a_running(3, KNOCKOUT, released=0))
    while keep_headlines():
        pass
    match = Match.objects.filter(set__event=event, set__status=MatchSet.Status.COMPLETE).latest("pk")
    headline = headline_of(match)
    assert headline
    bot = match.seats.all()[0].version.bot_id
    for path in ("/matches/", f"/events/{event.slug}/", f"/bots/{bot}/", f"/feeds/events/{event.slug}/", "/"):
        assert headline not in client.get(path).content.decode()
    assert client.get(f"/matches/{match.pk}/").status_code == 404 or headline not in text(
        client, f"/matches/{match.pk}/"
    )
    assert headline in text(signed_in(a_user(staff=True)), "/matches/")
