"""What each entrant of a points table still needs, in sentences that hold for every outcome of the rounds to come."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from bots.formats.crosstable import Crosstable
from bots.formats.model import POINT
from engine.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Left:
    """The sets that an entrant still plays: where byes are still to be drawn, between two numbers. `in_all` counts its
    byes to come too."""

    fewest: int
    most: int
    in_all: int


@dataclass(frozen=True, slots=True)
class Reach:
    """How many points an entrant will have in the end: all sets to come lost, all won, and what lies between."""

    low: Fraction
    high: Fraction
    factor: Fraction  # what a point to come is worth, given the sets that are spared
    left: Left


def reachable(played: Crosstable, entrant: int, left: Left) -> Reach:
    """Sets that are spared score the mean of the others, so they grow with it."""
    sets = played.sets[entrant] + left.most
    in_all = played.sets[entrant] + played.spared[entrant] + left.in_all
    if not sets:
        return Reach(Fraction(in_all, 2), Fraction(in_all, 2), Fraction(0), left)
    points, factor = Fraction(played.points[entrant], POINT), Fraction(in_all, sets)
    return Reach(points * factor, (points + left.most) * factor, factor, left)


def needs(played: Crosstable, left: Mapping[int, Left], places: int, goal: Sentence) -> dict[int, str]:
    """`left`: of those who may come first, or among the first few, which is the goal."""
    reaches = {entrant: reachable(played, entrant, sets) for entrant, sets in left.items()}
    highs = sorted((r.high for r in reaches.values()), reverse=True)[: places + 1]
    lows = sorted((r.low for r in reaches.values()), reverse=True)[: places + 1]
    return {entrant: _need(mine, highs, lows, places, goal) for entrant, mine in reaches.items()}


def goal_of(places: int) -> Sentence:
    return Sentence("first place") if places == 1 else Sentence("one of the first %(places)s places", places=places)


def _need(mine: Reach, highs: list[Fraction], lows: list[Fraction], places: int, goal: Sentence) -> str:
    rival, bar = _without(highs, mine.high, places), _without(lows, mine.low, places)
    if rival is None or mine.low > rival:
        return Sentence("is sure of %(goal)s", goal=goal)
    if bar is not None and bar > mine.high:
        return Sentence("cannot reach %(goal)s any more", goal=goal)
    if not mine.left.most:
        return Sentence("can reach %(goal)s if others lose points; has no more sets to play", goal=goal)
    more, sets = _more(mine, rival), sets_in_words(mine.left)
    if more > mine.left.fewest:
        return Sentence("can reach %(goal)s if others lose points; %(sets)s to play", goal=goal, sets=sets)
    sure = "is sure of %(goal)s with %(points)s points from %(sets)s"
    return Sentence(sure, goal=goal, points=f"{more:.2f}", sets=sets)


def _without(best: list[Fraction], mine: Fraction, places: int) -> Fraction | None:
    """The value of the last of those `places` who stand best among the others."""
    standings = [*best]
    if mine in standings:
        standings.remove(mine)
    return standings[places - 1] if len(standings) >= places else None


def _more(mine: Reach, rival: Fraction) -> float:
    """Points that put it ahead of the rival, rounded up to a hundredth."""
    return (ceil((rival - mine.low) / mine.factor * 100) + 1) / 100


def sets_in_words(left: Left) -> Sentence:
    if left.most == 1:
        return Sentence("1 set") if left.fewest else Sentence("1 set at most")
    if left.fewest < left.most:
        return Sentence("up to %(sets)s sets", sets=left.most)
    return Sentence("%(sets)s sets", sets=left.most)
