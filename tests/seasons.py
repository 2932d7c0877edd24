"""Ladders at the end of a season, whose results are entered and not played."""

from collections.abc import Sequence
from itertools import pairwise

from django.utils import timezone

from tests.factories import a_bot, a_ladder, an_upload
from tournaments.ledger.ladders.classic_elo import rate
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.official_fit import memories, refit_due
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Ladder, MatchSet, Seat, Version


def end_set(made: MatchSet, best_first: Sequence[int]) -> None:
    """End all games of the set in this order."""
    matches = list(made.matches.values_list("pk", flat=True))  # by a join, a wrong plan once took minutes
    for place, version in enumerate(best_first, 1):
        seats = Seat.objects.filter(match__in=matches, version=version)
        seats.update(verdict="ok", place=place, score=9 - place, cpu_ms=1.0)
    made.matches.update(status="done")
    MatchSet.objects.filter(pk=made.pk).update(status="complete", ended_at=timezone.now())


def fit() -> None:
    rate()
    memories.clear()  # as in another process: a fit is due at once
    refit_due()


def a_season(bots: int = 5, *, rounds: int = 4) -> tuple[Ladder, list[Version]]:
    """The lower the number the better: who is two places better wins always, and neighbours win in turn."""
    ladder, versions = a_ladder(players=2), [an_upload(a_bot()) for _ in range(bots)]
    Version.objects.filter(pk__in=[version.pk for version in versions]).update(status=Version.Status.ACTIVE)
    for version in versions:
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    ids = [version.pk for version in versions]
    for turn in range(rounds):
        for first, second in zip(ids, ids[2:], strict=False):
            end_set(create_set(ladder=ladder, versions=[first, second]), [first, second])
        for first, second in pairwise(ids):
            winner_first = [first, second] if turn % 2 else [second, first]
            end_set(create_set(ladder=ladder, versions=[first, second]), winner_first)
    fit()
    return Ladder.objects.get(pk=ladder.pk), versions


def open_sets(ladder: Ladder) -> list[MatchSet]:
    return list(ladder.sets.filter(status=MatchSet.Status.OPEN).order_by("number"))


def seated(made: MatchSet) -> set[int]:
    return set(Seat.objects.filter(match__set=made).values_list("version", flat=True))


def play_on(ladder: Ladder, versions: Sequence[Version], *, fair: bool = True, upsets: int = 0) -> None:
    """End what is open: the better win, or else they take turns. `upsets`: of so many sets one is lost by them."""
    for number, made in enumerate(open_sets(ladder)):
        order = [version.pk for version in versions if version.pk in seated(made)]
        won = (made.number or 0) % upsets if upsets else fair or number % 2
        end_set(made, order if won else order[::-1])
    fit()
