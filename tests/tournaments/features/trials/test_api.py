"""A trial by the API: what its page shows, as numbers."""

import pytest

from bots.sequential_test import elo_of
from tests.factories import a_trial
from tests.tournaments.web.api.asking import ask
from tests.tournaments.web.api.world import World

pytestmark = pytest.mark.django_db


def test_a_trial_shows_its_ratio_after_each_set(api_world: World) -> None:
    trial = a_trial(api_world.version, sets=3, gate_test="non_regression")
    shown = ask("GET", f"trials/{trial.pk}").json()
    evidence = shown["evidence"]
    assert (shown["elo0"], shown["elo1"], shown["rule"], shown["played"], evidence["sets"]) == (-30, 0, 2, 3, 3)
    assert (shown["lower"], shown["upper"]) == (pytest.approx(-2.4849, abs=1e-4), pytest.approx(3.1355, abs=1e-4))
    assert evidence["llrs"][-1] == shown["llr"]
    assert (len(evidence["llrs"]), sum(evidence["outcomes"]), len(evidence["outcomes"])) == (3, 3, 5)
    assert evidence["share"] == shown["score"]
    assert evidence["elo"] == pytest.approx(elo_of(shown["score"]))
    assert evidence["interval"][0] <= shown["score"] <= evidence["interval"][1]
    listed = ask("GET", f"bots/{api_world.bot.pk}/trials").json()["results"][0]
    assert listed == {name: value for name, value in shown.items() if name != "evidence"}


def test_the_test_of_a_gate_is_chosen_with_it(api_world: World) -> None:
    changed = ask("PATCH", f"bots/{api_world.bot.pk}", api_world.owner, {"gate": "ask", "gate_test": "balanced"}).json()
    assert (changed["gate"], changed["gate_test"]) == ("ask", "balanced")
    changed = ask("PATCH", f"bots/{api_world.bot.pk}", api_world.owner, {"gate": "auto"}).json()
    assert (changed["gate"], changed["gate_test"]) == ("auto", "balanced")
    wrong = ask("PATCH", f"bots/{api_world.bot.pk}", api_world.owner, {"gate": "auto", "gate_test": "-5:0"})
    assert wrong.status_code == 400
    assert "gate_test" in wrong.content.decode()


def test_there_is_no_other_trial(api_world: World) -> None:
    wrong = ask("GET", "trials/424242")
    assert (wrong.status_code, wrong.json()["code"]) == (404, "unknown_trial")
