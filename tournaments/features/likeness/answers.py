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


def compare_answers(
    answers: Mapping[int, Answers], sides: Mapping[int, int], *, least: float = ALIKE, most: int = MOST_LISTED
) -> Comparison:
    """Return which versions of different sides answered alike. `answers`: by version."""
    views = sum(map(len, next(iter(answers.values()), ())))
    compared = {bot: given for bot, given in answers.items() if _count(given) >= FEWEST_ANSWERS * views > 0}
    untold = [bot for bot in answers if bot not in compared]
    if len({sides[bot] for bot in compared}) < FEWEST_SIDES:
        return Comparison([], list(compared), untold, views, 0.0, 0.0)
    total, common = _weigh(compared, sides)
    pairs = [pair for pair in combinations(compared, 2) if sides[pair[0]] != sides[pair[1]]]
    shares = {pair: _share(total, common, pair) for pair in pairs}
    ranked = sorted(shares.values())
    listed = sorted((pair for pair, share in shares.items() if share >= least), key=lambda pair: -shares[pair])
    pairs_alike = [_pair(pair, compared, total, common, ranked) for pair in listed[:most]]
    return Comparison(
        pairs_alike, list(compared), untold, views, ranked[len(ranked) // 2], ranked[len(ranked) * 99 // 100]
    )


def same_answers(one: Answers, other: Answers) -> list[int] | None:
    """Return by match how many answers both gave, all the same; None if an answer differs."""
    counts = []
    for first, second in zip(one, other, strict=True):
        pairs = [pair for pair in zip(first, second, strict=True) if all(pair)]
        if any(answer != another for answer, another in pairs):
            return None
        counts.append(len(pairs))
    return counts


def _count(answers: Answers) -> int:
    return sum(bool(answer) for match in answers for answer in match)


def _weigh(answers: Mapping[int, Answers], sides: Mapping[int, int]) -> tuple[dict[int, list[float]], Common]:
    """Return the weight of each version's answers, by match, and of each pair's equal answers."""
    matches = len(next(iter(answers.values())))
    total = {bot: [0.0] * matches for bot in answers}
    common: Common = defaultdict(lambda: [0.0] * matches)
    for match in range(matches):
        for group, weight in _groups(answers, sides, match):
            for bot in group:
                total[bot][match] += weight
            for pair in combinations(group, 2) if weight else ():
                common[pair][match] += weight
    return total, common


def _groups(answers: Mapping[int, Answers], sides: Mapping[int, int], match: int) -> Iterator[tuple[list[int], float]]:
    """Yield who gave the same answer, view by view, and what it weighs. A side counts once, whatever bots it has."""
    for view in range(len(next(iter(answers.values()))[match])):
        groups = defaultdict[str, list[int]](list)
        for bot, given in answers.items():
            groups[given[match][view]].append(bot)
        groups.pop("", None)
        count = Counter({answer: len({sides[bot] for bot in group}) for answer, group in groups.items()})
        everybody = len({sides[bot] for group in groups.values() for bot in group})
        yield from ((group, log(max(1.0, everybody / count[answer]))) for answer, group in groups.items())


def _share(total: Mapping[int, list[float]], common: Common, pair: tuple[int, int], without: int = -1) -> float:
    """Return what the pair has in common, of what both answered. `without`: leave out this match."""
    kept = [match for match in range(len(total[pair[0]])) if match != without]
    mean = sum(total[bot][match] for bot in pair for match in kept) / 2
    equal = common.get(pair)
    return sum(equal[match] for match in kept) / mean if mean and equal else 0.0


def _pair(
    pair: tuple[int, int],
    answers: Mapping[int, Answers],
    total: Mapping[int, list[float]],
    common: Common,
    all_: list[float],
) -> Pair:
    share, matches = _share(total, common, pair), len(total[pair[0]])
    left = [_share(total, common, pair, without) for without in range(matches)]
    mean = sum(left) / matches
    off = CI95 * sqrt((matches - 1) / matches * sum((part - mean) ** 2 for part in left))
    by_match = zip(answers[pair[0]], answers[pair[1]], strict=True)
    both = [(a, b) for first, second in by_match for a, b in zip(first, second, strict=True)]
    equal = sum(a == b != "" for a, b in both)
    answered = sum(bool(a and b) for a, b in both)
    as_much = sum(another >= share for another in all_) / len(all_)
    return Pair(*pair, share, max(0.0, share - off), min(1.0, share + off), equal, answered, as_much)
