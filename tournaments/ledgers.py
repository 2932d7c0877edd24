"""What is recorded of a ladder, as the plain ledger that its ratings are a function of."""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Q, QuerySet

from tournaments import ratings
from tournaments.exclusions import excluded
from tournaments.models import Entry, Ladder, MatchSet, Rating, Seat, Version
from tournaments.standings import fielded

ANCHORED = 1000.0  # Elo of a ladder's anchor
BATCH = 2000  # rows


def ledger_of(ladder: Ladder) -> ratings.Ledger:
    """All of it that counts."""
    sets = list(sets_of(ladder.sets.filter(rated=True)))
    return ratings.Ledger(ladder.slug, ladder.game, sets, versions_of(ladder), ladder.margin)


def whole_of(ladder: Ladder, sets: QuerySet[MatchSet]) -> ratings.Ledger:
    """Of these complete sets, with everybody in it, as if nobody were disqualified."""
    return ratings.Ledger(ladder.slug, ladder.game, list(sets_of(sets)), versions_of(ladder, out=()), ladder.margin)


def sets_of(sets: QuerySet[MatchSet]) -> Iterator[ratings.RatedSet]:
    """Complete sets of one ladder, in order of number."""
    seats = Seat.objects.filter(match__set__in=sets).order_by("match__set__number", "match", "number")
    columns = ("match__set__number", "match", "version", "place", "forfeited", "score")
    for number, of_set in groupby(seats.values_list(*columns).iterator(BATCH), itemgetter(0)):
        games = [_game([line[2:] for line in of_match]) for _, of_match in groupby(of_set, itemgetter(1))]
        yield ratings.RatedSet(number, games)


def _game(seats: Sequence[tuple[Any, ...]]) -> ratings.Game:
    versions, places, forfeits, scores = zip(*seats, strict=True)
    return ratings.Game(versions, places, forfeits, scores)


def versions_of(ladder: Ladder, out: Collection[int] | None = None) -> dict[int, ratings.Version]:
    """Every version that passed its check, of every bot that has ever entered, but for those that are `out`: by
    default, the disqualified. Those that play now are listed."""
    out = excluded(ladder) if out is None else out
    here = Entry.objects.filter(ladder=ladder)
    listed = set(here.exclude(status=Entry.Status.WITHDRAWN).values_list("bot", flat=True))
    plays = set(fielded(ladder).filter(bot__in=listed).values_list("pk", flat=True))
    played = Rating.objects.filter(ladder=ladder).values("version__bot")
    passed = Version.objects.filter(Q(bot__in=here.values("bot")) | Q(bot__in=played)).exclude(
        status__in=(Version.Status.CHECKING, Version.Status.REJECTED)
    )
    found: dict[int, ratings.Version] = {}
    latest: dict[int, int] = {}
    for pk, bot, name, number in passed.order_by("bot", "number").values_list("pk", "bot", "bot__name", "number"):
        if pk in out:
            continue
        anchor = ANCHORED if pk == ladder.anchor_id else None
        found[pk] = ratings.Version(name, number, latest.get(bot), pk in plays, anchor)
        latest[bot] = pk
    return found
