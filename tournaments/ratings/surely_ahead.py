"""Whether one is surely ahead of another, however often that is asked: what crossing a line triggers goes by this.

An interval of 95 % is for one look. Who looks after every set until it excludes 0 errs far more often. Where D is the
lead in two ratings, s the error of D, and v = 1 / s² the information in it, v D moves about v times the true lead like
a sum of independent parts. If the truth is 0 or less, the likelihood ratio

    integral over d > 0 of  2 normal(d; 0, 100²) exp(d v D - d² v / 2)

is 1 on the average at any time, and by Ville's inequality it ever reaches 20 with a probability of 5 % at most (the
one-sided normal mixture, Robbins 1970). This closed form is where it has reached 20 for certain (Howard and others,
Annals of Statistics 2021, Proposition 6):

    D >= s sqrt(2 (1 + s² / 100²) ln(1 + 10 sqrt(1 + 100² / s²)))
"""

from math import hypot, log1p, sqrt

MIXING = 100.0  # Elo: leads about this large are found soonest
ERRS = 0.05  # of all pairs that are level in truth, so many at most are ever announced
TRIES = 60  # halvings of an interval


def lead_needed(error: float) -> float:
    """Return the lead in Elo from which one is surely ahead, where the lead has this error."""
    ratio = (error / MIXING) ** 2
    return error * sqrt(2 * (1 + ratio) * log1p(sqrt(1 + 1 / ratio) / (2 * ERRS))) if error else 0.0


def surely_ahead(lead: float, sd: float, other_sd: float) -> bool:
    """Return whether a lead over another rating is sure, of two ratings with these errors."""
    return lead > 0 and lead >= lead_needed(hypot(sd, other_sd))


def error_that_tells(lead: float) -> float:
    """Return the largest error of a lead with which it is sure."""
    low, high = 0.0, abs(lead)
    for _ in range(TRIES):
        middle = (low + high) / 2
        low, high = (middle, high) if lead_needed(middle) <= abs(lead) else (low, middle)
    return low
