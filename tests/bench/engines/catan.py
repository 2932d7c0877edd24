"""catanatron: Catan for four, in Python."""

import json
from collections.abc import Sequence

from catanatron.game import TURNS_LIMIT, Game
from catanatron.json import GameEncoder
from catanatron.models.actions import generate_playable_actions
from catanatron.models.player import Color, RandomPlayer

from tests.bench.engines import Engine

HALFWAY = 500  # decisions: games have about 1,000


def engines() -> Sequence[Engine]:
    middle = deal(1)
    for _ in range(HALFWAY):
        middle.play_tick()

    def step() -> None:
        middle.copy().play_tick()

    return [
        Engine(
            "catanatron",
            "Python",
            play,
            middle.copy,
            step,
            lambda: json.dumps(middle, cls=GameEncoder),
            lambda: generate_playable_actions(middle.state),
        )
    ]


def deal(number: int) -> Game:
    return Game([RandomPlayer(color) for color in Color], seed=1 + number)


def play(number: int) -> int:
    """Play as its own `Game.play` does, but for the copies it makes for those who look on."""
    game, ticks = deal(number), 0
    while game.winning_color() is None and game.state.num_turns < TURNS_LIMIT:
        game.play_tick()
        ticks += 1
    return ticks
