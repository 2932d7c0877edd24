"""The final table of a ladder: by the sets that were dealt after its versions were fixed, and by no others.

Whoever stops when a version has been lucky keeps that luck in its rating. What is dealt once nobody can choose any more
is not chosen by luck, so titles go by it alone.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tournaments.ratings.fit import Fit, fit_ratings
from tournaments.ratings.intervals import elo_interval
from tournaments.ratings.ledger import Ledger, Version
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.table import anchors, shared_places

LEAST = 15  # sets since, from which on a bot has a place


@dataclass(frozen=True, slots=True)
class FinalRow:
    """A version that plays, by the sets since."""

    version: int
    place: int | None  # among those with LEAST sets that may have a rank
    elo: float
    sd: float
    ci95: float
    sets: int
    comparable: bool  # games since connect it with the largest group


@dataclass(frozen=True, slots=True)
class Final:
    """All that follows from the sets numbered above `after`."""

    after: int
    sets: int
    zero: float  # the Elo of a version without any
    rows: Sequence[FinalRow]  # best first


def final_of(ledger: Ledger, after: int) -> Final:
    """Return the final table from a ledger alone."""
    pairs = Pairs(ledger.sets, margin=ledger.margin, scale=ledger.scale)
    return final_by(pairs, ledger.versions, after, prior_sd=ledger.prior_sd, rules=ledger.rules)


def final_by(pairs: Pairs, versions: Mapping[int, Version], after: int, *, prior_sd: float, rules: int) -> Final:
    """Return the final table by the sums over all sets."""
    since = pairs.since(after)
    sets = Counter(version for cell in since.cells.values() for version in cell.versions)
    field = {key: replace(one, forerunner=None) for key, one in versions.items() if one.listed or key in sets}
    fitted = fit_ratings(since, dict.fromkeys(field), anchors(field), prior_sd=prior_sd, rules=rules)
    listed = [key for key, version in field.items() if version.listed]
    order = sorted(listed, key=lambda key: (-fitted.elo[key], fitted.sd[key], key))
    placed = [key for key in order if field[key].ranked and sets[key] >= LEAST]
    places = dict(zip(placed, shared_places((fitted.elo[key], True) for key in placed), strict=True))
    return Final(after, len(since.cells), fitted.zero, [_row(fitted, key, places.get(key), sets[key]) for key in order])


def _row(fitted: Fit, key: int, place: int | None, sets: int) -> FinalRow:
    ci95, comparable = round(elo_interval(fitted.sd[key]), 1), fitted.group[key] == 0
    return FinalRow(key, place, round(fitted.elo[key], 1), fitted.sd[key], ci95, sets, comparable)
