"""The scale of ratings: Elo's, and natural units in which a likelihood is written."""

from math import log

Q = log(10) / 400  # natural units in one Elo: 400 Elo are odds of 10 to 1
START = 1500.0  # Elo of the mean, where nothing anchors it
LINK_SD = 100.0  # Elo of a version about its forerunner
WHOLE = 1000  # of a scale, in thousandths: as where places alone count


def natural_unit(scale: int) -> float:
    """Return the natural units in one Elo, where ratings by margins are that many thousandths of those by places."""
    return Q / (scale / WHOLE)


def precision(sd: float, unit: float = Q) -> float:
    """Return the precision of a normal law with that deviation in Elo, in natural units."""
    return (sd * unit) ** -2
