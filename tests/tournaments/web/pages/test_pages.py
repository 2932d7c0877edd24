import functools
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine.games import GAMES
from engine.records import to_plain
from engine.referee import Verdict
from tests import factories
from tests.factories import a_bot, a_completed_set, a_ladder, a_version, an_upload, reports
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording.reports import record_report
from tournaments.models import Entry, Match, Seat, User, Version
from tournaments.web.pages.match_lists import LENGTH

PUBLIC = (
    *("/", "/audit/", "/overall/", "/ladders/arena/", "/ladders/arena/history/", "/ladders/arena/head-to-head/"),
    "/ladders/arena/transitivity/",
    "/ladders/arena/fair/",
    *("/bots/{bot}/", "/bots/{bot}/record/", "/matches/{match}/", "/people/olga/", "/play/", "/nowhere/"),
)
FOR_PEOPLE = ("/upload/", "/tokens/", "/play/under/arena/")
FOR_STRANGERS = ("/sign-in/", "/sign-up/")


def address(world: World, path: str) -> str:
    return path.format(bot=world.bot.pk, match=world.set.matches.first().pk)  # type: ignore[union-attr]


def see(client: Client, path: str) -> Html:
    return Html(client.get(path).content.decode())


def test_every_page_is_sound_for_everybody(pages_world: World) -> None:
    for path in map(functools.partial(address, pages_world), PUBLIC):
        for user in (None, pages_world.owner, pages_world.other, pages_world.staff):
            assert (path, user, see(signed_in(user), path).faults()) == (path, user, [])


def test_pages_for_people_ask_who_they_are_and_come_back(pages_world: World) -> None:
    for path in FOR_PEOPLE:
        answer = signed_in(None).get(path)
        assert (answer.status_code, answer.headers["Location"]) == (302, f"/sign-in/?next={path}")
        assert see(signed_in(pages_world.other), path).faults() == []


def test_who_is_signed_in_need_not_sign_in(pages_world: World) -> None:
    for path in FOR_STRANGERS:
        assert see(signed_in(None), path).faults() == []
        assert signed_in(pages_world.other).get(path).headers["Location"] == "/"


def test_the_front_page_shows_ladders_leaders_and_results(pages_world: World) -> None:
    factories.rate()
    page = see(signed_in(None), "/")
    assert "Arena" in page.text
    assert re.search(r"\w+ leads with 1\d{3}\.", page.text)
    assert "3 bots, 1 set." in page.text
    assert {"href": f"/matches/{pages_world.set.matches.last().pk}/"} in page.all("a")  # type: ignore[union-attr]


def test_the_table_over_all_games_has_a_line_for_each_owner(pages_world: World) -> None:
    assert "No ladder has ratings yet." in see(signed_in(None), "/overall/").text
    factories.rate()
    page = see(signed_in(None), "/overall/")
    assert page.faults() == []
    assert all(owner in page.text for owner in ("olga", "otto", "theo"))


def test_the_front_page_has_every_ladder_and_names_a_game_once(db: None) -> None:
    for game in GAMES.values():
        options = to_plain(game.read_options({"players": game.players[-1]}))
        a_ladder(game.name, title=game.title, game=game.name, rules=game.version, options=options)
    page = see(signed_in(None), "/")
    assert page.faults() == []
    for game in GAMES.values():
        once_more = game.name == "zaibatsu"  # which the example is for
        assert page.text.count(game.title) == 3 + once_more  # the heading, and two links for who hears the page
        assert re.search(rf"{game.title} .{{0,200}} Nobody leads yet\.", page.text)
        assert see(signed_in(None), f"/ladders/{game.name}/").faults() == []


def test_the_front_page_shows_people_their_own_bots(pages_world: World) -> None:
    assert "Your bots" not in see(signed_in(None), "/").text
    text = see(signed_in(pages_world.owner), "/").text
    assert "Your bots Orchid Version 1: active Arena , unranked" in text


def test_the_ladder_ranks_its_bots_and_says_what_the_last_set_changed(pages_world: World) -> None:
    factories.rate()
    text = see(signed_in(None), "/ladders/arena/").text
    assert text.index("Place Bot Owner Rating Sets Wins Forfeits") < text.index("Orchid v1")
    assert text.index("Rook v1") < text.index("Orchid v1")  # Orchid forfeited every match
    assert "100 %" in text
    assert "Everyone may enter." in text


def test_an_owner_enters_and_withdraws_with_buttons(pages_world: World) -> None:
    ladder, client = a_ladder("second"), signed_in(pages_world.owner)
    done = client.post("/ladders/second/enter/", {"bot": pages_world.bot.pk}, follow=True)
    assert "Orchid is in the Second ladder." in Html(done.content.decode()).text
    entry = Entry.objects.get(ladder=ladder)
    done = client.post(f"/entries/{entry.pk}/withdraw/", follow=True)
    assert "Orchid has left the Second ladder." in Html(done.content.decode()).text
    entry.refresh_from_db()
    assert entry.status == Entry.Status.WITHDRAWN


