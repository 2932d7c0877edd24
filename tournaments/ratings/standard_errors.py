"""How certain a rating is: its variance relative to the others, without inverting a matrix.

The curvature of n versions says nothing about a shift of all together, and no comparison needs it. Adding the mean
pull `k` to every entry of the matrix changes such shifts alone and makes what is beside the diagonal small: for
versions that all met equally often nothing is left there and the diagonal's inverse is exact. In general two terms
of Neumann's series are taken:

    var_i = (1 + sum over j of (k - pull_ij)**2 / (d_i * d_j)) / d_i,    d = diagonal + k

That makes variances whose sums are those of differences: quasi-variances (Firth and de Menezes, Biometrika 2004).
Between the versions of one bot information passes along the links, exactly, as in any tree (Pearl 1988): a version
without games has its forerunner's variance plus the link's.

The prior draws ratings in, and most where results are one-sided. How far is an error too, beside the variance.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from graphlib import TopologicalSorter
from math import fsum
from operator import mul

from tournaments.ratings.likelihood import Problem, Slope


@dataclass(frozen=True, slots=True)
class Curvature:
    """The problem at its maximum: who is comparable, the forerunner of each, and what games tell of each."""

    problem: Problem
    slope: Slope
    groups: Sequence[Sequence[int]]
    older: Sequence[int | None]

    def pulls(self, i: int) -> list[float]:
        """Return the version's pulls by games alone."""
        return self.slope.pulls[i][: len(self.problem.rivals[i])]

    def variances(self, phi: float = 1.0, clash: float = 0.0) -> list[float]:
        """Return the variance of every version, in natural units.

        Games tell 1 / phi of what independent ones would; `clash` is the variance of each pairing about the ratings.
        """
        precisions = list(self.problem.prior)
        for group in self.groups:
            self._own([i for i in group if self.problem.rivals[i]], phi, clash, precisions)
        return _along_links(self.older, precisions, self.problem.link)

    def prior_pull(self, point: Sequence[float], step: Callable[[Slope], list[float]]) -> list[float]:
        """Return how far the prior has drawn each rating, relative to those it is comparable with.

        To first order this is also what it would gain if all results were there e times. `step`: Newton's.
        """
        uphill = [prior * t for prior, t in zip(self.problem.prior, point, strict=True)]
        pulled = step(replace(self.slope, uphill=uphill))
        for group in self.groups:
            mean = fsum(pulled[i] for i in group) / len(group)
            for i in group:
                pulled[i] -= mean
        return pulled

    def _own(self, played: Sequence[int], phi: float, clash: float, precisions: list[float]) -> None:
        """Write what games and prior say about each version, as a precision, without links.

        All is multiplied by phi, and divided by it in the end: it is the prior and the links that weigh phi more.
        """
        games = {i: self.pulls(i) for i in played}
        information = {i: fsum(pulls) for i, pulls in games.items()}
        mean = fsum(information.values()) / (len(played) * (len(played) - 1)) if played else 0.0
        diagonal = {i: fsum([information[i], phi * self._held(i), mean]) for i in played}
        everyone = fsum(1 / d for d in diagonal.values())
        for i, pulls in games.items():
            met = [
                pull * (pull - 2 * mean) / diagonal[j] for pull, j in zip(pulls, self.problem.rivals[i], strict=True)
            ]
            spread = fsum([mean**2 * (everyone - 1 / diagonal[i]), *met]) / diagonal[i]
            prior = phi * self.problem.prior[i]
            precisions[i] = fsum([prior, mean, information[i]]) / (1 + spread) / phi
            if clash:
                share = information[i] / (information[i] + prior)
                precisions[i] = 1 / (
                    1 / precisions[i] + clash * _sampled(pulls, information[i], len(played)) * share**2
                )

    def _held(self, i: int) -> float:
        """Return the precision by prior and links."""
        return self.problem.prior[i] + self.problem.link * len(self.problem.kin[i])


def _sampled(pulls: Sequence[float], information: float, played: int) -> float:
    """Return how far who was met is from everybody, met alike: whoever met all `played` has no error by clashes."""
    shares = [pull / information for pull in pulls] if information else []
    return max(0.0, fsum(map(mul, shares, shares)) - 1 / (played - 1))


def _along_links(older: Sequence[int | None], precisions: Sequence[float], link: float) -> list[float]:
    """Return every version's variance with what its kin know: belief propagation, from the newest down, then up."""
    received: list[list[float]] = [[] for _ in precisions]
    sent = [0.0] * len(precisions)
    order = [*TopologicalSorter({i: (old,) for i, old in enumerate(older) if old is not None}).static_order()]
    for i in reversed(order):
        if (old := older[i]) is not None:
            sent[i] = _across(fsum([precisions[i], *received[i]]), link)
            received[old].append(sent[i])
    for i in order:
        if (old := older[i]) is not None:
            received[i].append(_across(fsum([precisions[old], *received[old], -sent[i]]), link))
    return [1 / fsum([precision, *messages]) for precision, messages in zip(precisions, received, strict=True)]


def _across(precision: float, link: float) -> float:
    """Return what is left of a precision after a link."""
    return precision * link / (precision + link)
