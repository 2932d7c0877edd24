"""How much two bots' answers to the same recorded views agree: pure, and only evidence.

An answer weighs as much as it surprises: -ln of the share of the field's sides that give it there. So views where
nearly everybody answers alike count little, and those that a bot answers in its own way count most. What a pair has in
common is the weight of its equal answers, of the mean weight of all that each of the two answered.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log, sqrt
from typing import Final

Answers = Sequence[Sequence[str]]  # by match, by view: a digest of the answer; "" where none was given
FEWEST_SIDES: Final = 5  # fewer are no field: nobody knows what is usual
FEWEST_ANSWERS: Final = 0.5  # of all views, of a bot of which anything can be said
ALIKE: Final = 0.75  # in common, from which a pair is listed
MOST_LISTED: Final = 100
CI95: Final = 1.96


@dataclass(frozen=True, slots=True)
class Pair:
    """Two versions. `low` and `high`: of 95 %, by leaving out one match at a time. `of_pairs`: the share of all pairs
    of different sides that have as much in common."""

    one: int
    other: int
    share: float
    low: float
    high: float
    equal: int
    views: int
    of_pairs: float


@dataclass(frozen=True, slots=True)
class Comparison:
    pairs: list[Pair]  # those that stand out, the most alike first
    compared: list[int]
    untold: list[int]  # gave too few answers
    views: int
    median: float  # of all pairs of different sides
    quantile: float  # 99 % of them have less in common


Common = dict[tuple[int, int], list[float]]  # by pair, by match: the weight in common


def compare(
    said: Mapping[int, Answers], sides: Mapping[int, int], *, least: float = ALIKE, most: int = MOST_LISTED
) -> Comparison:
    views = sum(map(len, next(iter(said.values()), ())))
    told = {one: answers for one, answers in said.items() if _given(answers) >= FEWEST_ANSWERS * views > 0}
    untold = [one for one in said if one not in told]
    if len({sides[one] for one in told}) < FEWEST_SIDES:
        return Comparison([], list(told), untold, views, 0.0, 0.0)
    own, common = _weighed(told, sides)
    shares = {pair: _share(own, common, pair) for pair in combinations(told, 2) if sides[pair[0]] != sides[pair[1]]}
    ranked = sorted(shares.values())
    found = sorted((pair for pair, share in shares.items() if share >= least), key=lambda pair: -shares[pair])
    pairs = [_pair(pair, told, own, common, ranked) for pair in found[:most]]
    return Comparison(pairs, list(told), untold, views, ranked[len(ranked) // 2], ranked[len(ranked) * 99 // 100])


def _given(answers: Answers) -> int:
    return sum(bool(answer) for match in answers for answer in match)


def _weighed(told: Mapping[int, Answers], sides: Mapping[int, int]) -> tuple[dict[int, list[float]], Common]:
    """Of each by match, the weight of all its answers; and of each pair, of those that are equal."""
    matches = len(next(iter(told.values())))
    own = {one: [0.0] * matches for one in told}
    common: Common = defaultdict(lambda: [0.0] * matches)
    for at in range(matches):
        for group, weight in _groups(told, sides, at):
            for one in group:
                own[one][at] += weight
            for pair in combinations(group, 2) if weight else ():
                common[pair][at] += weight
    return own, common


def _groups(told: Mapping[int, Answers], sides: Mapping[int, int], at: int) -> Iterator[tuple[list[int], float]]:
    """Who gave one answer, view by view of a match, and what it weighs. A side counts once, whatever bots it has."""
    for view in range(len(next(iter(told.values()))[at])):
        groups = defaultdict[str, list[int]](list)
        for one, answers in told.items():
            groups[answers[at][view]].append(one)
        groups.pop("", None)
        count = Counter({answer: len({sides[one] for one in group}) for answer, group in groups.items()})
        everybody = len({sides[one] for group in groups.values() for one in group})
        yield from ((group, log(max(1.0, everybody / count[answer]))) for answer, group in groups.items())


def _share(own: Mapping[int, list[float]], common: Common, pair: tuple[int, int], without: int = -1) -> float:
    kept = [at for at in range(len(own[pair[0]])) if at != without]
    whole = sum(own[one][at] for one in pair for at in kept) / 2
    equal = common.get(pair)
    return sum(equal[at] for at in kept) / whole if whole and equal else 0.0


def _pair(
    pair: tuple[int, int],
    told: Mapping[int, Answers],
    own: Mapping[int, list[float]],
    common: Common,
    all_: list[float],
) -> Pair:
    share, matches = _share(own, common, pair), len(own[pair[0]])
    left = [_share(own, common, pair, without) for without in range(matches)]
    mean = sum(left) / matches
    off = CI95 * sqrt((matches - 1) / matches * sum((each - mean) ** 2 for each in left))
    both = [
        (a, b) for one, other in zip(told[pair[0]], told[pair[1]], strict=True) for a, b in zip(one, other, strict=True)
    ]
    equal = sum(a == b != "" for a, b in both)
    answered = sum(bool(a and b) for a, b in both)
    as_much = sum(each >= share for each in all_) / len(all_)
    return Pair(*pair, share, max(0.0, share - off), min(1.0, share + off), equal, answered, as_much)
