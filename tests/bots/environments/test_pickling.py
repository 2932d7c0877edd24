"""Environments are pickled and copied at any moment: the copy goes on as the one that it was made of."""

import copy
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.utils import wrappers

from bots.environments.aec import env
from bots.environments.batch import Batch
from bots.environments.encoding import EnvironmentRefused, encoding_of
from bots.environments.gym import SeatEnv
from engine import batch as play_outs
from engine.core import IllegalAction, Match
from engine.games import GAMES, OWN
from engine.records import Record
from engine.sentences import Sentence
from tests.bots.environments.copying import COPIES, pickled

DECISIONS = 25
WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "none": lambda aec: aec,
    "order": wrappers.OrderEnforcingWrapper,
    "bounds": wrappers.AssertOutOfBoundsWrapper,
    "illegal": partial(wrappers.TerminateIllegalWrapper, illegal_reward=-1),
}


def choice(mask: Any, number: int) -> int:
    """Return an action that is not masked."""
    legal = np.flatnonzero(mask)
    return int(legal[7 * number % len(legal)])


def aec_played(aec: Any) -> list[Any]:
    """Play it on, and return what was seen."""
    seen = []
    for number, agent in enumerate(aec.agent_iter(DECISIONS)):
        observed, *outcome = aec.last()
        over = outcome[1] or outcome[2]
        seen.append((agent, observed["observation"].tobytes(), outcome))
        aec.step(None if over else choice(observed["action_mask"], number))
    return seen


@pytest.mark.parametrize("game", OWN)
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_pettingzoo_environment_goes_on_alike(game: str, wrapper: str) -> None:
    aec = WRAPPERS[wrapper](env(game))
    aec.reset(seed=3)
    aec_played(aec)
    copies = [copied(aec) for copied in COPIES]
    assert [aec_played(other) for other in copies] == [aec_played(aec)] * len(COPIES)


def seat_played(seat: Any) -> list[Any]:
    """Play it on from its own mask, into the next match where one ends."""
    seen = []
    for number in range(DECISIONS):
        observed, *outcome = seat.step(choice(seat.unwrapped.action_masks(), number))
        seen.append((observed["observation"].tobytes(), outcome))
        if outcome[1]:
            seat.reset()
    return seen


@pytest.mark.parametrize("game", OWN)
@pytest.mark.parametrize("opponents", ["random", "default"])
def test_a_gymnasium_environment_goes_on_alike_in_gymnasiums_wrappers(game: str, opponents: str) -> None:
    seat = gymnasium.make(f"boardroom/{game}-v{GAMES[game].version}", opponents=opponents)
    seat.reset(seed=3)
    seat_played(seat)
    copies = [copied(seat) for copied in COPIES]
    assert [seat_played(other) for other in copies] == [seat_played(seat)] * len(COPIES)


def test_an_environment_with_a_bot_is_pickled_between_matches_and_refuses_in_one() -> None:
    seat = SeatEnv("zaibatsu", players=2, opponents="marginal")
    try:
        again = pickled(seat)
        seat.reset(seed=1)
        with pytest.raises(EnvironmentRefused, match="before it is over") as error:
            pickled(seat)
        assert error.value.code == "bots_play"
        seat.step(-1)
        pickled(seat).close()
        again.reset(seed=1)
        again.close()
    finally:
        seat.close()


def rows_played(batch: Batch) -> list[Any]:
    seen = []
    for number in range(DECISIONS):
        now = batch.step(np.array([choice(mask, number) for mask in batch.now.masks]))
        arrays = (now.observations, now.masks, now.seats, now.rewards, now.done)
        seen.append([array.tobytes() for array in arrays])
    return seen


@pytest.mark.parametrize(
    ("game", "processes", "later_processes"), [*((game, 1, 1) for game in OWN), ("zaibatsu", 2, 1)]
)
def test_a_batch_goes_on_alike_whatever_the_number_of_processes(
    game: str, processes: int, later_processes: int
) -> None:
    with Batch(game, 3, processes=processes, learners=[0]) as batch:
        batch.reset()
        rows_played(batch)
        copies = [copied(batch) for copied in COPIES]
        shown, seen = batch.now.observations.tobytes(), rows_played(batch)
    for other in copies:
        other.processes = later_processes
        with other:
            assert other.now.observations.tobytes() == shown
            assert rows_played(other) == seen


def test_a_batch_before_its_first_match_is_pickled_as_that() -> None:
    again = pickled(Batch("zaibatsu", 3, processes=1, seed="spring", players=2))
    with again, Batch("zaibatsu", 3, processes=1, seed="spring", players=2) as batch:
        with pytest.raises(EnvironmentRefused, match="call reset"):
            again.step(np.zeros(3, int))
        again.reset(), batch.reset()
        assert rows_played(again) == rows_played(batch)


def test_other_processes_are_handed_environments_and_hand_them_back() -> None:
    aec, seat = env("zaibatsu"), SeatEnv("kaiju")
    aec.reset(seed=1)
    seat.reset(seed=1)
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        seen = [process.submit(aec_played, aec), process.submit(seat_played, seat)]
        back = process.submit(copy.copy, aec).result()
        assert [future.result() for future in seen] == [aec_played(aec), seat_played(seat)]
    assert aec_played(back) == seen[0].result()


def test_gymnasium_steps_seats_in_spawned_processes() -> None:
    name = f"boardroom/zaibatsu-v{GAMES['zaibatsu'].version}"
    vector = gymnasium.make_vec(name, 2, vectorization_mode="async", vector_kwargs={"context": "spawn"})
    try:
        observed, _ = vector.reset(seed=3)
        alone = SeatEnv("zaibatsu").reset(seed=3)[0]["observation"]
        assert observed["observation"][0].tolist() == alone.tolist()
    finally:
        vector.close()


def test_an_encoding_is_the_same_one_again() -> None:
    encoding = encoding_of("zaibatsu", {"players": 2})
    assert [copied(encoding) for copied in COPIES] == [encoding] * len(COPIES)


def to_the_middle(match: Match[Any], dice: Any) -> Match[Any]:
    for _ in range(5):
        match.apply({seat: question.draw(dice) for seat, question in match.questions.items()})
    return match


def illegal(_match: Any, seat: int, _question: Any, _dice: Any) -> Record:
    raise IllegalAction(seat, Sentence("is not legal"))


@pytest.mark.parametrize("game", OWN)
def test_play_outs_return_matches_that_go_on(game: str) -> None:
    with play_outs.Batch(game, 2, processes=1) as batch:
        made = batch.each(to_the_middle)
    for match in made:
        again = pickled(match)
        answers = {seat: question.default() for seat, question in match.questions.items()}
        match.apply(answers)
        again.apply(answers)
        assert (again.at, again.questions) == (match.at, match.questions)


def test_play_outs_raise_what_a_process_raised_and_are_pickled_with_their_processes() -> None:
    with play_outs.Batch("zaibatsu", 2, processes=2) as batch:
        with pytest.raises(IllegalAction, match="is not legal"):
            batch.play(illegal)
        again = pickled(batch)
        assert again.play(play_outs.at_random) == batch.play(play_outs.at_random)
