"""A ladder's page: which lines an address asks for, and the pages beside it."""

import pytest
from django.db.models import F

from tests.factories import a_user, a_version, rate
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.models import Bot, Entry, Rating, User, Version
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
    Rating.objects.update(sd=20, elo=100.0 * F("version"))  # so sure that they have ranks, and no two the same
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
