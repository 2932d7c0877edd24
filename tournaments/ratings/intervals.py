"""How far from the truth a published Elo may be."""

from statistics import NormalDist

CI95 = NormalDist().inv_cdf(0.975)
WIDE = 100.0  # Elo: a half interval that makes a rating provisional


def elo_interval(error: float) -> float:
    """Return the half width of the 95 % interval around an Elo with that standard error."""
    return CI95 * error


def provisional(ci95: float) -> bool:
    """Return whether a rating is too unsure for a rank, by the digits shown: 100.0 is not wider than 100."""
    return round(ci95, 1) > WIDE
