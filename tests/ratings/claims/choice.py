"""What it gains to go back to the luckiest of several versions, and what it costs an honest owner to go back."""

from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from tests.ratings.claims import Row, agrees
from tests.tournaments.ratings.tricked_ladder import CHEAT, HONEST, SEATS, World
from tournaments.ratings.fit import Fit, fit_ratings
from tournaments.ratings.intervals import elo_interval
from tournaments.ratings.played_again import FRESH
from tournaments.ratings.scale import START

MARKS = (0, 1, 5, 14, 20)  # sets of four games that it has played since
WORLDS = 80


class Gains(NamedTuple):
    """What is shown less the truth when it plays again: without the rule, and by it after each number of sets; and how
    often its interval holds the truth."""

    without: float
    by_sets: Sequence[float]
    held: Sequence[bool]


class History(NamedTuple):
    """Versions by strength, and how many games each plays, one after the other; then the one that plays again, None
    the luckiest."""

    elos: Sequence[float]
    games: int
    again: int | None = None


CASES = {
    "five changed copies, 24 games each, the luckiest": History([START] * 5, 24),
    "twenty copies, 12 games each, the luckiest": History([START] * 20, 12),
    "honest: back from one that is 100 Elo worse": History([START, START - 100], 48, 0),
    "honest: back to the best of a line that improves": History([START - 100, START - 50, START, START - 50], 24, 2),
}


def gains(history: History, seed: str, marks: Sequence[int] = MARKS) -> Gains:
    world = World(seed, {CHEAT + number: elo for number, elo in enumerate(history.elos)}, fresh=FRESH)
    world.forerunners = {version: version - 1 for version in world.cheats if version > CHEAT}
    for version in world.cheats:
        only(world, version)
        world.play(history.games)
    luckiest = fit_ratings(world.pairs, dict.fromkeys(world.elos) | world.forerunners, start=world.ratings)
    again = max(world.cheats, key=luckiest.elo.__getitem__) if history.again is None else CHEAT + history.again
    without = luckiest.elo[again] + shift(world, luckiest) - world.elos[again]
    only(world, again)
    begun, by_sets, held = world.games[again], list[float](), list[bool]()
    for sets in marks:
        world.play_to(again, begun + sets * SEATS)
        by_sets.append(world.gain(again))
        held.append(abs(by_sets[-1]) <= elo_interval(world.ratings.sd[again]))
    return Gains(without, by_sets, held)


def shift(world: World, fit: Fit) -> float:
    return fmean([world.elos[bot] - fit.elo[bot] for bot in range(HONEST)])


def only(world: World, version: int) -> None:
    world.away = set(world.cheats) - {version}


def stays(seed: str) -> float:
    """Who uploads and stays has the same number with the rule as without, to the last bit."""
    found = []
    for fresh in (None, FRESH):
        world = World(seed, {CHEAT: START, CHEAT + 1: START + 50}, fresh=fresh)
        world.forerunners = {CHEAT + 1: CHEAT}
        for version in world.cheats:
            only(world, version)
            world.play(24)
        found.append(world.gain(CHEAT + 1))
    return found[1] - found[0]


def shown(values: Sequence[float]) -> str:
    return f"{fmean(values):+.1f} ±{2 * stdev(values) / sqrt(len(values)):.1f}"


def near(values: Sequence[float], wanted: float = 0.0, slack: float = 4.0) -> bool:
    return abs(fmean(values) - wanted) <= slack + 3 * stdev(values) / sqrt(len(values))


def rows_of(name: str, history: History, seed: int, worlds: int, claimed: tuple[str, float, float]) -> Iterator[Row]:
    found = [gains(history, f"{name} {seed} {world}") for world in range(worlds)]
    without, chosen = [one.without for one in found], history.again is None
    said, low, high = claimed
    holds, agree = not chosen or fmean(without) > 20, not chosen or agrees(without, low, high)
    yield Row(f"{name}: without the rule", said, shown(without), holds, agree, "over +20" * chosen)
    for place, sets in enumerate(MARKS):
        values, held = [one.by_sets[place] for one in found], fmean(one.held[place] for one in found)
        expected = chosen or sets >= 5
        measured = f"{shown(values)}, {held:.2f} held"
        yield Row(f"by it, {sets} sets later", "about 0" * expected, measured, not expected or near(values, slack=10.0))


def claim(seed: int, worlds: int = WORLDS) -> list[Row]:
    nothing = "", 0.0, 0.0
    claimed = dict(zip(CASES, (("+35 ±4", 31.0, 39.0), ("+65 to +72", 65.0, 72.0), nothing, nothing), strict=True))
    rows = [row for name, history in CASES.items() for row in rows_of(name, history, seed, worlds, claimed[name])]
    cost = max(abs(stays(f"stays {seed} {world}")) for world in range(max(1, worlds // 20)))
    return [*rows, Row("who uploads and stays pays", "nothing", f"{cost:.1f}", cost == 0)]