@pytest.mark.parametrize("person", ["other", "staff"])
def test_nobody_moves_the_bots_of_another(pages_world: World, person: str) -> None:
    client, entry = signed_in(getattr(pages_world, person)), pages_world.bot.entries.get()
    assert client.post("/ladders/arena/enter/", {"bot": pages_world.bot.pk}).status_code == 404
    done = client.post(f"/entries/{entry.pk}/withdraw/", follow=True)
    assert "belongs to somebody else" in Html(done.content.decode()).text
    entry.refresh_from_db()
    assert entry.status == Entry.Status.PLAYING


def test_the_bot_page_tells_reports_and_faults_to_the_owner_and_staff_alone(pages_world: World) -> None:
    version = pages_world.bot.versions.get()
    Version.objects.filter(pk=version.pk).update(report="It answered every question.")
    secrets = ("It answered every question.", "failed because the test wants it to")
    for user, sees in ((None, False), (pages_world.other, False), (pages_world.owner, True), (pages_world.staff, True)):
        text = see(signed_in(user), f"/bots/{pages_world.bot.pk}/").text
        assert [secret in text for secret in secrets] == [sees, sees]


def test_a_version_under_check_keeps_its_page_fresh_and_then_shows_the_verdict(pages_world: World) -> None:
    version, client = an_upload(pages_world.bot), signed_in(pages_world.owner)
    page = see(client, f"/bots/{pages_world.bot.pk}/")
    assert "Version 2 is being checked" in page.text
    assert next(section for section in page.all("section") if section.get("id") == "versions")["data-refresh"] == "2"
    Version.objects.filter(pk=version.pk).update(status=Version.Status.REJECTED, report="It never answered.")
    page = see(client, f"/bots/{pages_world.bot.pk}/")
    assert "data-refresh" not in next(section for section in page.all("section") if section.get("id") == "versions")
    assert "Version 2 failed its check; version 1 keeps playing. The report below says why." in page.text
    assert "It never answered." in page.text


def test_the_owner_lets_an_older_version_play_again(pages_world: World) -> None:
    second, client = a_version(pages_world.bot), signed_in(pages_world.owner)
    done = client.post(f"/bots/{pages_world.bot.pk}/activate/", {"version": "1"}, follow=True)
    assert "Orchid v1 plays from now on; Orchid v2 is retired, and can" in Html(done.content.decode()).text
    second.refresh_from_db()
    assert second.status == Version.Status.RETIRED
    assert client.post(f"/bots/{pages_world.bot.pk}/activate/", {"version": "nine"}).status_code == 404


def test_the_bot_page_draws_its_history_and_says_it_in_words(pages_world: World) -> None:
    versions = [bot.versions.get() for bot in (pages_world.bot, pages_world.rival)]
    a_completed_set(pages_world.ladder, [*versions, Version.objects.get(bot__name="Thistle")])
    factories.rate()
    page = see(signed_in(None), f"/bots/{pages_world.bot.pk}/")
    assert len(page.all("polyline")) == 1
    assert "Over the last 2 sets from" in page.text


def test_a_match_tells_places_scores_log_seed_and_how_to_verify(pages_world: World) -> None:
    match = pages_world.set.matches.order_by("turn").first()
    assert match is not None
    page = see(signed_in(None), f"/matches/{match.pk}/")
    seats = match.seats.order_by("place")
    assert all(f"{seat.version.bot} v1 {seat.score}" in page.text for seat in seats)
    assert "Round 4" in page.text
    assert "Orchid is at fault (illegal answer)" in page.text
    assert pages_world.set.seed in page.text
    assert f"python3 -m engine.verify zaibatsu-match-{match.pk}.json" in page.text
    assert any(link.get("href") == f"/api/v1/matches/{match.pk}/replay" for link in page.all("a"))


def test_nothing_of_the_deal_is_told_before_the_whole_set_is_over(pages_world: World) -> None:
    versions = [version.pk for version in Version.objects.filter(status="active")]
    played = create_set(ladder=pages_world.ladder, versions=versions)
    claim(match_set=played)
    for user in (None, pages_world.owner, pages_world.staff):
        page = see(signed_in(user), f"/matches/{played.matches.first().pk}/")  # type: ignore[union-attr]
        assert played.seed not in page.text
        assert played.commitment in page.text
        assert "sealed until the set is over" in page.text
        assert not [link for link in page.all("a") if "replay" in link.get("href", "")]


def test_evidence_of_a_match_is_for_the_bots_owner_and_attempts_for_all_who_played(pages_world: World) -> None:
    path = f"/matches/{pages_world.set.matches.first().pk}/"  # type: ignore[union-attr]
    evidence, attempts = "failed because the test wants it to", "Attempts to play this match"
    for user, seen in (
        (None, [False, False]),
        (pages_world.other, [False, True]),
        (pages_world.owner, [True, True]),
        (pages_world.staff, [True, True]),
    ):
        text = see(signed_in(user), path).text
        assert [evidence in text, attempts in text] == seen


