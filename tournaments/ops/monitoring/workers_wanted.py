"""How many match workers the waiting work wants: a cluster scales by it. The length of a queue would mislead, since
ladders fill theirs only as far as the workers that are here can follow.
"""

from collections import Counter
from collections.abc import Collection
from math import ceil
from statistics import fmean

from django.db import connection
from django.db.models import Count, F, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce, Greatest

from tournaments.core.broker.available_workers import of_release
from tournaments.ledger.dispatch.match_durations import site_lately
from tournaments.ledger.ladders.paired import paired_by_pace
from tournaments.ledger.matchmaking.ladder_sets import plays_rules_of
from tournaments.models import Entry, Match, MatchSet, Rating, Version
from workers.identity import OF

SOON = 600.0  # seconds within which all that waits now would be over
UNMEASURED = 10.0  # seconds of a match, until one was played

TOOK = """
SELECT ladder, avg(seconds) FROM unnest(%s::bigint[]) AS ladder, LATERAL (
    SELECT result.seconds FROM tournaments_matchset AS played
    JOIN tournaments_match AS match ON match.set_id = played.id
    JOIN tournaments_result AS result ON result.match_id = match.id
    WHERE played.ladder_id = ladder AND played.number IS NOT NULL AND position(%s in result.worker) = 0
    ORDER BY played.number DESC LIMIT 50
) AS lately GROUP BY ladder
"""  # by the site's workers alone: it is their number that is asked for


def workers_wanted() -> int:
    """Return how many workers would end soon what waits and is played now, at its measured length."""
    matches = open_matches(rated=False) + (open_matches(rated=True) | matches_due())
    usual, seconds = fmean(site_lately() or [UNMEASURED]), seconds_in(matches.keys() - {None})
    return ceil(sum(count * seconds.get(ladder, usual) for ladder, count in matches.items()) / SOON)


def open_matches(*, rated: bool) -> Counter[int | None]:
    """Return, by ladder, the matches of open sets that the site's workers are to play."""
    sets = MatchSet.objects.filter(of_release(), status=MatchSet.Status.OPEN, number__isnull=not rated)
    to_play = Match.objects.filter(
        set__in=sets.exclude(space__own_workers_alone=True), status__in=(Match.Status.WAITING, Match.Status.LEASED)
    )
    return Counter(dict(to_play.order_by().values_list("set__ladder").annotate(Count("pk"))))


def matches_due() -> Counter[int | None]:
    """Return, by ladder, the matches until all bots have played enough sets of it, those of open sets among them."""
    ladders = {
        ladder.pk: min(ladder.sizes)
        for ladder in paired_by_pace().exclude(space__own_workers_alone=True)
        if plays_rules_of(ladder)
    }
    active = Version.objects.filter(bot=OuterRef("bot"), status=Version.Status.ACTIVE).values("pk")
    played = Rating.objects.filter(ladder=OuterRef("ladder"), version=OuterRef("version")).values("sets")
    entries = Entry.objects.filter(ladder__in=ladders, status=Entry.Status.PLAYING).annotate(
        version=Coalesce("pinned", Subquery(active)), missing=F("ladder__sets_wanted") - Coalesce(Subquery(played), 0)
    )
    rows = entries.filter(version__isnull=False).order_by().values_list("ladder")
    due = rows.annotate(bots=Count("pk"), matches=Sum(Greatest(0, F("missing"))))
    return Counter({ladder: matches for ladder, bots, matches in due if bots >= ladders[ladder]})


def seconds_in(ladders: Collection[int | None]) -> dict[int | None, float]:
    """Return how long the latest matches of each ladder took, where there are some."""
    with connection.cursor() as cursor:
        cursor.execute(TOOK, [list(ladders), OF])
        return dict(cursor.fetchall())
