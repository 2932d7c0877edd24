"""The change of the ratings by one set as soon as it is recorded, before the next fit of everything.

One step of Newton's method for each version at the table, with the curvature it has by its present error: the errors
of the others are taken as they are. The next fit is exact and does not depend on it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import exp, fsum, hypot, sqrt

from tournaments.ratings.cells import UNIT, Cell
from tournaments.ratings.fit import Fit
from tournaments.ratings.ledger import RatedSet
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.scale import LINK_SD, precision


@dataclass(frozen=True, slots=True)
class _Line:
    """Of one version, as `Fit` has it; `pull` is what the prior adds to its error."""

    elo: float
    chance_sd: float
    pull: float
    gain: float


def landed(ratings: Fit, rated_set: RatedSet, forerunners: Mapping[int, int | None], *, margin: int = 0) -> Fit:
    """Return the ratings after this set, as a preview."""
    (cell,) = Pairs([rated_set], margin=margin).cells.values()
    before = {version: _line(ratings, version, forerunners.get(version)) for version in cell.versions}
    after = {
        version: _step(before[version], *parts, ratings) for version, parts in _surprises(before, cell, ratings.unit)
    }
    group = min((ratings.group[version] for version in cell.versions if version in ratings.group), default=0)
    return replace(
        ratings,
        elo={**ratings.elo, **{version: line.elo for version, line in after.items()}},
        sd={**ratings.sd, **{version: hypot(line.chance_sd, line.pull) for version, line in after.items()}},
        group={**ratings.group, **dict.fromkeys(cell.versions, group)},
        chance_sd={**ratings.chance_sd, **{version: line.chance_sd for version, line in after.items()}},
        gain={**ratings.gain, **{version: line.gain for version, line in after.items()}},
    )


def _line(ratings: Fit, version: int, older: int | None) -> _Line:
    """Return a version's line of the fit; a newcomer has its forerunner's, less surely, or the prior's."""
    if version in ratings.elo:
        chance_sd, sd = ratings.chance_sd[version], ratings.sd[version]
        pull = sqrt(max(0.0, sd**2 - chance_sd**2))
        return _Line(ratings.elo[version], chance_sd, pull, ratings.gain[version])
    if older is None or older not in ratings.elo:
        return _Line(ratings.zero, ratings.prior_sd, 0.0, 1 / precision(ratings.prior_sd, ratings.unit))
    forerunner = _line(ratings, older, None)
    return replace(
        forerunner,
        chance_sd=hypot(LINK_SD, forerunner.chance_sd),
        gain=forerunner.gain + 1 / precision(LINK_SD, ratings.unit),
    )


def _surprises(before: Mapping[int, _Line], cell: Cell, unit: float) -> Iterator[tuple[int, tuple[float, float]]]:
    """Yield, by version, what it took over what was expected, and the information of its games."""
    weight, taken = cell.weight / UNIT, cell.taken
    for version in cell.versions:
        shares = [
            _expected((before[version].elo - before[other].elo) * unit) for other in cell.versions if other != version
        ]
        information = weight * fsum(share * (1 - share) for share in shares)
        yield version, (taken[version] / UNIT - weight * fsum(shares), information)


def _expected(lead: float) -> float:
    return 1 / (1 + exp(-lead))


def _step(line: _Line, surprise: float, information: float, ratings: Fit) -> _Line:
    """Make Newton's step along its own axis, as if games were independent; its error by the dispersion of sets."""
    gain = 1 / (1 / line.gain + information)
    variance = 1 / (precision(line.chance_sd, ratings.unit) + information / ratings.phi)
    elo, chance_sd = line.elo + gain * surprise / ratings.unit, sqrt(variance) / ratings.unit
    return replace(line, elo=elo, chance_sd=chance_sd, gain=gain)
