"""The records of a ladder as the plain ledger from which its ratings are computed."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet

from tournaments.ledger.ladders.disqualified import excluded
from tournaments.ledger.ladders.fielded import fielded
from tournaments.ledger.ladders.rating_floors import floors_of
from tournaments.ledger.ladders.unranked import unranked
from tournaments.models import Bot, Entry, Ladder, MatchSet, Rating, Seat, Version
from tournaments.models.paging import paged_rows
from tournaments.ratings.export import lines as export_lines
from tournaments.ratings.ledger import Game, Ledger, RatedSet
from tournaments.ratings.ledger import Version as RatedVersion
from tournaments.ratings.played_again import fresh_by
from tournaments.ratings.scale import WHOLE

PAGE = 200  # sets, or bots, of one query for a download
RUNS = """
    SELECT min(number), max(number)
    FROM (SELECT number, number - row_number() OVER (ORDER BY number) AS run
          FROM tournaments_matchset WHERE ladder_id = %s AND rated) AS rated
    GROUP BY run ORDER BY 1
"""
ANCHORED = 1000.0  # Elo of a ladder's anchor
BATCH = 2000  # rows


def ledger_of(ladder: Ladder) -> Ledger:
    """Return all sets and versions that count."""
    sets = list(sets_in_order(ladder.sets.filter(rated=True)))
    return Ledger(ladder.slug, ladder.game, sets, rated_versions(ladder), *_constants(ladder))


def scale_of(ladder: Ladder) -> int:
    """Return the thousandths by which its ratings are those by places."""
    return ladder.scale if ladder.margin else WHOLE


def _constants(ladder: Ladder) -> tuple[int, int, int, int, int | None]:
    """Return margin, prior, scale, rules, and from how many sets on a version that plays again counts by them."""
    return ladder.margin, ladder.prior_sd, scale_of(ladder), ladder.fit_rules, fresh_by(ladder.fit_rules)


def ledger_lines(ladder: Ladder) -> Iterator[str]:
    """Yield the ledger as JSON Lines without loading all of it: the sets and versions that count now."""
    numbers, out, floors = chain.from_iterable(_runs(ladder)), excluded(ladder), floors_of(ladder)
    head = Ledger(ladder.slug, ladder.game, [], {}, *_constants(ladder))
    entered = paged_rows(partial(_bots_after, ladder), int)
    versions = (rated_versions(ladder, out, bots, floors) for bots in _batches(entered))
    sets = (list(sets_in_order(ladder.sets.filter(number__in=batch))) for batch in _batches(numbers))
    rated = chain.from_iterable(batch.items() for batch in versions)
    return export_lines(head, rated, chain.from_iterable(sets))


def _runs(ladder: Ladder) -> list[range]:
    """The numbers of its rated sets: few runs of many."""
    with connection.cursor() as cursor:
        cursor.execute(RUNS, [ladder.pk])
        return [range(first, last + 1) for first, last in cursor.fetchall()]


def _bots_after(ladder: Ladder, bot: int) -> list[int]:
    entered = Q(pk__in=Entry.objects.filter(ladder=ladder).values("bot"))
    rated = Q(pk__in=Rating.objects.filter(ladder=ladder).values("version__bot"))
    return list(Bot.objects.filter(entered | rated, pk__gt=bot).order_by("pk").values_list("pk", flat=True)[:PAGE])


def _batches(numbers: Iterator[int]) -> Iterator[list[int]]:
    return iter(lambda: list(islice(numbers, PAGE)), [])


def whole_of(ladder: Ladder, sets: QuerySet[MatchSet]) -> Ledger:
    """The ledger of these complete sets, including the disqualified."""
    versions = rated_versions(ladder, out=())
    return Ledger(ladder.slug, ladder.game, list(sets_in_order(sets)), versions, *_constants(ladder))


def sets_in_order(sets: QuerySet[MatchSet], by: str = "match__set__number") -> Iterator[RatedSet]:
    """Complete sets of one ladder, in order of number; those of a trial, which have none, by their keys."""
    seats = Seat.objects.filter(match__set__in=sets).order_by(by, "match", "number")
    columns = (by, "match", "version", "place", "forfeited", "score")
    for number, of_set in groupby(seats.values_list(*columns).iterator(BATCH), itemgetter(0)):
        games = [_game([line[2:] for line in of_match]) for _, of_match in groupby(of_set, itemgetter(1))]
        yield RatedSet(number, games)


def _game(seats: Sequence[tuple[Any, ...]]) -> Game:
    versions, places, forfeits, scores = zip(*seats, strict=True)
    return Game(versions, places, forfeits, scores)


def rated_versions(
    ladder: Ladder,
    out: Collection[int] | None = None,
    bots: Collection[int] | None = None,
    floors: Mapping[int, float] | None = None,
) -> dict[int, RatedVersion]:
    """Return every version that passed its check, of every bot that has ever entered, except those `out`.

    By default, `out` are the disqualified, and `floors` those of now. Versions that play now are listed. With `bots`,
    theirs alone.
    """
    out = excluded(ladder) if out is None else out
    of_bots = Q() if bots is None else Q(bot__in=bots)
    entries = Entry.objects.filter(of_bots, ladder=ladder)
    listed = set(entries.exclude(status=Entry.Status.WITHDRAWN).values_list("bot", flat=True))
    plays = set(fielded(ladder).filter(bot__in=listed).values_list("pk", flat=True))
    played = Rating.objects.filter(ladder=ladder).values("version__bot")
    passed = Version.objects.filter(of_bots, Q(bot__in=entries.values("bot")) | Q(bot__in=played)).exclude(
        status__in=(Version.Status.CHECKING, Version.Status.REJECTED)
    )
    without, floors = unranked(ladder), floors_of(ladder) if floors is None else floors
    rated: dict[int, RatedVersion] = {}
    latest: dict[int, int] = {}
    for pk, bot, name, number in passed.order_by("bot", "number").values_list("pk", "bot", "bot__name", "number"):
        if pk in out:
            continue
        anchor = ANCHORED if pk == ladder.anchor_id else None
        rated[pk] = RatedVersion(name, number, latest.get(bot), pk in plays, anchor, bot not in without, floors.get(pk))
        latest[bot] = pk
    return rated
