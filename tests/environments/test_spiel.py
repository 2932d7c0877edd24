"""OpenSpiel's own tests, its playthroughs, and traces of each game beside the recorded ones."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms import generate_playthrough
from open_spiel.python.observation import make_observation

import bots.environments.spiel  # noqa: F401  it registers the games
from bots.environments.encoding import EnvironmentRefused
from engine.games import GAMES, OWN
from tests import thorough

# Short ones: what makes the others long is more of the same.
SHORT = {
    "zaibatsu": "players=3,deals=3,piles=closed",
    "kaiju": "players=2,deals=3,max_turns=4",
    "shangzhou": "players=2,deals=3,max_turns=1",
    "gigabucks": "players=3,deals=3,max_decisions=100",
    "network": "players=2,deals=3",
}
WHOLE = {"gigabucks": "players=3,deals=3,max_decisions=600"} | {
    game: f"players={GAMES[game].players[0]},deals=3" for game in ("zaibatsu", "kaiju", "shangzhou", "network")
}
RECORDED = Path(__file__).with_name("traces.json")  # by game the version of its rules, and the trace of `SHORT`
IN_EVERY_RUN = thorough.only("tests/environments/test_spiel.py::test_openspiels_own_test_passes")


@pytest.mark.parametrize("game", OWN)
def test_openspiels_own_test_passes(game: str) -> None:
    simulated(game, SHORT[game])


@pytest.mark.parametrize("game", [pytest.param(game, marks=IN_EVERY_RUN) for game in OWN])
def test_openspiels_own_test_passes_with_whole_matches(game: str) -> None:
    simulated(game, WHOLE[game])


def simulated(game: str, options: str) -> None:
    loaded = pyspiel.load_game(f"boardroom_{game}({options})")
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("game", OWN)
def test_a_playthrough_is_the_same_again(game: str) -> None:
    first, again = (generate_playthrough.playthrough(f"boardroom_{game}({SHORT[game]})", [], seed=7) for _ in range(2))
    assert first == again
    assert first.count("# Apply action") >= 3


@pytest.mark.parametrize("game", OWN)
def test_states_after_different_actions_are_told_apart(game: str) -> None:
    state = pyspiel.load_game(f"boardroom_{game}({SHORT[game]})").new_initial_state().child(0)
    legal = state.legal_actions()
    assert len({str(state.child(action)) for action in legal}) == len(legal) > 1


@pytest.mark.parametrize("game", OWN)
def test_a_trace_is_the_recorded_one(game: str) -> None:
    """States, legal actions and observations of all seats. `python3 -m tests.environments.test_spiel` records them."""
    assert traced(game) == json.loads(RECORDED.read_text())[game]


def test_what_is_observed_has_no_public_part_of_its_own() -> None:
    public = pyspiel.IIGObservationType(
        public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    loaded = pyspiel.load_game("boardroom_zaibatsu")
    assert make_observation(loaded, public) is None
    assert make_observation(loaded) is not None


def test_an_option_that_the_game_refuses_is_refused_with_its_sentence() -> None:
    with pytest.raises(EnvironmentRefused, match="must be 2 to 4, not 9"):
        pyspiel.load_game("boardroom_zaibatsu(players=9)")


def traced(game: str) -> dict[str, Any]:
    """By actions that no dice choose."""
    state, told, decisions = pyspiel.load_game(f"boardroom_{game}({SHORT[game]})").new_initial_state(), sha256(), 0
    while not state.is_terminal():
        legal = state.legal_actions()
        seen = [state.observation_string(seat) for seat in range(state.num_players())]
        told.update(repr((str(state), legal, seen)).encode())
        state.apply_action(legal[7 * decisions % len(legal)])
        decisions += 1
    told.update(repr(state.returns()).encode())
    return {"rules": GAMES[game].version, "decisions": decisions, "sha256": told.hexdigest()}


if __name__ == "__main__":
    RECORDED.write_text(json.dumps({game: traced(game) for game in OWN}, indent=1) + "\n")
