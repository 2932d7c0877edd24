"""Tricks to raise a rating, played in simulated ladders in which the truth is known: what each gains in Elo.

    python3 -m tests.tournaments.ratings.tricks [--worlds 400] [TRICK ...]

A cheat of known strength sits among honest bots, one owner each. What it gains is its published rating less its
strength, both relative to the honest ones. "nothing" is an honest bot in its place.
"""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from math import sqrt
from statistics import fmean, stdev

from tests.tournaments.ratings.naming_tricks import looks
from tests.tournaments.ratings.tricked_ladder import CHEAT, GAMES, HONEST, SEATS, World
from tournaments.ratings.absence_debt import owed
from tournaments.ratings.ledger import Game, RatedSet
from tournaments.ratings.scale import START


def honest(seed: str) -> float:
    world = World(seed, {CHEAT: START})
    world.play(GAMES)
    return world.gain()


def best_of(seed: str, *, owners_apart: bool) -> World:
    world = World(seed, {CHEAT + number: START for number in range(4)}, owners_apart=owners_apart)
    world.play(GAMES)
    return world


def clones_before(seed: str) -> float:
    """Four entries of one bundle; the best rated counts."""
    world = best_of(seed, owners_apart=False)
    return max(world.gain(version) for version in world.cheats)


def clones_named(seed: str) -> float:
    """The gain left to an owner who changes a bundle enough to enter it four times: the mean over the time of naming
    one after another."""
    return fmean(looks(seed))


def uploads_before(seed: str) -> float:
    """The same bundle five times, each a version of its own; the luckiest is activated again."""
    world = World(seed, {CHEAT + number: START for number in range(5)})
    world.forerunners = {CHEAT + number: CHEAT + number - 1 for number in range(1, 5)}
    world.away = set(world.cheats)
    for version in world.cheats:
        world.away = set(world.cheats) - {version}
        world.play(GAMES / 5)
    luckiest = max(world.cheats, key=world.elo_of)
    return world.gain(luckiest)


def puppets(seed: str, *, owners_apart: bool) -> float:
    world = World(
        seed, {CHEAT: START} | {CHEAT + number: START for number in (1, 2, 3)}, owners_apart=owners_apart, puppets=True
    )
    world.play(GAMES)
    return world.gain()


def comes_back_after_its_peak(seed: str, *, owes: Callable[[float], float]) -> float:
    """It leaves at the highest that it is from a third of its games on, and comes back when others have played a third
    as many more. It has a rank when it has played what it owes for so many sets missed."""
    world = World(seed, {CHEAT: START})
    world.play(GAMES / 3)
    peak = max_ahead(seed)
    while world.gain() < peak and world.games[CHEAT] < GAMES:
        world.play(2)
    world.away = {CHEAT}
    left_after = world.number
    world.play(GAMES / 3)
    world.away = set()
    games = world.games[CHEAT] + SEATS * owes((world.number - left_after) * SEATS / HONEST)
    while world.games[CHEAT] < games:
        world.play(1)
    return world.gain()


def as_long_as_away(missed: float) -> float:
    return missed


def max_ahead(seed: str) -> float:
    """The highest that it comes: who leaves there must know it, and a cheat that knows all is the worst."""
    world, highest = World(seed, {CHEAT: START}), -1000.0
    world.play(GAMES / 3)
    while world.games[CHEAT] < GAMES:
        highest = max(highest, world.gain())
        world.play(2)
    return highest


def spoils(seed: str, judge: Callable[[RatedSet], RatedSet | None]) -> float:
    world = World(seed, {CHEAT: START}, judge=judge)
    world.play(GAMES)
    return world.gain()


def bad(played: RatedSet) -> list[int]:
    """The games of a set in which the cheat is not among the first half: those that it would rather not have."""
    if all(CHEAT not in game.versions for game in played.games):
        return []
    places = [game.places[game.versions.index(CHEAT)] for game in played.games]
    return [number for number, place in enumerate(places) if place > SEATS // 2]


def cancelled(played: RatedSet) -> RatedSet | None:
    """The set, or None: where most of it goes badly, the bot makes it fail, and nothing counts."""
    return None if len(bad(played)) > SEATS // 2 else played


def in_part(played: RatedSet) -> RatedSet | None:
    """The bad matches fail, and what is finished counts."""
    out = bad(played)
    kept = [game for number, game in enumerate(played.games) if number not in out]
    return RatedSet(played.number, kept) if kept else None


def without_it(played: RatedSet) -> RatedSet:
    """The set as it is: matches that the bot makes fail are played without it, and it is last in them."""
    out = bad(played) if len(bad(played)) > SEATS // 2 else []
    games = [_last(game) if number in out else game for number, game in enumerate(played.games)]
    return RatedSet(played.number, games)


def _last(game: Game) -> Game:
    mine = game.versions.index(CHEAT)
    places = [SEATS if seat == mine else place - (place > game.places[mine]) for seat, place in enumerate(game.places)]
    return Game(game.versions, tuple(places), tuple(seat == mine for seat in range(SEATS)), game.scores)


TRICKS: Mapping[str, tuple[Callable[[str], float], Callable[[str], float]]] = {  # before, and as it is now
    "nothing": (honest, honest),
    "clones": (clones_before, honest),  # the others are refused
    "clones of other contents": (clones_before, honest),  # they play alike: the first alone has a rank
    "clones that draw lots": (clones_before, clones_named),
    "re-uploads": (uploads_before, honest),  # they are one version
    "puppets": (lambda seed: puppets(seed, owners_apart=False), lambda seed: puppets(seed, owners_apart=True)),
    "leaving at the peak": (max_ahead, honest),  # who left has no rank
    "and coming back": (
        lambda seed: comes_back_after_its_peak(seed, owes=as_long_as_away),
        lambda seed: comes_back_after_its_peak(seed, owes=owed),
    ),
    "a cancelled set": (lambda seed: spoils(seed, cancelled), lambda seed: spoils(seed, without_it)),
    "a set in part": (lambda seed: spoils(seed, in_part), lambda seed: spoils(seed, without_it)),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """Elo, and the error of it."""

    gain: float
    error: float

    @staticmethod
    def of(trick: Callable[[str], float], worlds: int) -> "Measured":
        gains = [trick(f"world {seed}") for seed in range(worlds)]
        return Measured(fmean(gains), stdev(gains) / sqrt(worlds))

    def __str__(self) -> str:
        return f"{self.gain:+6.1f} ±{1.96 * self.error:4.1f}"


@cache
def measured(trick: Callable[[str], float], worlds: int) -> Measured:
    return Measured.of(trick, worlds)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("tricks", nargs="*", default=list(TRICKS))
    parser.add_argument("--worlds", type=int, default=400)
    given = parser.parse_args()
    for name in given.tricks:
        before, now = (measured(trick, given.worlds) for trick in TRICKS[name])
        print(f"{name:28}{before!s:>16}{now!s:>16}", flush=True)


if __name__ == "__main__":
    main()
