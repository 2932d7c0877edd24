"""The ladder of samples: each beats the one before, plays the same way twice, and thinks quickly."""

import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from bots.samples import zaibatsu_blend, zaibatsu_marginal, zaibatsu_random
from engine.core import Seat
from engine.games.zaibatsu import ZAIBATSU, Options
from engine.records import to_plain
from engine.referee import Played, Prompt, Reply, play

Choose = Callable[[Any, Any], Any]
RANDOM, MARGINAL, BLEND = (module.choose for module in (zaibatsu_random, zaibatsu_marginal, zaibatsu_blend))


class Seated:
    """Bots at a table without processes: what they choose, as plain data, and the CPU time they took."""

    def __init__(self, bots: list[Choose]) -> None:
        self.bots, self.seconds = bots, [0.0] * len(bots)

    def ask(self, prompts: Mapping[Seat, Prompt]) -> Mapping[Seat, Reply]:
        return {seat: self._answer(seat, prompt) for seat, prompt in prompts.items()}

    def _answer(self, seat: Seat, prompt: Prompt) -> Reply:
        began = time.process_time()
        action = self.bots[seat](prompt.view, prompt.question)
        self.seconds[seat] += time.process_time() - began
        return Reply(to_plain(action))

    def dismiss(self, seat: Seat) -> None:
        raise AssertionError(f"seat {seat} answered illegally")


def match(seed: str, bots: list[Choose]) -> tuple[Played, Seated]:
    table = Seated(bots)
    return play(ZAIBATSU, Options(players=len(bots)), seed, table), table


def wins_in_sets(better: Choose, worse: Choose, players: int, sets: int) -> float:
    """The share of matches that one `better` wins among `worse` ones, every deal from every seat."""
    wins = 0.0
    for deal in range(sets):
        for seat in range(players):
            result = match(f"ladder {deal}", [better if seat == other else worse for other in range(players)])[0].result
            wins += (result.places[seat] == 1) / result.places.count(1)
    return wins / (sets * players)


@pytest.mark.parametrize(("players", "least"), [(2, 0.8), (3, 0.7), (4, 0.7)])
def test_marginal_beats_random(players: int, least: float) -> None:
    assert wins_in_sets(MARGINAL, RANDOM, players, 12) >= least


@pytest.mark.parametrize(("players", "least"), [(2, 0.8), (3, 0.65), (4, 0.65)])
def test_blend_beats_marginal(players: int, least: float) -> None:
    assert wins_in_sets(BLEND, MARGINAL, players, 8) >= least


@pytest.mark.parametrize("bot", [RANDOM, MARGINAL, BLEND])
@pytest.mark.parametrize(
    "options", [{"players": 2}, {"players": 4, "piles": "closed"}, {"players": 3, "unsold": "carry"}]
)
def test_a_sample_plays_every_option_without_a_fault_and_the_same_way_twice(bot: Choose, options: Any) -> None:
    chosen = ZAIBATSU.read_options(options)
    first, again = (play(ZAIBATSU, chosen, "twice", Seated([bot] * chosen.players)) for _ in range(2))
    assert first.faults == []
    assert [answer.action for answer in first.answers] == [answer.action for answer in again.answers]


def test_blend_thinks_less_than_a_third_of_a_second_in_a_match() -> None:
    seconds = [match(f"quick {n}", [BLEND, MARGINAL])[1].seconds[0] for n in range(5)]
    assert sorted(seconds)[2] < 0.3
