"""The samples of each game: each beats the one before, and plays the same way twice without a fault."""

from importlib import import_module
from statistics import fmean
from typing import Any

import pytest

from engine.games import GAMES
from tests.bots.seated import match, sample, samples_of, sets_of
from tests.thorough import budget

# By game and sample: options, the least share of wins among samples of the kind before, and in how many sets: usually,
# in a thorough run, and with full budgets.
LADDERS: list[tuple[str, str, dict[str, object], float, int, int, int]] = [
    ("zaibatsu", "marginal", {"players": 2}, 0.8, 0, 4, 12),
    ("zaibatsu", "marginal", {"players": 3}, 0.7, 4, 4, 12),
    ("zaibatsu", "marginal", {"players": 4}, 0.7, 0, 4, 12),
    ("zaibatsu", "blend", {"players": 2}, 0.8, 3, 3, 8),
    ("zaibatsu", "blend", {"players": 3}, 0.65, 0, 4, 8),
    ("zaibatsu", "blend", {"players": 4}, 0.65, 0, 3, 8),
    ("gigabucks", "greedy", {"players": 2, "bidding": "proxy"}, 0.9, 2, 2, 5),
    ("gigabucks", "greedy", {"players": 4, "bidding": "proxy"}, 0.8, 0, 1, 4),
    ("gigabucks", "search", {"players": 2, "bidding": "proxy"}, 0.8, 1, 1, 3),
    ("gigabucks", "search", {"players": 3, "bidding": "proxy"}, 0.65, 0, 1, 1),
    ("gigabucks", "search", {"players": 4, "bidding": "proxy", "spaces": 24, "currency": 200}, 0.5, 0, 0, 1),
    ("gigabucks", "search", {"players": 6, "bidding": "proxy", "spaces": 24, "currency": 100}, 0.5, 0, 0, 1),
    ("kaiju", "greedy", {"players": 2}, 0.8, 0, 5, 15),
    ("kaiju", "greedy", {"players": 4}, 0.7, 4, 4, 10),
    ("kaiju", "search", {"players": 2}, 0.7, 1, 1, 2),
    ("kaiju", "search", {"players": 4}, 0.7, 0, 1, 1),
    ("shangzhou", "greedy", {"players": 2, "trading": "off"}, 0.9, 0, 5, 20),
    ("shangzhou", "greedy", {"players": 4, "trading": "off"}, 0.9, 3, 3, 10),
    ("shangzhou", "search", {"players": 2, "trading": "off"}, 0.6, 1, 2, 2),
    ("shangzhou", "search", {"players": 3, "trading": "off"}, 0.6, 0, 1, 2),
    ("network", "greedy", {"players": 2, "map": "generated"}, 0.7, 0, 20, 20),
    ("network", "greedy", {"players": 4, "map": "generated"}, 0.75, 4, 4, 10),
    ("network", "search", {"players": 2, "map": "generated"}, 0.8, 4, 4, 10),
    ("network", "search", {"players": 4, "map": "generated"}, 0.7, 0, 2, 4),
]
VARIANTS: dict[str, list[dict[str, object]]] = {
    "gigabucks": [
        {"players": 3, "currency": 60, "bidding": "proxy", "max_rounds": 3},
        {"players": 2, "currency": 60, "bidding": "open", "voluntary_retry": True, "max_rounds": 3},
        {"players": 4, "currency": 60, "spaces": 14, "royalty": "product", "max_rounds": 4},
    ],
    "kaiju": [{"players": 2, "max_turns": 4}, {"players": 5, "kaiju_backwards": "stop", "max_turns": 4}],
    "shangzhou": [
        {"players": 2, "home_layout": "choose", "max_turns": 3},
        {"players": 4, "trade_windows": 2, "overseer_power": "start", "max_turns": 2},
    ],
    "network": [{"players": 2}, {"players": 3, "bank_buys_unsold": False}, {"players": 6, "map": "generated"}],
    "zaibatsu": [{"players": 2}, {"players": 4, "piles": "closed"}, {"players": 3, "unsold": "carry"}],
}


SETS = [(*given, budget(usual, full=full)) for *given, usual, thorough, full in LADDERS]
TRIED = [(*given, sets) for *given, sets in SETS if sets]


@pytest.mark.parametrize(("game", "name", "plain", "least", "sets"), TRIED)
def test_a_sample_beats_the_one_before(game: str, name: str, plain: Any, least: float, sets: int) -> None:
    names = samples_of(game)
    worse = names[names.index(name) - 1]
    options = GAMES[game].read_options(plain)
    played = sets_of(GAMES[game], options, sample(game, name), sample(game, worse), sets)
    assert fmean(wins for wins, _ in played) >= least


@pytest.mark.parametrize("game", ["gigabucks", "kaiju", "network", "shangzhou"])
def test_a_bot_of_v0_2_finds_the_sample_that_it_imports(game: str) -> None:
    """Such as an upload of its sample `search`."""
    assert import_module(f"bots.samples.{game}_greedy").choose is sample(game, "greedy").choose


@pytest.mark.parametrize("game", GAMES)
def test_there_are_three_samples_and_each_but_the_first_is_tried_against_the_one_before(game: str) -> None:
    names = samples_of(game)
    assert len(names) >= 3
    assert {name for other, name, *_ in TRIED if other == game} == set(names[1:])


@pytest.mark.parametrize(
    ("game", "plain"),
    [(game, plain) for game in GAMES for plain in VARIANTS[game]],
)
def test_a_sample_plays_without_a_fault_and_the_same_way_twice(game: str, plain: Any) -> None:
    options = GAMES[game].read_options(plain)
    for name in samples_of(game):
        seated = [sample(game, name)] * options.players
        first, again = (match(GAMES[game], options, "twice", seated) for _ in range(2))
        assert first.faults == []
        assert [answer.action for answer in first.answers] == [answer.action for answer in again.answers]
