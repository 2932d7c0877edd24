"""Upcoming sets of a ladder: those under way, in the order in which they were paired."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch

from tournaments.models import Ladder, Match, MatchSet, Seat, Version

SETS = 8  # that are shown


@dataclass(frozen=True, slots=True)
class Next:
    """A rated set that is not over: who sits in it, and how many of its matches are played, or with a worker."""

    number: int
    match: int  # to link to
    versions: list[Version]
    matches: int
    done: int
    playing: int
    since: datetime


def upcoming_sets(ladder: Ladder) -> list[Next]:
    """Sets being played and waiting ones. Three queries."""
    seats = Prefetch("seats", Seat.objects.select_related("version__bot").order_by("number"))
    matches = Prefetch("matches", Match.objects.order_by("turn").prefetch_related(seats))
    open_ones = ladder.sets.filter(status=MatchSet.Status.OPEN, number__isnull=False).defer("seed")
    return [_next(one) for one in open_ones.prefetch_related(matches).order_by("number")[:SETS]]


def _next(one: MatchSet) -> Next:
    matches = list(one.matches.all())
    playing = [match for match in matches if match.status == Match.Status.LEASED]
    look_at = (playing or matches)[0]
    return Next(
        number=one.number or 0,
        match=look_at.pk,
        versions=[seat.version for seat in matches[0].seats.all()],
        matches=len(matches),
        done=sum(match.status == Match.Status.DONE for match in matches),
        playing=len(playing),
        since=one.created_at,
    )
