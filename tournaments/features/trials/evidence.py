"""What a trial's sets show so far: the shares of complete sets, under the rule of `bots.sequential_test`."""

from collections.abc import Iterable

from django.db.models import QuerySet

from bots.sequential_test import Evidence, SequentialTest, judged, share_of
from tournaments.models import Match, MatchSet, Seat, Trial

TO_PLAY = (Match.Status.WAITING, Match.Status.LEASED)
Places = dict[int, dict[int, list[int]]]  # by match, then by version


def test_of(trial: Trial) -> SequentialTest:
    return SequentialTest(trial.elo0, trial.elo1)


def evidence_of(trial: Trial) -> Evidence:
    """Return the evidence up to the set that decides; of a trial that is over, up to the one that decided."""
    shares = shares_of(trial)
    over = trial.status != Trial.Status.RUNNING
    return judged(shares[: trial.played] if over else shares, trial.ladder.seats, test_of(trial))


def shares_of(trial: Trial) -> list[float]:
    """Return the candidate's mean share against the champion in each set that counts, in the order of their numbers.

    A set that ends early waits for those before it: else those that are over soon would be judged first, and they may
    be of a kind. A set that is set aside, cancelled or void holds up nobody. A game in which not both have a place
    counts for nothing.
    """
    of_sets: dict[int, Places] = {}
    rows = _seats(trial).values_list("match__set", "match", "version", "place")
    for number, match, version, place in rows:
        of_sets.setdefault(number, {}).setdefault(match, {}).setdefault(version, []).append(place or 0)
    shares = (_shares(trial, places.values()) for _, places in sorted(of_sets.items()))
    return [sum(games) / len(games) for games in shares if games]


def _seats(trial: Trial) -> QuerySet[Seat]:
    pair = (trial.candidate_id, trial.champion_id)
    seats = Seat.objects.filter(match__set__trial=trial, match__set__status=MatchSet.Status.COMPLETE)
    seats = seats.filter(version__in=pair, place__isnull=False)
    under_way = trial.sets.filter(status=MatchSet.Status.OPEN, matches__status__in=TO_PLAY).order_by("pk")
    first = under_way.values_list("pk", flat=True).first()
    return seats if first is None else seats.filter(match__set__lt=first)


def _shares(trial: Trial, games: Iterable[dict[int, list[int]]]) -> list[float]:
    pair = {trial.candidate_id, trial.champion_id}
    return [share_of(game[trial.candidate_id], game[trial.champion_id]) for game in games if pair <= game.keys()]
