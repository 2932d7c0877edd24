"""How much was the deal? In a duplicate set all play every seat of one deal, so scores can be compared."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from tournaments.ratings.ledger import RatedSet


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
