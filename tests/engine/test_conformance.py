"""The conformance checks pass a sound game and catch each kind of broken one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.auctions import ToBid
from engine.conformance import Nonconforming, check
from engine.core import Event, Flow, Seat, ask_all
from engine.dice import Dice
from engine.game import AnyGame
from tests.engine import sealed
from tests.engine.sealed import SEALED, Options, Position, View

GAME: AnyGame = SEALED


@pytest.mark.parametrize("players", [2, 3])
def test_a_sound_game_passes(players: int) -> None:
    assert check(GAME, Options(players), "seed") == 2


def forgets_a_draw(position: Position) -> Flow[None]:
    """Draws anew each time it is begun afresh."""
    position.secrets = [position.dice.below(100) for _ in range(position.options.players)]
    yield from sealed.rules(position)


def never_ends(position: Position) -> Flow[None]:
    while True:
        yield from sealed.rules(position)
        position.bids, position.named = [], -1


def keeps_it_in_the_generator(position: Position) -> Flow[None]:
    count = 0
    position.secrets = position.secrets or [1] * position.options.players
    while count < 3:
        yield from ask_all({0: ToBid(1, 5 + count)})
        count += 1


def shows_all(position: Position, seat: Seat) -> View:
    return View("sealed", position.options, seat, sum(position.secrets), position.bids.copy())


def asks_about_secrets(position: Position) -> Flow[None]:
    position.secrets = position.secrets or [position.dice.below(100) for _ in range(position.options.players)]
    if not position.bids:
        yield from ask_all({0: ToBid(1, 1 + position.secrets[1])})
        position.bids = [0] * position.options.players


def keeps_the_dice(position: Position, seat: Seat, dice: Dice) -> Position:
    out = sealed.redraw(position, seat, dice)
    out.dice = position.dice.copy()
    return out


def forgets_the_bids(view: View, heard: Sequence[Event], dice: Dice) -> Position:
    return sealed.imagine(replace(view, bids=[]), heard, dice)


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ({"rules": forgets_a_draw}, "begun afresh"),
        ({"rules": never_ends}, "not over after"),
        ({"rules": keeps_it_in_the_generator}, "the questions differ"),
        ({"rules": asks_about_secrets}, "the question of seat 0 tells a secret"),
        ({"see": shows_all}, "the view of seat 0 tells a secret"),
        ({"redraw": keeps_the_dice}, "the dice are the real ones"),
        ({"imagine": forgets_the_bids}, "the view differs"),
        ({"scores": lambda position: [1.5 for _ in position.bids]}, "odd scores"),
        ({"ranking": lambda position: [(-score,) for score in SEALED.scores(position)]}, "is not by scores"),
        ({"events": (sealed.Revealed,)}, "must have"),
    ],
)
def test_a_broken_game_is_caught(broken: dict[str, Any], reason: str) -> None:
    with pytest.raises((Nonconforming, ValueError), match=reason):
        check(replace(GAME, **broken), Options(2), "seed", most=50)
