"""The fit as docs/ratings.md writes it down, with NumPy and SciPy and nothing of ours but the ledger."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log, sqrt
from random import Random

import numpy as np
import pytest
import scipy
from numpy.typing import NDArray

from tests.ratings.ladders import KINDS, Kind, Ladder
from tests.ratings.ledgers import duel
from tests.ratings.world import played
from tournaments.ratings.fit import Fit, fit
from tournaments.ratings.ledger import RatedSet
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.ranks import EACH, ranges_of, tukey

Numbers = NDArray[np.float64]
Q = log(10) / 400


@dataclass
class Page:
    """The formulas of the page, in its order."""

    sets: Sequence[RatedSet]
    older: dict[int, int | None]
    prior_sd: float = 350.0

    def __post_init__(self) -> None:
        self.at = {version: line for line, version in enumerate(self.older)}
        self.size = len(self.at)
        self.x = np.zeros((self.size, self.size))
        self.in_set: list[dict[tuple[int, int], tuple[float, float]]] = [self._credits(one) for one in self.sets]
        for credits_of in self.in_set:
            for (i, j), (weight, taken) in credits_of.items():
                self.x[i, j] += taken
                self.x[j, i] += weight - taken
        self.w = self.x + self.x.T
        self.links = [(self.at[new], self.at[old]) for new, old in self.older.items() if old is not None]
        self.lamda = np.array([0.0 if old is not None else (Q * self.prior_sd) ** -2 for old in self.older.values()])
        self.link = (Q * 100) ** -2
        self.degree = np.zeros(self.size)
        for pair in self.links:
            self.degree[list(pair)] += 1

    def _credits(self, one: RatedSet) -> dict[tuple[int, int], tuple[float, float]]:
        """Of each pair the weight of the set's games, and what the first took of it."""
        table = sorted(one.games[0].versions)
        worth = 3 / (len(table) + 1)
        found = {}
        for a, b in combinations(table, 2):
            taken = 0.0
            for game in one.games:
                mine, theirs = (game.places[list(game.versions).index(version)] for version in (a, b))
                taken += worth * (1.0 if mine < theirs else 0.5 if mine == theirs else 0.0)
            found[self.at[a], self.at[b]] = worth * len(one.games), taken
        return found

    def rate(self) -> None:

        def unlikely(t: Numbers, /) -> float:
            apart = t[:, None] - t[None, :]
            likely = self.x * scipy.special.log_expit(apart)
            links = sum((t[new] - t[old]) ** 2 for new, old in self.links)
            return float(-likely.sum() + (self.lamda * t**2).sum() / 2 + self.link * links / 2)

        def uphill(t: Numbers, /) -> Numbers:
            expected = (self.w * scipy.special.expit(t[:, None] - t[None, :])).sum(1)
            out = expected - self.x.sum(1) + self.lamda * t
            for new, old in self.links:
                out[new] += self.link * (t[new] - t[old])
                out[old] -= self.link * (t[new] - t[old])
            return np.asarray(out)

        self.t = scipy.optimize.minimize(
            unlikely, np.zeros(self.size), jac=uphill, method="BFGS", options={"gtol": 1e-9, "maxiter": 10_000}
        ).x
        self.p = scipy.special.expit(self.t[:, None] - self.t[None, :])
        self.v = self.w * self.p * (1 - self.p)
        self.m = self.v.sum(1)
        self.groups = self._groups()
        self.g = self.variances(1.0, 0.0)
        self._disperse()
        self.sd = np.sqrt(self.variances(self.phi, self.clash2) + self._pull() ** 2) / Q

    def _groups(self) -> list[list[int]]:
        near = (self.w > 0).astype(int)
        for new, old in self.links:
            near[new, old] = near[old, new] = 1
        labels = scipy.sparse.csgraph.connected_components(near)[1]
        return [np.flatnonzero(labels == label).tolist() for label in set(labels.tolist())]

    def variances(self, phi: float, clash2: float) -> Numbers:
        known = self.lamda.copy()
        for group in self.groups:
            here = [i for i in group if self.m[i] > 0]
            count = len(here)
            if not count:
                continue
            k = self.m[here].sum() / (count * (count - 1))
            d = {i: self.m[i] + k + phi * (self.lamda[i] + self.link * self.degree[i]) for i in here}
            for i in here:
                s = sum((k - self.v[i, j]) ** 2 / d[j] for j in here if j != i) / d[i]
                known[i] = (self.m[i] + k + phi * self.lamda[i]) / (1 + s) / phi
                f = max(0.0, ((self.v[i] / self.m[i]) ** 2).sum() - 1 / (count - 1))
                share = self.m[i] / (self.m[i] + phi * self.lamda[i])
                known[i] = 1 / (1 / known[i] + clash2 * f * share**2)
        return self._along_links(known)

    def _along_links(self, known: Numbers) -> Numbers:
        """Passing precisions along a tree is what inverting its matrix does, exactly."""
        matrix = np.diag(known)
        for new, old in self.links:
            matrix[[new, old], [new, old]] += self.link
            matrix[[new, old], [old, new]] -= self.link
        return np.diag(np.linalg.inv(matrix)).copy()

    def _disperse(self) -> None:
        squares = informed = leverage = 0.0
        by_pair = defaultdict(list)
        for credits_of in self.in_set:
            surprise, told, apart = (defaultdict[int, float](float) for _ in range(3))
            for (i, j), (weight, taken) in credits_of.items():
                p = self.p[i, j]
                r, v = taken - weight * p, weight * p * (1 - p)
                for one, sign in ((i, 1), (j, -1)):
                    surprise[one] += sign * r
                    told[one] += v
                    apart[one] += v**2
                by_pair[i, j].append((r, v))
            squares += sum(r**2 for r in surprise.values())
            informed += sum(told.values())
            leverage += sum(self.g[i] * (told[i] ** 2 + apart[i]) for i in told)
        self.phi = (squares + 20) / (max(0.0, informed - leverage) + 20)
        known = over = 0.0  # D and N
        for (i, j), met in by_pair.items():
            r, v = np.array(met).T
            known += v.sum() ** 2 - (v**2).sum()
            over += r.sum() ** 2 - (r**2).sum() + self.phi * (v.sum() ** 2 - (v**2).sum()) * (self.g[i] + self.g[j])
        self.clash2 = max(0.0, over - self.phi * sqrt(2 * known)) / (known + 20)

    def _pull(self) -> Numbers:
        curvature = np.diag(self.m + self.lamda + self.link * self.degree) - self.v
        for new, old in self.links:
            curvature[[new, old], [old, new]] -= self.link
        b = np.linalg.solve(curvature, self.lamda * self.t)
        for group in self.groups:
            b[group] -= b[group].mean()
        return np.asarray(b)

    def ranks(self, z: float) -> list[tuple[int, int]]:
        apart = (self.t[None, :] - self.t[:, None]) / Q  # how far the second is ahead
        sure = z * np.hypot(self.sd[:, None], self.sd[None, :])
        return [
            (1 + int((apart[i] > sure[i]).sum()), self.size - int((-apart[i] > sure[i]).sum()))
            for i in range(self.size)
        ]


