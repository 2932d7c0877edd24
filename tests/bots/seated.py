"""Samples at a table without processes, for whole series in a moment."""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from engine.core import Seat
from engine.game import AnyGame, Options
from engine.records import to_plain
from engine.referee import Played, Prompt, Reply, play


class Seated:
    """One sample on each seat. What a sample remembers is its module's `Bot`, a new one for each match."""

    def __init__(self, samples: Sequence[ModuleType]) -> None:
        self.bots: list[Any] = [sample.Bot() if hasattr(sample, "Bot") else sample for sample in samples]

    def ask(self, prompts: Mapping[Seat, Prompt]) -> Mapping[Seat, Reply]:
        return {seat: self._answer(self.bots[seat], prompt) for seat, prompt in prompts.items()}

    def _answer(self, bot: Any, prompt: Prompt) -> Reply:
        if hasattr(bot, "hear"):
            bot.hear(prompt.events)
        return Reply(to_plain(bot.choose(prompt.view, prompt.question)))

    def dismiss(self, seat: Seat) -> None:
        raise AssertionError(f"seat {seat} answered illegally")


def match(game: AnyGame, options: Options, seed: str, samples: Sequence[ModuleType]) -> Played:
    return play(game, options, seed, Seated(samples))


def wins_in_sets(game: AnyGame, options: Options, better: ModuleType, worse: ModuleType, sets: int) -> float:
    """The share of matches that one `better` wins among `worse` ones, every deal from every seat."""
    wins = 0.0
    for deal in range(sets):
        for seat in range(options.players):
            samples = [better if seat == other else worse for other in range(options.players)]
            result = match(game, options, f"ladder {deal}", samples).result
            wins += (result.places[seat] == 1) / result.places.count(1)
    return wins / (sets * options.players)
