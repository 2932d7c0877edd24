"""Who sits at a table of a final run: a pure choice.

An undecided pair at a border sits down together, drawn in proportion to the uncertainty about the two. The other seats
go to members of other such pairs, then to those nearest in rating, whose games are also informative. Where the ladder
draws a share of its tables by lot, that share of the run's tables has one of the pair, and others by lot.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from engine.dice import Dice
from tournaments.matchmaking.pairing import Candidate

T = TypeVar("T")
Unsure = Sequence[tuple[int, int]]  # pairs of versions, one of each side of a border


def table(
    candidates: Sequence[Candidate], unsure: Unsure, seats: int, dice: Dice, *, most: int, by_lot: int = 0
) -> list[int]:
    """`seats` versions, at most `most` of one owner; nobody where such a table cannot be filled. All of `unsure` are
    candidates."""
    here = {candidate.version: candidate for candidate in candidates}
    wanted = _drawn({pair: _variance(here, pair) for pair in unsure}, dice)
    for pair in wanted:
        lot = dice.below(100) < by_lot
        first = _one_first(pair, dice) if lot or _of_one_owner(here, pair) else pair
        others = _by_lot(here, dice) if lot else _nearest(here, unsure, pair, dice)
        line = [*(first[:1] if lot else first), *others]
        if len(found := _seated([here[version] for version in line], seats, most)) == seats:
            return found
    return []


def _variance(here: Mapping[int, Candidate], pair: tuple[int, int]) -> float:
    return sum(here[version].unsure ** 2 for version in pair)


def _of_one_owner(here: Mapping[int, Candidate], pair: tuple[int, int]) -> bool:
    return here[pair[0]].owner == here[pair[1]].owner


def _one_first(pair: tuple[int, int], dice: Dice) -> tuple[int, int]:
    """Either of the two, where they may not both have a seat."""
    return pair if dice.below(2) else pair[::-1]


def _drawn(weights: Mapping[T, float], dice: Dice) -> list[T]:
    """All of them, drawn one after the other in proportion to their weights (Gumbel's way)."""
    keys = {one: math.log(weight) - math.log(-math.log(_chance(dice))) for one, weight in weights.items()}
    return sorted(keys, key=lambda one: -keys[one])


def _chance(dice: Dice) -> float:
    return (1 + dice.below(1 << 32)) / (2 + (1 << 32))


def _nearest(here: Mapping[int, Candidate], unsure: Unsure, pair: tuple[int, int], dice: Dice) -> list[int]:
    """Others that are not told apart from somebody, drawn; then the rest by their distance to the pair."""
    near = sorted({version for each in unsure for version in each})
    first = _drawn({version: here[version].unsure ** 2 for version in near}, dice)
    middle = sum(here[version].elo for version in pair) / 2
    rest = sorted(here.keys() - set(near), key=lambda version: (abs(here[version].elo - middle), version))
    return [*first, *rest]


def _by_lot(here: Mapping[int, Candidate], dice: Dice) -> list[int]:
    order = sorted(here)
    dice.shuffle(order)
    return order


def _seated(line: Iterable[Candidate], seats: int, most: int) -> list[int]:
    """The first of the line, each once, but for those of whose owner `most` sit already."""
    owners, found = Counter[int](), list[int]()
    for candidate in line:
        if len(found) < seats and candidate.version not in found and owners[candidate.owner] < most:
            found.append(candidate.version)
            owners[candidate.owner] += 1
    return found
