"""How many sets and how long a trial will take, given the ladder's luck and its recent pace."""

from dataclasses import dataclass
from statistics import median

from django.db.models import F, QuerySet

from bots.sequential_test import NAMED, SequentialTest
from tournaments.features.trials.rules import AHEAD
from tournaments.models import Fit, Ladder, MatchSet, Trial

TRIALS, RECENT = 3, 30  # the latest, and sets of them, that the pace is measured on
LEAST_LUCK = 0.05  # of the variance of independent games: a fit of few sets may have measured next to none


@dataclass(frozen=True, slots=True)
class Forecast:
    """Sets on the average if one bound is true, if the other is, and at most; seconds for the first two's larger."""

    test: SequentialTest
    at0: int
    at1: int
    most: int
    seconds: float | None  # unknown where no set was played yet

    @property
    def usual(self) -> int:
        return max(self.at0, self.at1)


def forecast_trial(ladder: Ladder, test: SequentialTest) -> Forecast:
    return _forecast(test, variance_of_share(ladder), seconds_of(ladder))


def forecasts(ladder: Ladder) -> dict[str, Forecast]:
    """Return the forecast of each test, by its name."""
    luck, seconds = variance_of_share(ladder), seconds_of(ladder)
    return {name: _forecast(test, luck, seconds) for name, test in NAMED.items()}


def _forecast(test: SequentialTest, luck: float, seconds: float | None) -> Forecast:
    at0, at1, most = test.sets_for(luck)
    return Forecast(test, at0, at1, most, seconds and max(at0, at1) * seconds)


def variance_of_share(ladder: Ladder) -> float:
    """Return the variance of a set's share: that of independent games, times the dispersion of the ladder's fit."""
    measured = Fit.objects.filter(ladder=ladder).values_list("phi", flat=True).first()
    return max(LEAST_LUCK, 1.0 if measured is None else measured) * 0.25 / ladder.seats


def seconds_of(ladder: Ladder) -> float | None:
    """Return the seconds between two sets of a trial, by the latest of trials here, or else of the ladder itself."""
    over = MatchSet.objects.filter(status=MatchSet.Status.COMPLETE)
    trials = list(Trial.objects.filter(ladder=ladder).order_by("-pk").values_list("pk", flat=True)[:TRIALS])
    took = _latest(over.filter(trial__in=trials)) or _latest(over.filter(ladder=ladder, rated=True))
    return median(took) / AHEAD if took else None


def _latest(sets: QuerySet[MatchSet]) -> list[float]:
    """Return the seconds from deal to end of the latest of these sets."""
    times = sets.filter(ended_at__isnull=False).order_by(F("ended_at").desc()).values_list("created_at", "ended_at")
    return [(ended - made).total_seconds() for made, ended in times[:RECENT] if ended]
