"""How much was the deal? In a duplicate set all play every seat of one deal, so scores can be compared."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from tournaments.ratings.cells import Cell
from tournaments.ratings.dispersion import Residuals
from tournaments.ratings.fit import Fit
from tournaments.ratings.ledger import RatedSet
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.scale import Q


@dataclass(frozen=True, slots=True)
class SeatLuck:
    """One seat of one match, compared with what others made of the same deal there (None where no other finished)."""

    seat: int
    version: int
    place: int
    score: int
    others_place: float | None
    others_score: float | None
    deal: float | None  # what this seat's deal was worth in score: the mean of all in it over the mean of all seats


def luck_report(one: RatedSet) -> list[list[SeatLuck]]:
    """The seats of every match of a set. Forfeits are compared with others, but nobody is compared with them."""
    seats = range(len(one.games[0].versions))
    whole = [[game.scores[seat] for game in one.games if not game.forfeits[seat]] for seat in seats]
    means = [_mean(scores) for scores in whole]
    overall = _mean([mean for mean in means if mean is not None])
    return [[_beside(one, number, seat, means[seat], overall) for seat in seats] for number in range(len(one.games))]


def _beside(one: RatedSet, number: int, seat: int, mean: float | None, overall: float | None) -> SeatLuck:
    game = one.games[number]
    others = [other for at, other in enumerate(one.games) if at != number and not other.forfeits[seat]]
    return SeatLuck(
        seat=seat,
        version=game.versions[seat],
        place=game.places[seat],
        score=game.scores[seat],
        others_place=_mean([other.places[seat] for other in others]),
        others_score=_mean([other.scores[seat] for other in others]),
        deal=None if mean is None or overall is None else mean - overall,
    )


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None


@dataclass(frozen=True, slots=True)
class VarianceSaved:
    """The dispersion of whole sets, and that of their matches taken one by one."""

    set_phi: float
    match_phi: float

    @property
    def share(self) -> float:
        """The share of the variance that playing each deal from every seat has saved."""
        return 1 - self.set_phi / self.match_phi


def variance_saved(sets: Iterable[RatedSet], ratings: Fit, *, margin: int = 0) -> VarianceSaved:
    """Measured on the sets, with the ratings of their fit."""
    natural = {version: (elo - ratings.zero) * Q for version, elo in ratings.elo.items()}
    whole, single = list[Cell](), list[Cell]()
    for one in sets:
        whole += Pairs([one], margin=margin).cells.values()
        single += [cell for game in one.games for cell in Pairs([RatedSet(0, [game])], margin=margin).cells.values()]
    return VarianceSaved(*(Residuals(cells, natural, ratings.gain).phi for cells in (whole, single)))
