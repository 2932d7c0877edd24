"""How sure a rating is: its variance relative to the others, without inverting a matrix.

The curvature of n versions says nothing about a shift of all together, and no comparison needs it. Adding the mean
pull `k` to every entry of the matrix changes such shifts alone and makes what is beside the diagonal small: for
versions that all met equally often nothing is left there and the diagonal's inverse is exact. In general two terms
of Neumann's series are taken:

    var_i = (1 + sum over j of (k - pull_ij)**2 / (d_i * d_j)) / d_i,    d = diagonal + k

That makes variances whose sums are those of differences: quasi-variances (Firth and de Menezes, Biometrika 2004).
Between the versions of one bot information passes along the links, exactly, as in any tree (Pearl 1988): a version
without games has its forerunner's variance plus the link's.
"""

from collections.abc import Iterable, Sequence
from graphlib import TopologicalSorter
from math import fsum

from tournaments.ratings.newton import Problem, Slope


def variances(
    problem: Problem, here: Slope, groups: Iterable[Sequence[int]], older: Sequence[int | None]
) -> list[float]:
    """Of every version; `groups` are those who are comparable, `older` the forerunner of each."""
    own = list(problem.prior)
    for group in groups:
        _own(problem, here, [i for i in group if problem.rivals[i]], own)
    return _along_links(older, own, problem.link)


def _own(problem: Problem, here: Slope, played: Sequence[int], own: list[float]) -> None:
    """What games and prior say about each version, as a precision, without links."""
    games = {i: here.pulls[i][: len(problem.rivals[i])] for i in played}
    mean = fsum(map(fsum, games.values())) / (len(played) * (len(played) - 1)) if played else 0.0
    diagonal = {i: here.diagonal[i] + mean for i in played}
    everyone = fsum(1 / d for d in diagonal.values())
    for i, pulls in games.items():
        met = [pull * (pull - 2 * mean) / diagonal[j] for pull, j in zip(pulls, problem.rivals[i], strict=True)]
        beside = fsum([mean**2 * (everyone - 1 / diagonal[i]), *met]) / diagonal[i]
        own[i] = fsum([problem.prior[i], mean, *pulls]) / (1 + beside)


def _along_links(older: Sequence[int | None], own: Sequence[float], link: float) -> list[float]:
    """Every version's variance with what its kin know (belief propagation): from the newest down, then up again."""
    received: list[list[float]] = [[] for _ in own]
    sent = [0.0] * len(own)
    order = [*TopologicalSorter({i: () if old is None else (old,) for i, old in enumerate(older)}).static_order()]
    for i in reversed(order):
        if (old := older[i]) is not None:
            sent[i] = _across(fsum([own[i], *received[i]]), link)
            received[old].append(sent[i])
    for i in order:
        if (old := older[i]) is not None:
            received[i].append(_across(fsum([own[old], *received[old], -sent[i]]), link))
    return [1 / fsum([precision, *messages]) for precision, messages in zip(own, received, strict=True)]


def _across(known: float, link: float) -> float:
    """What is left of a precision after a link."""
    return known * link / (known + link)
