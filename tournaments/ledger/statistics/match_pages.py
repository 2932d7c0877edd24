"""The matches on a page of a long list: only their ids, because these few rows are then read by key.

Asked for rows and order at once, PostgreSQL may join whole tables first: half a second for a page in a million. And a
ladder's or a bot's matches may all lie far from where the list begins, so those are looked for among its own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from django.db import connection
from django.db.models import QuerySet

from tournaments.models import Bot, Ladder, Match, MatchSet

TIMES = 4  # so many times as many are looked at next, where too few of them belong on the page
# Each version's own come from its index in their order.
SEATED = """
SELECT DISTINCT seat.match_id FROM unnest(%s::bigint[]) AS played (version) CROSS JOIN LATERAL (
    SELECT DISTINCT match_id FROM tournaments_seat
    WHERE version_id = played.version AND (%s::bigint IS NULL OR match_id {beyond} %s)
    ORDER BY match_id {order} LIMIT %s
) AS seat ORDER BY seat.match_id {order} LIMIT %s
"""
Candidates = Callable[[int | None, int], Sequence[int]]  # those beyond one, at most so many, in the list's order


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page begins: beyond this match, the newest first or `forward`; and how many it has at most."""

    cursor: int | None
    length: int
    forward: bool = False

    def beyond(self, rows: QuerySet[Match]) -> QuerySet[Match]:
        rows = rows.order_by("pk" if self.forward else "-pk")
        return rows if self.cursor is None else rows.filter(**{f"pk__{'gt' if self.forward else 'lt'}": self.cursor})


def match_ids(matches: QuerySet[Match], at: Place) -> list[int]:
    """Return the ids of those of `matches` that are on the page, in its order."""
    return list(at.beyond(matches).values_list("pk", flat=True)[: at.length])


def ids_in_ladder(matches: QuerySet[Match], ladder: Ladder, at: Place) -> list[int]:
    """Return the ids of the ladder's matches on the page. `matches` holds no spot check.
    Ladders deal one deal at a time: later sets have later matches."""
    try:
        start = None if at.cursor is None else _beyond_its_set(ladder, at.cursor, at.forward)
    except LookupError:
        return match_ids(matches.filter(set__ladder=ladder), at)
    return _found(matches, partial(_sets, ladder, at.forward), "set", start, at)


def _beyond_its_set(ladder: Ladder, cursor: int, forward: bool) -> int | None:
    """The ladder's last set that has nothing beyond the match, which may be any; None where all may have. LookupError
    if it has: another ladder was dealing at the same time."""
    before = Match.objects.filter(pk__lte=cursor).order_by("-pk").values_list("set", flat=True).first() or 0
    last = next(iter(_sets(ladder, not forward, before, 1)), None)
    if last is not None and Match.objects.filter(set=last, **{"pk__gt" if forward else "pk__lt": cursor}).exists():
        raise LookupError(last)
    return last


def ids_of_bot(matches: QuerySet[Match], bot: Bot, at: Place) -> list[int]:
    versions = list(bot.versions.values_list("pk", flat=True))
    return ids_of_versions(matches, versions, at)


def ids_of_versions(matches: QuerySet[Match], versions: Sequence[int], at: Place) -> list[int]:
    return _found(matches, partial(_seated, versions, at.forward), "pk", at.cursor, at)


def _found(matches: QuerySet[Match], candidates: Candidates, column: str, start: int | None, at: Place) -> list[int]:
    """Return the ids on the page of those of `matches` whose column is a candidate."""
    found: list[int] = []
    many, wanted = at.length, at.beyond(matches).order_by()  # in order PostgreSQL might walk all matches for it
    while chosen := candidates(start, many):
        some = wanted.filter(**{f"{column}__in": chosen}).values_list("pk", flat=True)
        found += sorted(some, reverse=not at.forward)
        if len(found) >= at.length or len(chosen) < many:
            break
        start, many = chosen[-1], many * TIMES
    return found[: at.length]


def _sets(ladder: Ladder, forward: bool, beyond: int | None, most: int) -> list[int]:
    sets = MatchSet.objects.filter(ladder=ladder).order_by("pk" if forward else "-pk")
    if beyond is not None:
        sets = sets.filter(**{f"pk__{'gt' if forward else 'lt'}": beyond})
    return list(sets.values_list("pk", flat=True)[:most])


def _seated(versions: Sequence[int], forward: bool, beyond: int | None, most: int) -> list[int]:
    ways = {"beyond": ">", "order": "ASC"} if forward else {"beyond": "<", "order": "DESC"}
    with connection.cursor() as cursor:
        cursor.execute(SEATED.format(**ways), [list(versions), beyond, beyond, most, most])
        return [match for (match,) in cursor.fetchall()]
