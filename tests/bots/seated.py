"""Samples at a table without processes, for whole series in a moment."""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from bots.contest import sample_names
from engine.core import Seat
from engine.game import AnyGame, Options
from engine.records import to_plain
from engine.referee import Played, Prompt, Reply, run_match

ORDER = ("random", "greedy", "marginal", "search", "blend")  # of those a game has, each beats the one before


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
    return run_match(game, options, seed, Seated(samples))


def sets_of(
    game: AnyGame, options: Options, better: ModuleType, worse: ModuleType, sets: int, seed: str = "ladder"
) -> Iterator[tuple[float, int]]:
    """Yield by deal, played from every seat, the share that one `better` wins among `worse` ones, and all faults."""
    for deal in range(sets):
        wins, faults = 0.0, 0
        for seat in range(options.players):
            samples = [better if seat == other else worse for other in range(options.players)]
            played = match(game, options, f"{seed} {deal}", samples)
            places = played.result.places
            wins += (places[seat] == 1) / places.count(1)
            faults += len(played.faults)
        yield wins / options.players, faults


def samples_of(game: str) -> list[str]:
    return sorted((name for name in sample_names(game) if "." not in name), key=ORDER.index)


def sample(game: str, name: str) -> ModuleType:
    return import_module(f"bots.games.{game}.samples.{name}")
