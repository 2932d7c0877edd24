"""The change of the ratings by one set as soon as it is recorded, before the next fit of everything.

One step of Newton's method for each version at the table, with the curvature it has by its present error: the errors
of the others are taken as they are. The next fit is exact and does not depend on it.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import fsum, hypot, sqrt

from tournaments.ratings.fit import LINK_SD, PRIOR_SD, Fit, Q
from tournaments.ratings.ledger import RatedSet
from tournaments.ratings.pairs import UNIT, Cell, Pairs, weight_of


def landed(ratings: Fit, one: RatedSet, forerunners: Mapping[int, int | None], *, margin: int = 0) -> Fit:
    """The ratings after this set, as a preview."""
    (cell,) = Pairs([one], margin=margin).cells.values()
    known = _with_newcomers(ratings, cell, forerunners)
    after = {
        version: _step(known, cell, version, taken) for version, taken in zip(cell.versions, cell.taken, strict=True)
    }
    return replace(
        known,
        elo={**known.elo, **{version: elo for version, (elo, _) in after.items()}},
        sd={**known.sd, **{version: sd for version, (_, sd) in after.items()}},
    )


def _with_newcomers(ratings: Fit, cell: Cell, forerunners: Mapping[int, int | None]) -> Fit:
    elo, sd, group = dict(ratings.elo), dict(ratings.sd), dict(ratings.group)
    for version in cell.versions:
        if version not in elo:
            older = forerunners.get(version)
            elo[version] = ratings.zero if older is None else elo.get(older, ratings.zero)
            sd[version] = PRIOR_SD if older is None else hypot(LINK_SD, sd.get(older, PRIOR_SD))
        group[version] = min((group[other] for other in cell.versions if other in group), default=0)
    return replace(ratings, elo=elo, sd=sd, group=group)


def _step(ratings: Fit, cell: Cell, version: int, taken: int) -> tuple[float, float]:
    weight = cell.games * weight_of(len(cell.versions)) / UNIT
    shares = [ratings.expects(version, other) for other in cell.versions if other != version]
    surprise = (taken / UNIT - weight * fsum(shares)) / ratings.phi
    information = weight * fsum(share * (1 - share) for share in shares) / ratings.phi
    variance = 1 / ((ratings.sd[version] * Q) ** -2 + information)
    return ratings.elo[version] + variance * surprise / Q, sqrt(variance) / Q
