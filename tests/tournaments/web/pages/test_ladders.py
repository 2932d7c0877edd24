"""A ladder's page: which lines an address asks for, and the pages beside it."""

import re

import pytest
from django.contrib.humanize.templatetags.humanize import ordinal
from django.db.models import F

from tests.factories import a_user, a_version, rate
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Bot, Entry, Ladder, Rating, User, Version
from tournaments.web.pages import standings_filter

pytestmark = pytest.mark.django_db


def names(query: str) -> list[str]:
    page = signed_in(None).get(f"/ladders/arena/{query}").context["standings"]
    return sorted(row.line.bot for row in page.rows)


def test_filters_in_the_address_choose_the_lines(pages_world: World) -> None:
    Entry.objects.filter(bot=pages_world.rival).update(status=Entry.Status.SUSPENDED)
    Version.objects.filter(bot=pages_world.bot).update(need="cpp")
    assert names("") == ["Orchid", "Rook", "Thistle"]
    assert names("?name=R") == ["Orchid", "Rook"]
    assert names("?owner=OLGA") == ["Orchid"]
    assert names("?language=cpp") == ["Orchid"]
    assert names("?status=suspended") == ["Rook"]
    assert names("?name=o&status=playing") == ["Orchid"]
    assert "No bot was found." in Html(signed_in(None).get("/ladders/arena/?name=zzz").content.decode()).text


def test_a_long_table_comes_in_pages_and_ranks_go_on(pages_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standings_filter, "LENGTH", 2)
    rate()
    Rating.objects.update(
        sd=20, chance_sd=20, elo=100.0 * F("version")
    )  # so sure that they have ranks, and no two the same
    pages = [signed_in(None).get(f"/ladders/arena/?page={page}").context["standings"] for page in ("1", "2", "9", "x")]
    assert [[row.line.rank for row in page.rows] for page in pages] == [[1, 2], [3], [3], [1, 2]]
    assert (pages[0].later, pages[1].earlier) == ("?page=2#standings", "?page=1#standings")


def test_what_people_and_owners_say_is_text_for_everybody_and_only_theirs_to_write(pages_world: World) -> None:
    words = "<script>alert(1)</script> & tea"
    signed_in(pages_world.owner).post("/account/about/", {"about": words})
    signed_in(pages_world.owner).post(f"/bots/{pages_world.bot.pk}/about/", {"about": words})
    for path in ("/people/olga/", f"/bots/{pages_world.bot.pk}/"):
        page = Html(signed_in(None).get(path).content.decode())
        assert words in page.text
        assert page.faults() == []
    answer = signed_in(pages_world.owner).post(f"/bots/{pages_world.bot.pk}/about/", {"about": "x" * 501})
    assert "x" * 501 in answer.content.decode()  # nothing typed is lost
    assert Bot.objects.get(pk=pages_world.bot.pk).about == words


def test_a_closed_account_has_no_profile(pages_world: World) -> None:
    User.objects.filter(pk=a_user("gone").pk).update(is_active=False)
    answer = signed_in(None).get("/people/gone/")
    assert (answer.status_code, "There is nobody called “gone” here." in answer.content.decode()) == (404, True)


def test_only_who_runs_a_bot_is_offered_its_file(pages_world: World) -> None:
    a_version(pages_world.bot)
    for user, files in ((None, 0), (pages_world.other, 0), (pages_world.owner, 2), (pages_world.staff, 2)):
        page = Html(signed_in(user).get(f"/bots/{pages_world.bot.pk}/").content.decode())
        assert len([link for link in page.all("a") if "/bundles/" in link.get("href", "")]) == files


def columns(path: str) -> list[int]:
    """How many columns each table of a page has."""
    text = signed_in(None).get(path).content.decode()
    return [head.count("<th ") for head in re.findall(r"<thead>.*?</thead>", text, re.DOTALL)]


def test_tables_of_ratings_have_at_most_eight_columns(pages_world: World) -> None:
    rate()
    bot = f"/bots/{pages_world.bot.pk}/"
    for path in ("/ladders/arena/", "/ladders/arena/?details=1", "/overall/", bot, "/bots/"):
        assert columns(path), path
        assert max(columns(path)) <= 8, path


def test_what_few_need_is_under_details_and_stays_there_on_the_next_page(
    pages_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rate()
    usual, details = (Html(signed_in(None).get(f"/ladders/arena/{end}").content.decode()) for end in ("", "?details=1"))
    for words in ("Joint ranks", "Mean place", "Its trend and form"):
        assert words not in usual.text
        assert words in details.text
    assert {"type": "hidden", "name": "details", "value": "1"} in details.all("input")
    monkeypatch.setattr(standings_filter, "LENGTH", 2)
    page = signed_in(None).get("/ladders/arena/?details=1").context["standings"]
    assert page.later == "?details=1&page=2#standings"
    assert signed_in(None).get("/ladders/arena/?details=<b>").context["standings"].details is False


def test_a_provisional_place_is_a_range_with_a_sign_and_a_bot_without_a_set_has_none(pages_world: World) -> None:
    pages_world.ladder.entries.create(bot=a_version().bot)
    rate()
    page = signed_in(None).get("/ladders/arena/")
    lines = [row.line for row in page.context["standings"].rows]
    played = next(line for line in lines if line.bot == "Rook")
    assert (played.rank, sum(not line.place for line in lines)) == (None, 1)
    text = " ".join(page.content.decode().split())
    assert f'{played.place}<abbr title="provisional">?</abbr>' in text
    assert "“?” marks a provisional place" in text
    words = f"about {ordinal(played.rank_lo)} to {ordinal(played.rank_hi)} of 4"
    for path in ("/bots/", "/people/otto/"):
        assert words in Html(signed_in(None).get(path).content.decode()).text
    assert words in Html(signed_in(pages_world.other).get("/").content.decode()).text
    bot_page = Html(signed_in(None).get(f"/bots/{pages_world.rival.pk}/").content.decode()).text
    assert f"Arena : {words} after 1 set, provisional" in bot_page


def test_a_bot_that_passed_its_check_reads_what_comes_next_and_when(pages_world: World) -> None:
    rate()
    newcomer = a_version()
    pages_world.ladder.entries.create(bot=newcomer.bot)

    def text_of(path: str = f"/bots/{newcomer.bot_id}/") -> str:
        return Html(signed_in(None).get(path).content.decode()).text

    assert "version 1 passed its check, and is paired with one of the next sets." in text_of()
    assert "New bots here usually finish their first set after" in text_of()
    Ladder.objects.filter(pk=pages_world.ladder.pk).update(status="paused")
    assert "passed its check, and is paired" not in text_of()
    Ladder.objects.filter(pk=pages_world.ladder.pk).update(status="open")
    pages_world.ladder.entries.update(unpromised="Nothing is promised: no worker that is here now can run cpp.")
    assert "is paired with one of the next sets" not in text_of()
    assert "no worker that is here now can run cpp" in text_of()
    opponents = Version.objects.filter(bot__name__in=("Rook", "Thistle")).values_list("pk", flat=True)
    create_set(ladder=pages_world.ladder, versions=[newcomer.pk, *opponents])
    assert "version 1 plays its first set ." in text_of()
    assert "plays its first set" not in text_of(f"/bots/{pages_world.rival.pk}/")
