"""`python3 -m engine.luck REPLAY [...] [--value FILE] [--rolls]`: how much of a result was the dice?

For each roll, luck is the value of what came, less the mean of the value over all that could have come:

    luck of a seat = sum over features of  weight * (feature of what came - its mean over all ways to roll)

Both are of the position right after the roll, before anybody decides anything. So its mean is 0, whoever plays and
however good the value is, and a share less the luck is right on the average, with less chance in it: a control variate
(Burch, Schmid, Moravcik, Morrill and Bowling, AIVAT, 2018). All is whole numbers: the replay alone gives the same luck
to the last digit. Features are counted from their mean over those who are in the game, so a roll's luck adds up to 0.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import add, mul
from pathlib import Path
from typing import Any, Final

from engine.core import Match, Position, Seat
from engine.game import AnyGame, Features, Luck, Throw
from engine.games import GAMES
from engine.luck_value import MILLION, OTHER_FEATURES, OTHER_GAME, WHOLE, LuckError, LuckValue, read_value
from engine.output import end_when_unread
from engine.records import show
from engine.replay import BIGGEST_FILE, Replay, ReplayError, advance, playback, read_replay

NO_LUCK, TOO_LONG = "no_luck", "too_long"
MOST: Final = 500_000  # positions after rolls that are looked at in one match


@dataclass(frozen=True, slots=True)
class RollLuck:
    """A roll after `at` answers, and the luck of each seat, in units of the match."""

    at: int
    seat: Seat
    dice: list[int]
    luck: list[int]


@dataclass(frozen=True, slots=True)
class MatchLuck:
    """The luck of a match. A share of 1 is `unit` units: all that chance divides by, so that they are whole."""

    unit: int
    coefficient: int
    places: list[int]
    rolls: list[RollLuck] = field(default_factory=list)

    @property
    def sums(self) -> list[int]:
        """The luck of each seat, over all rolls, in units."""
        return [sum(roll.luck[seat] for roll in self.rolls) for seat in range(len(self.places))]

    @property
    def taken_out(self) -> list[Fraction]:
        """The luck that is taken out of each seat's share."""
        return [Fraction(luck * self.coefficient, self.unit * WHOLE) for luck in self.sums]

    @property
    def adjusted(self) -> list[Fraction]:
        """Shares of opponents beaten, by seat, less the luck in them: they may be less than 0 or more than 1."""
        return [share - luck for share, luck in zip(shares_beaten(self.places), self.taken_out, strict=True)]


def shares_beaten(places: Sequence[int]) -> list[Fraction]:
    """Return shares of opponents beaten, by seat; who is level counts half."""
    opponents = len(places) - 1
    return [
        Fraction(sum((other > place) - (other < place) for other in places) + opponents, 2 * opponents)
        for place in places
    ]


def luck_in(game: AnyGame, value: LuckValue) -> Luck[Any]:
    """Return how the game tells luck. Raises LuckError: no_luck, or other_game and other_features of the value."""
    if value.game != game.name:
        raise LuckError(OTHER_GAME, f"the value {show(value.name)} is of {show(value.game)}, not of {game.name}")
    if not game.luck:
        raise LuckError(NO_LUCK, f"{game.title} does not tell luck")
    if tuple(value.features) != game.luck.features:
        names = ", ".join(game.luck.features)
        raise LuckError(OTHER_FEATURES, f"the value {show(value.name)} is of other features than these: {names}")
    return game.luck


def luck_of(replay: Replay, value: LuckValue, most: int = MOST) -> MatchLuck:
    """Return the luck of every roll, if no more than `most` positions may follow the rolls.

    Raises ReplayError, and LuckError: other_game, no_luck, other_features, too_long.
    """
    throws = throws_of(replay, luck_in(GAMES.get(replay.game) or _unknown(replay), value), most)
    return weighed(throws, value)


def _unknown(replay: Replay) -> AnyGame:
    raise LuckError(OTHER_GAME, f"unknown game {show(replay.game)}; this engine plays {', '.join(GAMES)}")


@dataclass(frozen=True, slots=True)
class Rolled:
    """A roll after `step` answers, and how far what came is from the mean (`surprise`)."""

    step: int
    seat: Seat
    dice: list[int]
    surprise: Features


@dataclass(slots=True)
class Throws:
    """All rolls of a match."""

    outcomes: int
    places: list[int] = field(default_factory=list)
    rolls: list[Rolled] = field(default_factory=list)


