"""OpenSpiel: of its games, those nearest to ours, with bids, bargains or hidden hands. Driven from Python, as ours."""

import random
from collections.abc import Sequence

import open_spiel.python.games  # noqa: F401  it registers those in Python
import pyspiel

from tests.bench.engines import Engine

GAMES = {
    "Python": ("python_liars_poker", "python_block_dominoes"),
    "C++": ("sheriff", "goofspiel(players=4)", "negotiation", "bargaining"),
}


def engines() -> Sequence[Engine]:
    return [engine_of(pyspiel.load_game(name), name, kind) for kind, names in GAMES.items() for name in names]


def engine_of(game: "pyspiel.Game", name: str, kind: str) -> Engine:
    middle = halfway(game)
    player = 0 if middle.is_simultaneous_node() else middle.current_player()
    seen = middle.information_state_string if game.get_type().provides_information_state_string else None
    show = seen or middle.observation_string
    return Engine(
        name.removeprefix("python_").partition("(")[0],
        kind,
        lambda deal: play(game, deal),
        middle.clone,
        lambda: decide(middle.clone()),
        lambda: show(player),
        lambda: middle.legal_actions(player),
    )


def play(game: "pyspiel.Game", deal: int) -> int:
    random.seed(deal)
    state, answers = game.new_initial_state(), 0
    while not state.is_terminal():
        answers += decide(state)
    return answers


def decide(state: "pyspiel.State") -> int:
    """One random step; how many players answered."""
    if state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(random.choices(outcomes, weights)[0])
        return 0
    if state.is_simultaneous_node():
        players = range(state.num_players())
        state.apply_actions([random.choice(state.legal_actions(player) or [0]) for player in players])
        return len(players)
    state.apply_action(random.choice(state.legal_actions()))
    return 1


def halfway(game: "pyspiel.Game") -> "pyspiel.State":
    """Return the state after half the steps of a random game, where it is some player's turn."""
    random.seed(1)
    state, steps = game.new_initial_state(), []
    while not state.is_terminal():
        if not state.is_chance_node():
            steps.append(state.clone())
        decide(state)
    return steps[len(steps) // 2]
