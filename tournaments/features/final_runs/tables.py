"""The choice of a table in a final run, pure.

First those sit down that lack the most sets for a place in the final table. Then an undecided pair at a border sits
down together, drawn in proportion to the uncertainty about the two. The other seats go to members of other such pairs,
then to those nearest in rating, whose games are also informative. Where the ladder draws a share of its tables by lot,
that share of the run's tables has one of the pair, and others by lot.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from engine.dice import Dice
from tournaments.ledger.matchmaking.pairing import Candidate

T = TypeVar("T")
Unsure = Sequence[tuple[int, int]]  # pairs of versions, one of each side of a border


def choose_table(
    candidates: Sequence[Candidate], unsure: Unsure, seats: int, dice: Dice, *, most: int, by_lot: int = 0
) -> list[int]:
    """Return `seats` versions, at most `most` of one owner, or none where such a table cannot be filled.

    All versions of `unsure` are candidates.
    """
    here = {candidate.version: candidate for candidate in candidates}
    for pair in _draw_order({pair: _variance(here, pair) for pair in unsure}, dice):
        lot = dice.below(100) < by_lot
        first = _one_first(pair, dice) if lot or _of_one_owner(here, pair) else pair
        others = _by_lot(here, dice) if lot else _nearest(here, unsure, pair, dice)
        line = [*(first[:1] if lot else first), *others]
        if len(chosen := _seat([here[version] for version in line], seats, most)) == seats:
            return chosen
    return []


def choose_new_table(
    candidates: Sequence[Candidate], wanted: Mapping[int, int], seats: int, dice: Dice, *, most: int
) -> list[int]:
    """Return `seats` versions, those first that lack the most sets, and otherwise by lot; none as `choose_table`."""
    here = {candidate.version: candidate for candidate in candidates}
    line = sorted(_by_lot(here, dice), key=lambda version: -wanted.get(version, 0))
    chosen = _seat([here[version] for version in line], seats, most)
    return chosen if len(chosen) == seats else []


def _variance(here: Mapping[int, Candidate], pair: tuple[int, int]) -> float:
    return sum(here[version].unsure ** 2 for version in pair)


def _of_one_owner(here: Mapping[int, Candidate], pair: tuple[int, int]) -> bool:
    return here[pair[0]].owner == here[pair[1]].owner


def _one_first(pair: tuple[int, int], dice: Dice) -> tuple[int, int]:
    """Return the pair with either of the two first, where they may not both have a seat."""
    return pair if dice.below(2) else pair[::-1]


def _draw_order(weights: Mapping[T, float], dice: Dice) -> list[T]:
    """Return all items, drawn one after the other in proportion to their weights (Gumbel's way)."""
    keys = {item: math.log(weight) - math.log(-math.log(_chance(dice))) for item, weight in weights.items()}
    return sorted(keys, key=lambda item: -keys[item])


def _chance(dice: Dice) -> float:
    """Return a number between 0 and 1, neither of the two."""
    return (1 + dice.below(1 << 32)) / (2 + (1 << 32))


def _nearest(here: Mapping[int, Candidate], unsure: Unsure, pair: tuple[int, int], dice: Dice) -> list[int]:
    """Return others that are not told apart from somebody, drawn; then the rest by their distance to the pair."""
    near = sorted({version for members in unsure for version in members})
    first = _draw_order({version: here[version].unsure ** 2 for version in near}, dice)
    middle = sum(here[version].elo for version in pair) / 2
    rest = sorted(here.keys() - set(near), key=lambda version: (abs(here[version].elo - middle), version))
    return [*first, *rest]


def _by_lot(here: Mapping[int, Candidate], dice: Dice) -> list[int]:
    order = sorted(here)
    dice.shuffle(order)
    return order


def _seat(line: Iterable[Candidate], seats: int, most: int) -> list[int]:
    """Return the first of the line, each once, without those of whose owner `most` sit already."""
    owners, chosen = Counter[int](), list[int]()
    for candidate in line:
        if len(chosen) < seats and candidate.version not in chosen and owners[candidate.owner] < most:
            chosen.append(candidate.version)
            owners[candidate.owner] += 1
    return chosen
