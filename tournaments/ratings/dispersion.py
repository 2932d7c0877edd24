"""How results vary beyond what the ratings expect: `phi`, luck within whole sets, and `clash`, style between pairs.

phi is the variance of what a version takes in a set over that of independent games (McCullagh and Nelder, Generalized
Linear Models, 9.2), corrected for what fitting the ratings took (leverage). Information of independent games is mixed
in, so that it stays near 1 where results are one-sided and tell little. The same deal from every seat makes it less
than 1.

clash is the variance of what a pair of versions strays from their ratings, the same way in every set: the products of
its surprises in different sets, of which chance leaves nothing on the average. Only what stands out counts.
"""

from array import array
from collections.abc import Iterable, Mapping
from itertools import combinations
from math import exp, fsum, sqrt

from tournaments.ratings.cells import UNIT, Cell

POOL = 20.0  # information of independent games that is mixed into phi: that of 80 games of two equals
CLASH_POOL = 20.0  # the same for clash, in information squared


class Residuals:
    """What sets brought over what was expected.

    Differences are odd and products even in the two of a pair, to the bit: so names cannot matter.
    """

    def __init__(self, cells: Iterable[Cell], natural: Mapping[int, float], gains: Mapping[int, float]) -> None:
        """`natural`: the ratings. `gains`: their quasi-variances as if games were independent."""
        self.odds = {version: exp(t) for version, t in natural.items()}
        self.gains = gains
        self.squares, self.informations, self.leverage = array("d"), array("d"), array("d")
        # In each set: surprise, information; and in units, what the first took and of how much.
        self.by_pair: dict[tuple[int, int], list[tuple[float, float, int, int]]] = {}
        for cell in cells:
            self._add(cell)

    def _add(self, cell: Cell) -> None:
        weight, full_weight = cell.weight / UNIT, cell.weight
        missed: dict[int, list[float]] = {version: [] for version in cell.versions}
        informed: dict[int, list[float]] = {version: [] for version in cell.versions}
        for pair, credit in zip(combinations(cell.versions, 2), cell.credits, strict=True):
            (i, j), (own_odds, rival) = pair, (self.odds[pair[0]], self.odds[pair[1]])
            total = own_odds + rival
            surprise = ((2 * credit - full_weight) / UNIT - weight * ((own_odds - rival) / total)) / 2
            information = weight * ((own_odds / total) * (rival / total))
            missed[i].append(surprise)
            missed[j].append(-surprise)
            informed[i].append(information)
            informed[j].append(information)
            self.by_pair.setdefault(pair, []).append((surprise, information, credit, full_weight))
        for version in cell.versions:
            self._count(self.gains.get(version, 0.0), fsum(missed[version]), informed[version])

    def _count(self, gain: float, missed: float, informations: list[float]) -> None:
        total = fsum(informations)
        self.squares.append(missed * missed)
        self.informations.append(total)
        self.leverage.append(gain * fsum([total * total, *(part * part for part in informations)]))

    @property
    def phi(self) -> float:
        free = fsum([*self.informations, *(-part for part in self.leverage)])
        return (fsum(self.squares) + POOL) / (max(0.0, free) + POOL)

    def clash(self, phi: float) -> float:
        """Return the variance of pairings about the ratings, in natural units."""
        over, squares = array("d"), array("d")
        for pair, met in self.by_pair.items():
            if len(met) > 1:
                surprises, informations, _, _ = zip(*met, strict=True)
                crossed = _products(informations)
                fitted = self.gains.get(pair[0], 0.0) + self.gains.get(pair[1], 0.0)
                over.append(_products(surprises) + phi * crossed * fitted)
                squares.append(crossed)
        total = fsum(squares)
        by_chance = phi * sqrt(2 * total)  # the standard error, if nobody clashed
        return max(0.0, fsum(over) - by_chance) / (total + CLASH_POOL)


def _products(values: tuple[float, ...]) -> float:
    """The sum of the products of every two different ones, in both orders."""
    return fsum(values) ** 2 - fsum([value * value for value in values])
