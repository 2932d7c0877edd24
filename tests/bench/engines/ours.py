"""Our games, with default options and with the most players."""

from collections.abc import Iterator
from typing import Any

from engine.core import Match
from engine.dice import Dice
from engine.game import AnyGame, Options
from engine.games import GAMES
from tests.bench.engines import Engine

AnyMatch = Match[Any]


def tables() -> Iterator[tuple[AnyGame, Options]]:
    for game in GAMES.values():
        usual = game.read_options({})
        yield game, usual
        if usual.players != game.players[-1]:
            yield game, game.read_options({"players": game.players[-1]})


def name_of(game: AnyGame, options: Options) -> str:
    return f"{game.title}, {options.players} players"


def engine_of(game: AnyGame, options: Options) -> Engine:
    dice = Dice.of("bench")
    match = halfway(game, options)
    seat = min(match.questions)

    def one_step() -> None:
        ahead = match.copy()
        decide(ahead, dice)

    return Engine(
        name_of(game, options),
        "Python",
        lambda deal: random_game(game, options, str(deal), dice),
        match.copy,
        one_step,
        lambda: game.see(match.at, seat),
        lambda: Match(game.rules, match.at),  # which walks over what is done, and asks
    )


def random_game(game: AnyGame, options: Options, seed: str, dice: Dice) -> int:
    match, answers = game.start(options, seed, listen=False), 0
    while not match.over:
        answers += len(match.questions)
        decide(match, dice)
    return answers


def decide(match: AnyMatch, dice: Dice) -> None:
    match.apply({seat: question.draw(dice) for seat, question in match.questions.items()})


def positions(game: AnyGame, options: Options, seed: str) -> Iterator[AnyMatch]:
    """A random game at each of its decisions: one match, moved on each time."""
    match, dice = game.start(options, seed, listen=False), Dice.of(seed)
    while not match.over:
        yield match
        decide(match, dice)


def halfway(game: AnyGame, options: Options) -> AnyMatch:
    decisions = sum(1 for _ in positions(game, options, "middle"))
    return next(match for number, match in enumerate(positions(game, options, "middle")) if number == decisions // 2)
