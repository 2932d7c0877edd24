"""Is B stronger than A? A sequential test on duplicate sets, with both at every table.

The generalised sequential probability ratio test (Van den Bergh, "The generalized maximum likelihood ratio for the
expectation value of a distribution", as used by Fishtest), on one number a set: B's mean share against A over its
games, 1 ahead, 1/2 level, 0 behind. Both have the same deals and seats within a set, so shares vary
less than games do, and the test ends sooner.

    llr = n (s1 - s0) (2 mean - s0 - s1) / (2 variance),   s = 1 / (1 + 10 ** (-elo / 400))

Wald's bounds: B is accepted above ln((1 - beta) / alpha), refused below ln(beta / (1 - alpha)).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True, slots=True)
class Test:
    """H0: B is `elo0` stronger; H1: it is `elo1` stronger. `alpha`: H1 by mistake, `beta`: H0 by mistake."""

    elo0: float = 0.0
    elo1: float = 30.0
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def upper(self) -> float:
        return math.log((1 - self.beta) / self.alpha)

    @property
    def lower(self) -> float:
        return math.log(self.beta / (1 - self.alpha))


def expected(elo: float) -> float:
    """The share to be expected of so many Elo more."""
    return 1 / (1 + 10 ** (-elo / 400))


def llr_of(shares: Sequence[float], test: Test) -> float:
    """The log-likelihood ratio of these sets, 0 without any.

    Two sets are added to those played, one won and one lost: without them shares that are all the same would
    have no variance, and decide at once.
    """
    if not shares:
        return 0.0
    s0, s1 = expected(test.elo0), expected(test.elo1)
    mean = fmean(shares)
    variance = fmean([(share - mean) ** 2 for share in (*shares, 0.0, 1.0)])
    return len(shares) * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
