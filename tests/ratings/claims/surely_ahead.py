"""How often a near pair is announced the wrong way, by an interval for one look and by `surely_ahead`, and how late."""

from collections.abc import Callable, Iterator
from itertools import combinations
from math import hypot, sqrt
from statistics import fmean, median
from typing import NamedTuple

from tests.ratings.claims import Row, agrees
from tests.tournaments.ratings.ladders import Kind, Ladder
from tournaments.ratings.ranks import EACH
from tournaments.ratings.surely_ahead import lead_needed

NEAR = 40.0  # Elo between two bots
KINDS = (Kind("four at a table", sd=100.0), Kind("two at a table", sd=100.0, seats=2))
GAMES, BOTS, WORLDS = 200, 12, 10


class Announced(NamedTuple):
    """The first time that a pair was announced: after how many games of each, and whether it was the wrong way."""

    games: float
    wrong: bool


def one_look(error: float) -> float:
    return EACH * error


RULES: tuple[Callable[[float], float], ...] = (one_look, lead_needed)
Found = list[Announced | None]  # by each of the rules, for one pair


def pairs_of(kind: Kind, seed: int, games: float = GAMES, bots: int = BOTS) -> Iterator[Found]:
    """Each near pair of a ladder, looked at after every wave; ratings that are far too unsure announce nothing."""
    ladder = Ladder(kind, seed, bots)
    near = [pair for pair in combinations(ladder.elos, 2) if abs(apart(ladder, pair)) < NEAR]
    found: dict[tuple[int, int], Found] = {pair: [None] * len(RULES) for pair in near}
    for _ in ladder.play(games):
        for pair in near:
            look(ladder, pair, found[pair])
    yield from found.values()


def apart(ladder: Ladder, pair: tuple[int, int]) -> float:
    return ladder.elos[pair[0]] - ladder.elos[pair[1]]


def look(ladder: Ladder, pair: tuple[int, int], found: Found) -> None:
    ratings, (one, other) = ladder.ratings, pair
    if not all(bot in ladder.pairs.taken for bot in pair) or not ratings.comparable(one, other):
        return
    lead = ratings.elo[one] - ratings.elo[other]
    error = hypot(ratings.sd[one], ratings.sd[other])
    for number, needed in enumerate(RULES):
        if found[number] is None and abs(lead) >= needed(error):
            found[number] = Announced(ladder.games, lead * apart(ladder, pair) < 0)


def share(found: list[bool]) -> str:
    p = fmean(found)
    return f"{p:.3f} ±{2 * sqrt(p * (1 - p) / len(found)):.3f}"


def claim(seed: int, worlds: int = WORLDS) -> list[Row]:
    pairs = [pair for kind in KINDS for world in range(worlds) for pair in pairs_of(kind, 1000 * seed + world)]
    wrong = [[bool(pair[rule] and pair[rule].wrong) for pair in pairs] for rule in range(len(RULES))]  # type: ignore[union-attr]
    both = [(old.games, new.games) for old, new in pairs if old and new and not old.wrong and not new.wrong]
    longer = median(new / old for old, new in both) if both else float("nan")
    return [
        Row(
            f"near pairs ({len(pairs)}) announced the wrong way, by one look",
            ".17",
            share(wrong[0]),
            agrees=agrees(wrong[0], 0.16, 0.18),
        ),
        Row("by `surely_ahead`", ".009", share(wrong[1]), fmean(wrong[1]) <= 0.03, stated=".03 or less"),
        Row(f"after how many times the games, of {len(both)} pairs that both announce", "2.5", f"{longer:.1f}"),
    ]