def throws_of(replay: Replay, luck: Luck[Any], most: int = MOST) -> Throws:
    """Play it again with a look at each roll. Raises ReplayError, and LuckError(too_long)."""
    run = playback(replay)
    throws, left = Throws(luck.ways(run.options)), most

    def look(position: Position) -> None:
        nonlocal left
        throw = luck.throw(position)
        throws.rolls.append(Rolled(run.step, throw.seat, throw.dice, surprise(throw, throws.outcomes)))
        left -= len(throw.could)
        if left < 0:
            raise LuckError(TOO_LONG, f"luck is told of matches in which up to {most} positions may follow rolls")

    run.match = Match(lambda position: luck.watched(position, look), run.match.at)
    while not run.match.over:
        advance(replay, run)
    throws.places = run.conduct.result(run.game, run.match.at).places
    return throws


def weighed(throws: Throws, value: LuckValue) -> MatchLuck:
    """Return the luck of every roll, in whole units, by the weights of the value."""
    rolls = [
        RollLuck(roll.step, roll.seat, roll.dice, [sum(map(mul, value.weights, row)) for row in roll.surprise])
        for roll in throws.rolls
    ]
    return MatchLuck(MILLION * throws.outcomes * len(throws.places), value.coefficient, throws.places, rolls)


def surprise(throw: Throw, outcomes: int) -> Features:
    """Return distances of each seat's features from their mean, counted from those of all who are in the game.

    Both divisions are left out: it is that times the ways to roll, and times the number of those in the game.
    """
    rows = [[outcomes * part for part in row] for row in throw.came]
    for number, could in throw.could:
        for row, parts in zip(rows, could, strict=True):
            _take(row, number, parts)
    sums = [sum(column) for column in zip(*(rows[seat] for seat in throw.playing), strict=True)]
    return [
        [len(throw.playing) * part - total for part, total in zip(row, sums, strict=True)]
        if seat in throw.playing
        else [0] * len(row)
        for seat, row in enumerate(rows)
    ]


def _take(row: list[int], number: int, parts: Sequence[int]) -> None:
    """Most features do not move with most rolls, and zeros are quick to pass over."""
    for feature, part in enumerate(parts):
        if part:
            row[feature] -= number * part


def summed_surprises(throws: Throws) -> list[list[float]]:
    """Return sums over all rolls, by seat and feature: what a value is fitted on."""
    unit = throws.outcomes * len(throws.places)
    sums = [[0] * len(row) for row in throws.rolls[0].surprise] if throws.rolls else []
    for roll in throws.rolls:
        for total, row in zip(sums, roll.surprise, strict=True):
            total[:] = map(add, total, row)
    return [[part / unit for part in row] for row in sums]


def shipped(game: str) -> LuckValue | None:
    """Return the value that comes with the game."""
    luck = GAMES[game].luck if game in GAMES else None
    return luck.values[0] if luck and luck.values else None


# --- the command -----------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str]) -> int:
    given = _parser().parse_args(arguments)
    worst = 0
    for path in given.replays:
        try:
            value = read_value(json.loads(Path(given.value).read_bytes())) if given.value else None
            print("\n".join(f"{path}: {line}" for line in _lines(path, value, rolls=given.rolls)))
        except (ReplayError, LuckError) as error:
            print(f"{path}: {error.code}: {error.detail}", file=sys.stderr)
            worst = max(worst, 1)
        except (OSError, ValueError, RecursionError) as error:
            print(f"{path}: cannot be read: {error}", file=sys.stderr)
            worst = 2
    return worst


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python3 -m engine.luck", description="How much of a result was the dice?")
    parser.add_argument("replays", nargs="+", metavar="REPLAY")
    parser.add_argument("--value", metavar="FILE", help="the value as JSON; without, the one that comes with the game")
    parser.add_argument("--rolls", action="store_true", help="each roll, in units")
    return parser


def _lines(path: str, value: LuckValue | None, *, rolls: bool) -> Iterator[str]:
    with Path(path).open("rb") as file:
        replay = read_replay(file.read(BIGGEST_FILE + 1))
    value = value or shipped(replay.game)
    if not value:
        raise LuckError(NO_LUCK, f"no value comes with {show(replay.game)}")
    luck = luck_of(replay, value)
    yield f"by the value {value.name}, {value.hash}; {len(luck.rolls)} rolls; a share of 1 is {luck.unit} units"
    for roll in luck.rolls if rolls else ():
        yield f"after {roll.at} answers seat {roll.seat} rolls {roll.dice}: {roll.luck}"
    parts = zip(replay.players, shares_beaten(luck.places), luck.sums, luck.adjusted, strict=True)
    for seat, (player, share, units, adjusted) in enumerate(parts):
        name = show(player.name, 80)
        yield f"seat {seat}, {name}: share {float(share):.4f}, luck {units} units, adjusted {float(adjusted):+.4f}"


if __name__ == "__main__":
    end_when_unread()
    sys.exit(main(sys.argv[1:]))
