"""OpenSpiel's own tests, its playthroughs, and traces of each game beside the recorded ones."""

import copy
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms import generate_playthrough
from open_spiel.python.observation import make_observation
from open_spiel.python.tests import games_sim_test

from bots.doctor.tables import variants
from bots.environments.encoding import EnvironmentRefused
from bots.environments.spiel import parameters
from engine.games import GAMES, OWN
from engine.records import to_plain
from tests.bots.environments.copying import COPIES

# Short ones: what makes the others long is more of the same.
FEW = {"kaiju": {"max_turns": 4}, "shangzhou": {"max_turns": 1}, "gigabucks": {"max_decisions": 40}}
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


@pytest.mark.parametrize("game", OWN)
def test_openspiels_own_test_passes(game: str) -> None:
    """Tables of every size and every choice of an option pass; states are serialised and read again."""
    names = parameters(game)
    for options in variants(GAMES[game]):
        given = {name: value for name, value in to_plain(options).items() if name in names}
        loaded = pyspiel.load_game(f"boardroom_{game}", {**given, **FEW.get(game, {}), "deals": 3})
        pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("game", OWN)
def test_openspiels_own_test_passes_with_whole_matches(game: str) -> None:
    loaded = pyspiel.load_game(f"boardroom_{game}({WHOLE[game]})")
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("game", OWN)
def test_openspiels_simulation_of_its_own_games_passes(game: str) -> None:
    """The one in Python, with its defaults: the game, its type and its states are pickled and serialised."""
    loaded = pyspiel.load_game(f"boardroom_{game}")
    games_sim_test.GamesSimTest("run").sim_game(loaded)


@pytest.mark.parametrize("game", OWN)
def test_a_copy_of_a_state_is_the_same_state_and_goes_on_alike(game: str) -> None:
    for state in course_of(game):
        for copied in copies(state):
            assert (type(copied), str(copied)) == (type(state), str(state))
            assert played(copied) == played(state.clone())


def course_of(game: str) -> Iterator[Any]:
    """States of a match by chance: before the deal, in the middle, and the last."""
    lots, state = Random(1), pyspiel.load_game(f"boardroom_{game}({SHORT[game]})").new_initial_state()
    for decision in count():
        if decision in {0, 1, 2, 3, 9, 27} or state.is_terminal():
            yield state
        if state.is_terminal():
            return
        state.apply_action(lots.choice(state.legal_actions()))


def copies(state: Any) -> Iterator[Any]:
    game = state.get_game()
    yield pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]
    yield game.deserialize_state(state.serialize())
    yield copy.copy(state)
    yield from (copied(state) for copied in COPIES)


def played(state: Any) -> list[Any]:
    """Play it on, and return what was seen."""
    lots, seen = Random(2), list[Any]()
    for _ in range(10):
        if state.is_terminal():
            break
        state.apply_action(lots.choice(state.legal_actions()))
        seen.append((str(state), state.history(), state.legal_actions(), state.returns()))
    return seen


@pytest.mark.parametrize("game", OWN)
def test_a_game_is_pickled_and_copied(game: str) -> None:
    loaded = pyspiel.load_game(f"boardroom_{game}({SHORT[game]})")
    for copied in (make(loaded) for make in (*COPIES, copy.copy)):
        assert (copied, copied.num_distinct_actions()) == (loaded, loaded.num_distinct_actions())


def test_another_process_goes_on_with_a_state() -> None:
    """One that has loaded nothing of ours yet."""
    state = pyspiel.load_game(f"boardroom_zaibatsu({SHORT['zaibatsu']})").new_initial_state()
    state.apply_action(1)
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        assert process.submit(played, state).result() == played(state.clone())


def test_fields_of_a_copied_observer_are_still_parts_of_its_tensor() -> None:
    loaded = pyspiel.load_game("boardroom_zaibatsu")
    for observer in (copied(make_observation(loaded)) for copied in COPIES):
        observer.set_from(loaded.new_initial_state().child(0), 0)
        assert 0 != sum(part.sum() for part in observer.dict.values()) == observer.tensor.sum()


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
    """Actions, states and observations of all seats. `python3 -m tests.bots.environments.test_spiel` records them."""
    assert traced(game) == json.loads(RECORDED.read_text())[game]


def test_what_is_observed_has_no_public_part_of_its_own() -> None:
    public = pyspiel.IIGObservationType(
        public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    loaded = pyspiel.load_game("boardroom_zaibatsu")
    assert make_observation(loaded, public) is None
    assert make_observation(loaded) is not None


@pytest.mark.parametrize("deals", [-1, 0, 1_000_001])
def test_a_number_of_deals_that_makes_no_sense_is_refused(deals: int) -> None:
    with pytest.raises(EnvironmentRefused, match=f"deals must be 1 to 1,000,000, not {deals}"):
        pyspiel.load_game(f"boardroom_zaibatsu(deals={deals})")


def test_an_option_that_the_game_refuses_is_refused_with_its_sentence() -> None:
    with pytest.raises(EnvironmentRefused, match="must be 2 to 4, not 9"):
        pyspiel.load_game("boardroom_zaibatsu(players=9)")


def traced(game: str) -> dict[str, Any]:
    """Return a digest of a match played by actions that no dice choose."""
    state, digest, decisions = pyspiel.load_game(f"boardroom_{game}({SHORT[game]})").new_initial_state(), sha256(), 0
    while not state.is_terminal():
        legal = state.legal_actions()
        seen = [state.observation_string(seat) for seat in range(state.num_players())]
        digest.update(repr((str(state), legal, seen)).encode())
        state.apply_action(legal[7 * decisions % len(legal)])
        decisions += 1
    digest.update(repr(state.returns()).encode())
    return {"rules": GAMES[game].version, "decisions": decisions, "sha256": digest.hexdigest()}


if __name__ == "__main__":
    RECORDED.write_text(json.dumps({game: traced(game) for game in OWN}, indent=1) + "\n")
