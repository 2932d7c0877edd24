"""Is the new version stronger than the old? A sequential test on duplicate sets, with both at every table.

One number a set, x: the new one's mean share against the old over the set's games, 1 ahead, 1/2 level, 0 behind. Both
have the same deals and seats within a set, so x varies less than games do, and the test ends sooner. Of n sets at
tables of k, in the order of their numbers (the generalised sequential probability ratio test, with normal shares):

    variance = (sum of (x - mean)^2 + 4 * 0.25 / k) / (n - 1 + 4)
    llr      = n (s1 - s0) (2 mean - s0 - s1) / (2 variance),      s = 1 / (1 + 10 ** (-elo / 400))
    spent    = n (s1 - s0)^2 / variance

Four sets of independent games are supposed beside those played: a few shares that happen to be alike decide nothing.
From 16 sets on the new one is accepted at Wald's upper bound and refused at his lower. When the information is spent
(15), or after the most sets there may be, the sign of the llr decides.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.errors import Portable

LEAST, MOST = 16, 2000  # sets
INFORMATION = 15.0  # that a test may spend
SUPPOSED = 4  # sets of independent games, beside those played
SEATS = (2, 8)
ALPHA, BETA = 0.04, 0.08
MOST_ELO = 800.0  # of a bound
NEAREST = 10.0  # Elo between two bounds that somebody types; nearer ones would take more than the most sets
SURE = 1.96  # standard deviations: 95 %


class BadTest(Portable, ValueError):
    """What no test can be made of. `code` is stable, the text a sentence."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """H0: the new one is `elo0` stronger; H1: `elo1`. `alpha`: H1 by mistake, `beta`: H0 by mistake.

    These two are nominal. With the variance estimated and the information bounded the errors are at most 5 and 10 %.
    """

    elo0: float = 0.0
    elo1: float = 30.0
    alpha: float = ALPHA
    beta: float = BETA

    def __post_init__(self) -> None:
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            raise BadTest(
                "bad_bounds",
                f"the bounds are {self.elo0:g} and {self.elo1:g} Elo; the first must be below the second, and both "
                f"from {-MOST_ELO:g} to {MOST_ELO:g}",
            )
        for name in ("alpha", "beta"):
            if not 0.001 <= (rate := getattr(self, name)) <= 0.25:
                raise BadTest("bad_error_rate", f"{name} is {rate:g}; it must be from 0.001 to 0.25")

    @property
    def upper(self) -> float:
        return math.log((1 - self.beta) / self.alpha)

    @property
    def lower(self) -> float:
        return math.log(self.beta / (1 - self.alpha))

    @property
    def shares(self) -> tuple[float, float]:
        """Return what H0 and H1 expect the new bot to take."""
        return expected_score(self.elo0), expected_score(self.elo1)

    def sets_for(self, variance: float) -> tuple[int, int, int]:
        """How many sets it takes on the average if H0 is true, or H1 (Wald's approximation), and at most."""
        low, high = self.shares
        a, b, information = self.alpha, self.beta, (high - low) ** 2 / variance
        at0 = -2 * (a * self.upper + (1 - a) * self.lower) / information
        at1 = 2 * ((1 - b) * self.upper + b * self.lower) / information
        return _whole(at0), _whole(at1), _whole(INFORMATION / information)


def _whole(sets: float) -> int:
    return min(MOST, max(LEAST, math.ceil(sets)))


NAMED = {
    "gain": SequentialTest(0, 30),
    "non_regression": SequentialTest(-30, 0),
    "balanced": SequentialTest(-15, 15),
}


def read_test(text: str, alpha: float = ALPHA, beta: float = BETA) -> SequentialTest:
    """A test by its name, or by its bounds: `-30:0`. Raises BadTest."""
    if named := NAMED.get(text.replace("-", "_")):
        return SequentialTest(named.elo0, named.elo1, alpha, beta)
    try:
        elo0, elo1 = map(float, text.split(":"))
    except ValueError:
        names = ", ".join(NAMED).replace("_", "-")
        raise BadTest("bad_test", f"{text!r:.40} is no test; write {names}, or two bounds in Elo: -30:0") from None
    test = SequentialTest(elo0, elo1, alpha, beta)
    if elo1 - elo0 < NEAREST:
        raise BadTest("bad_bounds", f"bounds {elo1 - elo0:g} Elo apart need too many sets; {NEAREST:g} is the least")
    return test


@dataclass(slots=True)
class Evidence:
    """What the sets so far say, at tables of `seats`. Add them in the order of their numbers."""

    test: SequentialTest
    seats: int
    most: int = MOST
    sets: int = 0
    mean: float = 0.5
    squares: float = 0.0  # of the differences from the mean, summed
    llrs: list[float] = field(default_factory=list)  # after each set
    outcomes: list[int] = field(default_factory=list)  # sets in which it took 0, 1/2, 1, ... of the `seats` games

    def __post_init__(self) -> None:
        if not SEATS[0] <= self.seats <= SEATS[1]:
            raise BadTest("bad_seats", f"tables have {SEATS[0]} to {SEATS[1]} seats, not {self.seats}")
        if self.most < LEAST:
            raise BadTest("bad_most", f"at least {LEAST} sets are needed, not {self.most}")
        self.outcomes = [0] * (2 * self.seats + 1)

    def add(self, share: float) -> None:
        if not 0 <= share <= 1:
            raise BadTest("bad_share", f"a share is from 0 to 1, not {share}")
        self.sets += 1
        surprise = share - self.mean
        self.mean += surprise / self.sets
        self.squares += surprise * (share - self.mean)
        self.outcomes[round(2 * self.seats * share)] += 1
        self.llrs.append(self.llr)

    @property
    def variance(self) -> float:
        """Return the variance of a set's share."""
        return (self.squares + SUPPOSED * 0.25 / self.seats) / (max(self.sets, 1) - 1 + SUPPOSED)

    @property
    def llr(self) -> float:
        low, high = self.test.shares
        return self.sets * (high - low) * (2 * self.mean - low - high) / (2 * self.variance)

    @property
    def spent(self) -> float:
        low, high = self.test.shares
        return self.sets * (high - low) ** 2 / self.variance

    @property
    def accepted(self) -> bool | None:
        """Return whether H1 is accepted; None while more sets are needed."""
        llr = self.llr
        if self.sets < LEAST:
            return None
        if llr >= self.test.upper or llr <= self.test.lower or self.spent >= INFORMATION or self.sets >= self.most:
            return llr > 0
        return None

    @property
    def interval(self) -> tuple[float, float]:
        """Return the interval of the share, 95 %: as if so many sets had been planned. After a decision it leans to the
        side that won."""
        half = SURE * math.sqrt(self.variance / max(self.sets, 1))
        return max(0.0, self.mean - half), min(1.0, self.mean + half)


def judged(shares: Iterable[float], seats: int, test: SequentialTest, most: int = MOST) -> Evidence:
    """The evidence up to the first set that decides, or of all."""
    evidence = Evidence(test, seats, most)
    for share in shares:
        evidence.add(share)
        if evidence.accepted is not None:
            break
    return evidence


def expected_score(elo: float) -> float:
    """The share to be expected of so many Elo more."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(share: float) -> float:
    """The inverse, within 1200 Elo either way."""
    low, high = expected_score(-1200), expected_score(1200)
    share = min(high, max(low, share))
    return -400 * math.log10(1 / share - 1)


def share_of(mine: Sequence[int], rivals: Sequence[int]) -> float:
    """Return what the one took from the other, of the places in one game, at however many seats each sat."""
    pairs = [(first, second) for first in mine for second in rivals]
    return sum(0.5 + (first < second) / 2 - (first > second) / 2 for first, second in pairs) / len(pairs)
