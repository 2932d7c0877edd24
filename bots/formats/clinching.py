"""What each entrant of a points table still needs, in sentences that hold for every outcome of the rounds to come."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from bots.formats.crosstable import Crosstable
from bots.formats.model import POINT


@dataclass(frozen=True, slots=True)
class Reach:
    """How many points an entrant will have in the end: all sets to come lost, all won, and what lies between."""

    low: Fraction
    high: Fraction
    factor: Fraction  # what a point to come is worth, given the sets that were spared
    open: int  # sets


def reachable(played: Crosstable, entrant: int, left: int) -> Reach:
    """Sets that were spared score the mean of the others, so they grow with it."""
    sets, spared = played.sets[entrant] + left, played.spared[entrant]
    if not sets:
        return Reach(Fraction(spared, 2), Fraction(spared, 2), Fraction(0), left)
    points, factor = Fraction(played.points[entrant], POINT), 1 + Fraction(spared, sets)
    return Reach(points * factor, (points + left) * factor, factor, left)


def needs(played: Crosstable, left: Mapping[int, int], places: int) -> dict[int, str]:
    """`left`: the sets that each may still play. For the first place, or one of the first few."""
    reaches = {entrant: reachable(played, entrant, sets) for entrant, sets in left.items()}
    highs = sorted((r.high for r in reaches.values()), reverse=True)[: places + 1]
    lows = sorted((r.low for r in reaches.values()), reverse=True)[: places + 1]
    return {entrant: _need(mine, highs, lows, places) for entrant, mine in reaches.items()}


def _need(mine: Reach, highs: list[Fraction], lows: list[Fraction], places: int) -> str:
    goal = "first place" if places == 1 else f"one of the first {places} places"
    rival, bar = _without(highs, mine.high, places), _without(lows, mine.low, places)
    if rival is None or mine.low > rival:
        return f"is sure of {goal}"
    if bar is not None and bar > mine.high:
        return f"cannot reach {goal} any more"
    more = _more(mine, rival)
    if more > mine.open:
        return f"can reach {goal} if others lose points; {sets_in_words(mine.open)} to play"
    return f"is sure of {goal} with {more:.2f} points from {sets_in_words(mine.open)}"


def _without(best: list[Fraction], mine: Fraction, places: int) -> Fraction | None:
    """The value of the last of those `places` who stand best among the others."""
    standings = [*best]
    if mine in standings:
        standings.remove(mine)
    return standings[places - 1] if len(standings) >= places else None


def _more(mine: Reach, rival: Fraction) -> float:
    """Points that put it ahead of the rival, rounded up to a hundredth."""
    if not mine.factor:
        return mine.open + 1.0
    return (ceil((rival - mine.low) / mine.factor * 100) + 1) / 100


def sets_in_words(number: int) -> str:
    return f"{number} set" if number == 1 else f"{number} sets"
