"""Learning the numbers of a family: the same seed learns the same, and what ships is what was learnt."""

import json
from dataclasses import asdict

import pytest

from bots.command import learn_worth
from bots.command.learn import SEED, learning, learnt_numbers, lesson_of, main
from bots.games.kaiju.rungs import worth as kaiju_worth
from bots.games.kaiju.rungs.linear import Linear
from bots.games.network.rungs import worth as network_worth

Captured = pytest.CaptureFixture[str]


def test_a_seed_learns_the_same_twice_and_another_something_else(capsys: Captured) -> None:
    lesson = lesson_of("kaiju")._replace(steps=3, sets=1)
    first = learnt_numbers("kaiju", lesson, "first")
    assert main(["kaiju", "--steps", "3", "--sets", "1", "--seed", "first"]) == 0
    assert json.loads(capsys.readouterr().out) == first
    assert first.keys() == asdict(Linear()).keys()
    assert learnt_numbers("kaiju", lesson, "second") != first


def test_a_game_whose_rungs_say_what_was_learnt_can_be_learnt() -> None:
    assert learning() == ["gigabucks", "kaiju", "network", "zaibatsu"]


def test_the_weights_that_ship_are_those_that_were_learnt() -> None:
    assert learnt_numbers("kaiju", lesson_of("kaiju"), SEED) == asdict(Linear())


def test_what_positions_are_worth_is_learnt_the_same_twice(capsys: Captured) -> None:
    first = learn_worth.learnt_weights("network", "first", 4)
    assert learn_worth.main(["network", "--matches", "4", "--seed", "first"]) == 0
    assert json.loads(capsys.readouterr().out) == first
    assert len(first) == len(network_worth.SIGNS)
    assert learn_worth.learnt_weights("network", "second", 4) != first


def test_the_worth_that_ships_is_what_was_learnt() -> None:
    """One of the two games that are learnt so is tried: Network's takes minutes by the same steps."""
    assert learn_worth.learnt_weights("kaiju", learn_worth.SEED) == [*kaiju_worth.NOW, *kaiju_worth.LATER]
