"""Faces on pages: emblems beside names, the owner's form, badges for those who may see the bot, and the leagues."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bots.characters import characters_of
from tests.factories import a_bot, a_ladder, a_user, a_version, rate
from tests.spaces import a_space
from tests.tournaments.features.faces.test_badges import award, enter, won
from tests.tournaments.ledger.ladders.test_leagues import rated, with_characters
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.features.faces.cards import LATEST
from tournaments.features.faces.rules import choose_face
from tournaments.models import Badge, Bot, MatchSet

pytestmark = pytest.mark.django_db


def seen(path: str, client: Client | None = None) -> Html:
    answer = (client or Client()).get(path)
    assert answer.status_code == 200
    page = Html(answer.content.decode())
    assert page.faults() == []
    return page


def emblems(page: Html) -> int:
    return sum(svg.get("class") == "emblem" and svg.get("aria-hidden") == "true" for svg in page.all("svg"))


def test_an_emblem_stands_beside_each_name_and_costs_no_query(pages_world: World) -> None:
    paths = ["/ladders/arena/", "/bots/", f"/bots/{pages_world.bot.pk}/", "/people/olga/"]
    paths.append(f"/matches/{pages_world.set.matches.earliest('pk').pk}/")
    assert [emblems(seen(path)) for path in paths] == [3, 3, 1, 1, 3]


def test_an_emblem_is_a_picture_of_its_own_that_browsers_keep(pages_world: World) -> None:
    answer = Client().get(f"/bots/{pages_world.bot.pk}/emblem.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer["Cache-Control"] == "public, max-age=600"
    again = Client().get(f"/bots/{pages_world.bot.pk}/emblem.svg", headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304
    choose_face(bot=pages_world.bot, by=pages_world.owner, motto="", colours=["#000000", "#ffffff"])
    assert b'fill="#000000"' in Client().get(f"/bots/{pages_world.bot.pk}/emblem.svg").content


def test_the_owner_chooses_the_face_and_reads_in_a_sentence_what_is_refused(pages_world: World) -> None:
    path, owner = f"/bots/{pages_world.bot.pk}/face/", signed_in(pages_world.owner)
    assert "Use these two colours" in seen(path, owner).text
    face = {"motto": "<b>Grow</b>", "own_colours": "on", "tile": "#000000", "figure": "#101010"}
    refused = owner.post(path, face)
    assert "their contrast is 1.1, and must be at least 3" in refused.content.decode()
    assert owner.post(path, {**face, "figure": "#ffffff"}).status_code == 302
    page = Client().get(f"/bots/{pages_world.bot.pk}/").content.decode()
    assert "&lt;b&gt;Grow&lt;/b&gt;" in page
    assert 'fill="#000000"' in page
    assert owner.post(path, {"motto": "x" * 61, "tile": "#000000", "figure": "#ffffff"}).status_code == 200
    assert owner.post(path, {"motto": "", "tile": "#000000", "figure": "#ffffff"}).status_code == 302
    assert Bot.objects.get(pk=pages_world.bot.pk).colours == ""


def test_badges_stand_on_the_bots_page_and_on_its_owners_with_the_match_that_earned_them() -> None:
    ladder = a_ladder("arena", players=2)
    mine, boss = enter(ladder, "Orchid"), enter(ladder, house="rung3")
    played = won(ladder, mine, boss)
    award()
    name = characters_of("zaibatsu")["rung3"].name
    for path in (f"/bots/{mine.bot_id}/", f"/people/{mine.bot.owner.username}/"):
        page = seen(path)
        assert f"Beat {name}" in page.text
        assert "First win" in page.text
        assert f"/matches/{played.matches.earliest('pk').pk}/" in {link["href"] for link in page.all("a")}
    assert characters_of("zaibatsu")["rung3"].style in seen(f"/bots/{boss.bot_id}/").text
    MatchSet.objects.filter(pk=played.pk).update(rated=False)
    assert f"Beat {name}" not in seen(f"/bots/{mine.bot_id}/").text


def test_badges_of_a_private_space_are_seen_by_its_members_alone() -> None:
    owner, member = a_user("ann"), a_user("bea")
    space = a_space("bio1", members=[owner, member])
    ladder = a_ladder("bio1-arena", players=2, space=space)
    mine, other = enter(ladder), enter(ladder)
    Bot.objects.filter(pk__in=[mine.bot_id, other.bot_id]).update(space=space)
    Bot.objects.filter(pk=mine.bot_id).update(owner=owner)
    won(ladder, mine, other)
    award()
    assert "First win" in seen("/people/ann/", signed_in(member)).text
    for client in (Client(), signed_in(a_user())):
        assert "First win" not in seen("/people/ann/", client).text
        for part in ("", "emblem.svg"):
            assert client.get(f"/bots/{mine.bot_id}/{part}").status_code == 404
        assert client.get(f"/api/v1/bots/{mine.bot_id}/badges").status_code == 404
    assert signed_in(member).get(f"/bots/{mine.bot_id}/emblem.svg")["Cache-Control"].startswith("private")


def test_a_persons_page_asks_as_much_for_many_badges_as_for_few() -> None:
    ladder = a_ladder("arena", players=2)
    mine, boss = enter(ladder), enter(ladder, house="rung1")
    played = won(ladder, mine, boss)
    award()

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            seen(f"/people/{mine.bot.owner.username}/")
        return len(asked)

    assert played.ended_at
    queries()  # the owner's board is drawn once
    before = queries()
    Badge.objects.bulk_create(
        Badge(bot=mine.bot, kind="beaten", character=f"rung{2 + number}", set=played, earned_at=played.ended_at)
        for number in range(2 * LATEST)
    )
    assert queries() == before
    assert seen(f"/people/{mine.bot.owner.username}/").text.count("Beat ") == LATEST


def test_the_league_stands_in_the_standings_and_on_the_bots_page() -> None:
    ladder = a_ladder("arena")
    with_characters(ladder)
    version = rated(ladder, a_bot(name="Strong"), 1450)
    for path in ("/ladders/arena/", f"/bots/{version.bot_id}/"):
        assert "Diamond" in seen(path).text
    small = a_ladder("few")
    with_characters(small, 5)
    rated(small, a_bot(name="Other"), 5000)
    assert "Legend" not in seen("/ladders/few/").text


def test_lists_leave_out_the_bots_of_the_house_if_asked() -> None:
    ladder = a_ladder("arena", players=2)
    mine, boss = enter(ladder, "Orchid"), enter(ladder, "Wobbling", house="rung1")
    won(ladder, mine, boss)
    rate()
    for path in ("/bots/", "/ladders/arena/"):
        assert "Wobbling" in seen(path).text
        page = seen(f"{path}?house=0")
        tables = [cell for cell in page.text.split("Recent matches")[0].split() if cell == "Wobbling"]
        assert tables == []
        assert "Orchid" in page.text
        assert any(box.get("name") == "house" and "checked" in box for box in page.all("input"))


def test_the_page_of_leagues_introduces_every_character_and_links_to_those_that_play(pages_world: World) -> None:
    version = a_version()
    Bot.objects.filter(pk=version.bot_id).update(house="rung1")
    page = seen("/leagues/")
    assert all(
        character.name in page.text for game in ("zaibatsu", "kaiju") for character in characters_of(game).values()
    )
    assert [
        link["href"] for link in page.all("a") if link["href"].startswith("/bots/") and link["href"] != "/bots/"
    ] == [f"/bots/{version.bot_id}/"]
    assert "Bronze" in page.text
    assert "12 characters beaten" in page.text
    assert Client().get("/leagues/")["Content-Security-Policy"].count("'unsafe") == 0
