"""Teams from a program: founded, joined, left; bots given to them; what is said about all of these."""

import pytest

from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.api.world import World

pytestmark = pytest.mark.django_db


def test_a_team_from_its_founding_to_its_end(api_world: World) -> None:
    ada, bob = api_world.owner, api_world.other
    made = ask("POST", "teams", ada, {"name": "The crew"})
    team = made.json()["id"]
    assert (made["Location"], made.json()["captain"]) == (f"/api/v1/teams/{team}", "ada")
    assert ask("POST", f"teams/{team}/invite", ada, {"user": "bob"}).status_code == 204
    assert ask("GET", "account", bob).json()["teams"] == [{"team": team, "name": "The crew", "role": "invited"}]
    assert ask("POST", f"teams/{team}/join", bob).status_code == 204
    assert ask("GET", f"teams/{team}").json()["members"] == ["ada", "bob"]
    assert refused(ask("POST", f"teams/{team}/leave", ada)) == (409, "still_captain")
    assert ask("POST", f"teams/{team}/captain", ada, {"user": "bob"}).status_code == 204
    assert ask("POST", f"teams/{team}/leave", ada).status_code == 204
    assert ask("POST", f"teams/{team}/leave", bob).status_code == 204
    assert refused(ask("GET", f"teams/{team}")) == (404, "unknown_team")


def test_a_bot_is_given_described_and_gated_in_one_go_or_not_at_all(api_world: World) -> None:
    ada, bot = api_world.owner, f"bots/{api_world.bot.pk}"
    team = ask("POST", "teams", ada, {"name": "The crew"}).json()["id"]
    changed = ask("PATCH", bot, ada, {"team": team, "about": "It counts.", "gate_test": "balanced"}).json()
    assert (changed["team"], changed["about"], changed["gate_test"], changed["gate"]) == (
        team,
        "It counts.",
        "balanced",
        "off",
    )
    foreign = ask("POST", "teams", api_world.other, {"name": "The others"}).json()["id"]
    assert refused(ask("PATCH", bot, ada, {"about": "Never", "team": foreign})) == (409, "not_member")
    assert refused(ask("PATCH", bot, ada, {})) == (400, "invalid")
    kept = ask("GET", bot).json()
    assert (kept["about"], kept["team"]) == ("It counts.", team)
    assert ask("PATCH", bot, ada, {"team": None}).json()["team"] is None


def test_who_does_not_run_a_thing_writes_nothing_about_it(api_world: World) -> None:
    team = ask("POST", "teams", api_world.owner, {"name": "The crew"}).json()["id"]
    assert refused(ask("PATCH", f"teams/{team}", api_world.other, {"about": "x"})) == (403, "not_captain")
    assert refused(ask("PATCH", f"bots/{api_world.bot.pk}", api_world.other, {"about": "x"})) == (403, "not_yours")
    assert refused(ask("PATCH", f"teams/{team}", api_world.owner, {"about": "x" * 501})) == (400, "invalid")
    assert ask("PATCH", f"teams/{team}", api_world.owner, {"about": "We count."}).json()["about"] == "We count."


def test_a_series_is_asked_for_whole_and_read_by_everybody(api_world: World) -> None:
    asked = {"bot": api_world.bot.pk, "against": [api_world.rival.pk], "sets": 3}
    assert len(ask("POST", "ladders/main/series", api_world.owner, asked).json()["sets"]) == 3
    [series] = ask("GET", f"bots/{api_world.bot.pk}/series").json()["results"]
    assert (series["asked_by"], len(series["sets"]), series["score"]) == ("ada", 3, None)
    too_many = {**asked, "sets": 8}
    assert refused(ask("POST", "ladders/main/series", api_world.owner, too_many)) == (429, "too_many_open")
