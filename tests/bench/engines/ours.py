"""Our games, with default options and with the most players."""

from collections.abc import Iterator
from itertools import cycle
from typing import Any, Final

from engine.core import Match
from engine.dice import Dice, QuickDice
from engine.game import AnyGame, Options
from engine.games import GAMES
from tests.bench.engines import Engine

AnyMatch = Match[Any]
SPREAD: Final = 40  # positions


def tables() -> Iterator[tuple[AnyGame, Options]]:
    for game in GAMES.values():
        usual = game.read_options({})
        yield game, usual
        if usual.players != game.players[-1]:
            yield game, game.read_options({"players": game.players[-1]})


def name_of(game: AnyGame, options: Options) -> str:
    return f"{game.title}, {options.players} players"


def engine_of(game: AnyGame, options: Options) -> Engine:
    """Play-outs: nobody records them, so their dice are quick ones."""
    dice, matches = QuickDice.of("bench"), cycle(spread(game, options))

    def one_step() -> None:
        decide(next(matches).copy(), dice)

    def one_view() -> object:
        match = next(matches)
        return game.see(match.at, min(match.questions))

    return Engine(
        name_of(game, options),
        "Python",
        lambda deal: random_game(game, options, str(deal), dice),
        lambda: next(matches).copy(),
        one_step,
        one_view,
        lambda: Match(game.rules, next(matches).at),  # which walks over what is done, and asks
    )


def random_game(game: AnyGame, options: Options, seed: str, dice: Dice) -> int:
    match, answers = game.start(options, seed, listen=False, dice=type(dice)), 0
    while not match.over:
        answers += len(match.questions)
        decide(match, dice)
    return answers


def decide(match: AnyMatch, dice: Dice) -> None:
    match.apply({seat: question.draw(dice) for seat, question in match.questions.items()})


def positions(game: AnyGame, options: Options, seed: str) -> Iterator[AnyMatch]:
    """A random game at each of its decisions: one match, moved on each time."""
    match, dice = game.start(options, seed, listen=False, dice=QuickDice), QuickDice.of(seed)
    while not match.over:
        yield match
        decide(match, dice)


def spread(game: AnyGame, options: Options) -> list[AnyMatch]:
    """Matches from the whole course of a random game: what one moment costs says little of the others."""
    matches = [match.copy() for match in positions(game, options, "middle")]
    return matches[:: max(1, len(matches) // SPREAD)]