def test_even_the_owner_sees_scores_but_no_evidence_while_the_set_is_played(pages_world: World) -> None:
    versions = list(Version.objects.filter(status="active").order_by("pk"))
    played = create_set(ladder=pages_world.ladder, versions=[version.pk for version in versions])
    failing = pages_world.bot.versions.get().pk
    first = reports(order_of_set(played, claim(match_set=played)), faults={failing: Verdict.ILLEGAL_ANSWER})[0]
    assert record_report(first) == "recorded"
    match = Match.objects.get(pk=first.match)
    Seat.objects.filter(match=match, version=failing).update(stderr="my hand is M01")
    pages_world.set.matches.all().delete()  # whose evidence may be seen
    client = signed_in(pages_world.owner)
    page = see(client, f"/matches/{match.pk}/")
    assert "illegal answer forfeit" in page.text
    for path in (f"/matches/{match.pk}/", f"/bots/{pages_world.bot.pk}/"):
        text = see(client, path).text
        assert "failed because the test wants it to" not in text
        assert "my hand is M01" not in text


def test_the_check_of_a_version_is_its_owners_business(pages_world: World) -> None:
    check = Match.objects.get(set__checks__bot=pages_world.bot)
    codes = [
        signed_in(user).get(f"/matches/{check.pk}/").status_code
        for user in (None, pages_world.other, pages_world.owner, pages_world.staff)
    ]
    assert codes == [404, 404, 200, 200]


def test_what_people_write_is_text_and_never_html(pages_world: World) -> None:
    Version.objects.filter(bot=pages_world.bot).update(note="<script>alert(1)</script>", report="<b onclick=x>")
    page = see(signed_in(pages_world.owner), f"/bots/{pages_world.bot.pk}/")
    assert page.faults() == []
    assert "<script>alert(1)</script>" in page.text


def test_matches_are_leafed_through_without_gap_or_repeat(pages_world: World) -> None:
    versions = [Version.objects.get(bot=bot, status="active") for bot in (pages_world.bot, pages_world.rival)]
    third = Version.objects.get(bot__name="Thistle")
    for _ in range(7):
        a_completed_set(pages_world.ladder, [*versions, third])
    matches = list(Match.objects.filter(set__ladder=pages_world.ladder).order_by("-pk").values_list("pk", flat=True))
    first = signed_in(None).get("/ladders/arena/").context["page"]
    second = signed_in(None).get(f"/ladders/arena/?before={first.older}").context["page"]
    assert [row.match.pk for page in (first, second) for row in page.rows] == matches
    assert (len(first.rows), second.older) == (LENGTH, None)


def test_a_strange_before_begins_at_the_newest(pages_world: World) -> None:
    for before in ("", "x", "-1", "9" * 40, "٣", "1.5"):
        page = signed_in(None).get("/ladders/arena/", {"before": before}).context["page"]
        assert (before, len(page.rows), page.newest) == (before, 3, True)


def test_the_number_of_queries_does_not_grow_with_what_is_shown(pages_world: World) -> None:
    shown = [
        (user, address(pages_world, path)) for path in PUBLIC for user in (None, pages_world.owner, pages_world.staff)
    ]
    factories.rate()
    before = [queries(*request) for request in shown]
    versions = [a_version(a_bot(pages_world.owner)) for _ in range(3)]
    for version in versions:
        pages_world.ladder.entries.create(bot=version.bot)
    a_ladder(players=2).entries.create(bot=pages_world.bot)
    for _ in range(2):
        a_completed_set(pages_world.ladder, versions)
    factories.rate()
    assert [queries(*request) for request in shown] == before
    assert max(before) <= 42  # of a bot with the doctor's card, which says also which workers could examine it


def queries(user: User | None, path: str) -> int:
    client = signed_in(user)
    with CaptureQueriesContext(connection) as seen:
        client.get(path)
    return len(seen)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/nowhere/", "There is no page at this address."),
        ("/ladders/none/", "There is no ladder called “none”."),
        ("/bots/999/", "There is no bot 999."),
        ("/matches/99999999999999999999/", "There is no match 99999999999999999999."),
    ],
)
def test_what_is_not_there_is_said_kindly(db: None, path: str, words: str) -> None:
    answer = signed_in(None).get(path)
    assert answer.status_code == 404
    assert words in Html(answer.content.decode()).text


def test_a_broken_server_answers_in_the_same_look(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.web.pages.home.ladder_cards", lambda: 1 / 0)
    answer = Client(raise_request_exception=False).get("/")
    assert answer.status_code == 500
    page = Html(answer.content.decode())
    assert page.faults() == []
    assert "This is our fault" in page.text
