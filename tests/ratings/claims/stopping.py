"""What it gains to upload changed copies and stay with the first lucky one: in the rating, and in the final table."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from tests.ratings.claims import Row, agrees
from tests.tournaments.ratings.tricked_ladder import CHEAT, HONEST, SEATS, World
from tournaments.ratings.final_table import LEAST
from tournaments.ratings.fit import fit_ratings
from tournaments.ratings.played_again import FRESH
from tournaments.ratings.scale import START

COPIES, GAMES = 5, 24  # all as strong; of each, until the next is uploaded
LUCKY = 20.0  # Elo above its strength, with which its owner stays
AFTER = 60
WORLDS = 100


class Stopped(NamedTuple):
    """What is shown less the truth: when its owner stays, AFTER games later, and by LEAST sets after the freeze."""

    at_once: float
    later: float
    final: float


def stops(seed: str) -> Stopped:
    """Return the gains of who stays with the first copy that is LUCKY, or with the last."""
    world = World(seed, {CHEAT + number: START for number in range(COPIES)}, fresh=FRESH)
    world.forerunners = {version: version - 1 for version in world.cheats if version > CHEAT}
    for version in world.cheats:
        world.away = set(world.cheats) - {version}
        world.play(GAMES)
        if world.gain(version) >= LUCKY:
            break
    at_once = world.gain(version)
    world.play(AFTER)
    later, frozen = world.gain(version), world.number
    world.play(LEAST * SEATS)
    return Stopped(at_once, later, final_gain(world, version, frozen))


def final_gain(world: World, version: int, frozen: int) -> float:
    """Return what the sets since the freeze make of it, less the truth, by the honest ones."""
    elos = fit_ratings(world.pairs.since(frozen)).elo
    shift = fmean([world.elos[bot] - elos[bot] for bot in range(HONEST)])
    return elos[version] + shift - world.elos[version]


def claim(seed: int, worlds: int = WORLDS) -> list[Row]:
    at_once, later, final = zip(*(stops(f"stops {seed} {world}") for world in range(worlds)), strict=True)
    rows = (
        ("shown when it stays", "+21", 21.0, at_once, fmean(at_once) > 10, "over +10"),
        (f"shown {AFTER} games later", "+10", 10.0, later, fmean(later) > 0, "over 0"),
        (f"in the final table, by {LEAST} sets dealt after the freeze", "±0", 0.0, final, near_nothing(final), ""),
    )
    return [
        Row(name, said, shown(values), holds, agrees(values, claimed - 2, claimed + 2), stated)
        for name, said, claimed, values, holds, stated in rows
    ]


def near_nothing(values: Sequence[float]) -> bool:
    return abs(fmean(values)) <= 2.0 + 3 * error(values)


def shown(values: Sequence[float]) -> str:
    return f"{fmean(values):+.1f} ±{2 * error(values):.1f}"


def error(values: Sequence[float]) -> float:
    return stdev(values) / sqrt(len(values))
