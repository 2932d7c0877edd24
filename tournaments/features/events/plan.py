"""The plan of an event: its format applied to its entrants and results."""

import json
from collections import Counter
from functools import lru_cache
from itertools import groupby

from django.db.models import QuerySet

from bots.formats import model
from bots.formats.model import Plan, SetResult, lead_over_others
from bots.formats.settings import RoundRobin, read_stored
from tournaments.core.errors import Refused
from tournaments.features.events.event_format import format_of
from tournaments.ledger.formats.planning import plan_event
from tournaments.models import Entrant, Event, MatchSet, Seat

Line = tuple[int, int, int, int, bool]  # of a seat: match, entrant, place, score, whether it forfeited


def plan_of(event: Event, last_round: int | None = None) -> Plan:
    """Return the plan without the rounds after `last_round`.

    A result never changes unless it is voided, so plans are cached.
    """
    over, void = _over(event, last_round).count(), event.sets.filter(status=MatchSet.Status.VOID).count()
    return _plan(event.pk, event.lot, json.dumps(event.spec), tuple(starting_field(event)), last_round, (over, void))


@lru_cache(maxsize=32)
def _plan(
    event: int, lot: str, spec: str, field: tuple[model.Entrant, ...], last_round: int | None, _by_now: tuple[int, int]
) -> Plan:
    results = results_by_pairing(Event.objects.get(pk=event), last_round)
    return plan_event(read_stored(json.loads(spec)), field, results, event=lot)


def paired_by_result(match_set: MatchSet) -> bool:
    """Return whether later rounds of the set's event were paired by its result."""
    return match_set.event is not None and not stands_without(match_set.event, match_set.pairing)


def stands_without(event: Event, pairing: str) -> bool:
    """Return whether every dealt set would also be there if this pairing had no result yet, or another one."""
    if isinstance(format_of(event), RoundRobin):
        return True  # everybody meets everybody, with any results
    results = results_by_pairing(event)
    results.pop(pairing, None)
    try:
        again = plan_event(format_of(event), starting_field(event), results, event=event.lot)
    except Refused:
        return False  # there are results of sets that would not have been paired
    issued = {issue.key: issue.entrants for issue in again.pairings}
    dealt = set(event.sets.exclude(status=MatchSet.Status.VOID).values_list("pairing", flat=True))
    return all(issued.get(issue.key) == issue.entrants for issue in plan_of(event).pairings if issue.key in dealt)


def starting_field(event: Event) -> list[model.Entrant]:
    """Return the entrants of the start. To a format they are bots by id, which a gauntlet's panel can name before."""
    rows = event.entrants.exclude(version=None).select_related("bot").order_by("pk")
    last_sets = _last_sets(event) if any(row.left_at is not None for row in rows) else Counter[tuple[int, int | None]]()
    return [
        model.Entrant(
            id=row.bot_id,
            rating=row.seed,
            sd=row.sd,
            owner=row.side or row.bot.owner_id,
            last_round=row.left_at,
            disqualified=row.status == Entrant.Status.DISQUALIFIED,
            last_sets=None if row.left_at is None else last_sets[row.version_id or 0, row.left_at],
        )
        for row in rows
    ]


def _last_sets(event: Event) -> Counter[tuple[int, int | None]]:
    """Return how many sets were dealt to a version in a round; to one that has left no more are dealt."""
    dealt = event.sets.exclude(status=MatchSet.Status.VOID).values_list("pk", "matches__seats__version", "round")
    return Counter((version, number) for _, version, number in dealt.distinct())


def results_by_pairing(event: Event, last_round: int | None = None) -> dict[str, SetResult]:
    """Return the results of all sets that are over, by pairing.

    A cancelled set is played no more; a voided one is as if never dealt.
    """
    bot = dict(event.entrants.exclude(version=None).values_list("version", "bot"))
    seats = Seat.objects.filter(match__set__in=_over(event, last_round)).order_by("match__set", "match", "number")
    columns = ("match__set__pairing", "match__set__status", "match", "version", "place", "score", "forfeited")
    results = {}
    for (pairing, status), rows in groupby(seats.values_list(*columns), key=lambda row: (row[0], row[1])):
        lines = [(row[2], bot[row[3]], row[4] or 0, row[5] or 0, row[6]) for row in rows]
        results[pairing] = _result(lines, void=status == MatchSet.Status.CANCELLED)
    return results


def _result(lines: list[Line], *, void: bool) -> SetResult:
    """Return the places and leads of a set's entrants, from its seats, match by match."""
    entrants = tuple(sorted({line[1] for line in lines}))
    if void:
        return SetResult(entrants)
    games = [{line[1]: line for line in match} for _, match in groupby(lines, key=lambda line: line[0])]
    return SetResult(
        entrants,
        games=tuple(tuple(game[entrant][2] for entrant in entrants) for game in games),
        crashes=tuple(sum(game[entrant][4] for game in games) for entrant in entrants),
        margins=tuple(sum(_lead(game, entrant) for game in games) for entrant in entrants),
    )


def _lead(game: dict[int, Line], entrant: int) -> int:
    return lead_over_others([line[3] for line in game.values()], list(game).index(entrant))


def _over(event: Event, last_round: int | None) -> QuerySet[MatchSet]:
    sets = event.sets.exclude(status__in=(MatchSet.Status.OPEN, MatchSet.Status.VOID))
    return sets if last_round is None else sets.filter(round__lte=last_round)
