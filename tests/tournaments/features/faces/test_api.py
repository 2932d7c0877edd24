"""Faces, badges and leagues in the API."""

import pytest

from bots.characters import characters_of
from tests.factories import a_bot, a_ladder
from tests.tournaments.features.faces.test_badges import award, enter, won
from tests.tournaments.ledger.ladders.test_leagues import rated, with_characters
from tests.tournaments.web.api.asking import ask, refused

pytestmark = pytest.mark.django_db


def test_a_bot_has_its_face_and_its_owner_changes_it() -> None:
    bot = a_bot()
    shown = ask("GET", f"bots/{bot.pk}").json()
    assert (shown["motto"], shown["colours"], shown["house"]) == ("", [], "")
    assert shown["emblem"] == f"/bots/{bot.pk}/emblem.svg"
    changed = ask("PATCH", f"bots/{bot.pk}", bot.owner, {"motto": "Grow", "colours": ["#000000", "#ffffff"]}).json()
    assert (changed["motto"], changed["colours"]) == ("Grow", ["#000000", "#ffffff"])
    assert ask("PATCH", f"bots/{bot.pk}", bot.owner, {"colours": []}).json()["motto"] == "Grow"
    answer = ask("PATCH", f"bots/{bot.pk}", bot.owner, {"colours": ["#000000", "#000001"]})
    assert refused(answer) == (400, "low_contrast")
    for body in ({"motto": "x" * 61}, {"colours": ["#000000"] * 3}, {"colours": "#000000"}, {"colours": [1]}):
        assert ask("PATCH", f"bots/{bot.pk}", bot.owner, body).status_code == 400


def test_a_bots_badges_are_listed_the_latest_first() -> None:
    ladder = a_ladder("arena", players=2)
    mine, boss = enter(ladder), enter(ladder, house="rung3")
    played = won(ladder, mine, boss)
    award()
    listed = ask("GET", f"bots/{mine.bot_id}/badges").json()["results"]
    assert [(row["kind"], row["character"], row["ladder"], row["set"]) for row in listed] == [
        ("first_win", "", "arena", played.pk),
        ("beaten", "rung3", "arena", played.pk),
    ]
    assert listed[1]["name"] == f"Beat {characters_of('zaibatsu')['rung3'].name}"
    assert len(ask("GET", f"bots/{mine.bot_id}/badges?page_size=1").json()["results"]) == 1


def test_standings_have_leagues_and_lists_of_bots_leave_out_the_house() -> None:
    ladder = a_ladder("arena")
    with_characters(ladder)
    rated(ladder, a_bot(name="Strong"), 1450)
    lines = ask("GET", "ladders/arena/standings").json()["standings"]
    assert {(line["bot"], line["league"]) for line in lines if not line["house"]} == {("Strong", "diamond")}
    assert {line["house"] for line in lines} == {"", *(f"rung{number}" for number in range(1, 7))}
    assert [bot["name"] for bot in ask("GET", "bots?house=false").json()["results"]] == ["Strong"]
    assert len(ask("GET", "bots?house=true").json()["results"]) == 7