def agree(page: Page, ours: Fit, elo: float = 0.05, half: float = 0.5) -> None:
    page.rate()
    assert ours.phi == pytest.approx(page.phi, abs=1e-3)
    assert ours.clash == pytest.approx(sqrt(page.clash2) / Q, abs=0.1)
    for version, line in page.at.items():
        assert ours.elo[version] == pytest.approx(1500 + page.t[line] / Q, abs=elo)
        assert 1.96 * ours.sd[version] == pytest.approx(1.96 * page.sd[line], abs=half)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_page_alone_gives_our_ratings_intervals_and_ranks(kind: Kind) -> None:
    ladder = Ladder(kind, 1, bots=20)
    *_, last = ladder.play(30)
    page = Page(ladder.sets, dict.fromkeys(ladder.elos), kind.prior_sd)
    agree(page, last.ratings)
    exact = scipy.stats.studentized_range.ppf(0.95, ladder.bots, 1e6) / sqrt(2)
    for z, ours in ((EACH, EACH), (exact, tukey(ladder.bots))):
        assert ranges_of(last.ratings, list(page.at), ours) == dict(zip(page.at, page.ranks(z), strict=True))


def test_the_page_alone_tells_of_versions_islands_and_ties() -> None:
    """Versions 21 and 23 follow 1 and 21 and play as well; 22 has played nothing; 31 and 32 are an island."""
    draw = Random(3)
    elos = dict.fromkeys((1, 2, 3, 4, 21, 23), 1500.0) | {21: 1650.0, 23: 1300.0}
    sets = [*played(elos, 40, 3, draw, deal=0.5), duel(900, 31, 32), duel(901, 31, 32, tied=True)]
    older: dict[int, int | None] = {**dict.fromkeys((1, 2, 3, 4, 31, 32)), 21: 1, 22: 2, 23: 21}
    ours = fit(Pairs(sets), older, prior_sd=200)
    agree(Page(sets, older, 200.0), ours)
