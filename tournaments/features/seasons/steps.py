"""The fingerprint of a season goes into the public log once its results are settled, and again if they change."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F

from engine.season_fingerprint import fingerprint_of
from tournaments.audit.log import PLATFORM, append
from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.core.errors import Refused
from tournaments.features.seasons import rows as season_rows
from tournaments.features.seasons import season_file as season
from tournaments.ledger.ladders.final_fits import final_table
from tournaments.ledger.ladders.standings import Standing, standings
from tournaments.models import Entrant, Event, Fit, Ladder, PastSeason
from workers.isolation import handle_each

KIND = "season"  # of the entry in the log


@dataclass(frozen=True, slots=True)
class Ended:
    """What is told of a season in the archive."""

    fingerprint: str
    sets: int
    entrants: int
    winners: list[int]


def print_due() -> int:
    """Returns how many seasons were looked at."""
    rows = PastSeason.objects.select_related("ladder", "event__ladder").filter(looked_at__lt=F("changes"))
    return handle_each("seasons", rows.order_by("pk"), fingerprint_season, FAILING_ITEMS, str)


def fingerprint_season(past: PastSeason) -> int:
    """Nothing, as long as it is not settled."""
    try:
        found = ended_as(past)
    except Refused:
        return 0
    return _keep(past, found)


def ended_as(past: PastSeason) -> Ended:
    """Raises Refused: season_open."""
    if past.event:
        season.check_event_season(past.event)
        return _of_event(past.event)
    ladder = past.ladder
    assert ladder is not None
    season.check_ladder_season(ladder)
    if Fit.objects.filter(ladder=ladder, stale=True).exists():
        raise Refused("season_open", "%(ladder)s is closed, and its ratings are computed", ladder=ladder)
    return _of_ladder(ladder)


@transaction.atomic
def _keep(past: PastSeason, found: Ended) -> int:
    """Store what was found, and return 1; return 0 if something has changed while it was read: then it is due still."""
    held = PastSeason.objects.select_for_update().filter(pk=past.pk, changes=past.changes).first()
    if held is None:
        return 0
    held.looked_at, held.winners = held.changes, found.winners
    held.entrants, held.sets = found.entrants, found.sets
    if not held.old and held.fingerprint != found.fingerprint:
        held.fingerprint, of = found.fingerprint, past.event or past.ladder
        kind, ladder = ("event", past.event.ladder) if past.event else ("ladder", past.ladder)
        detail = {kind: getattr(of, "slug", ""), "fingerprint": found.fingerprint, "sets": found.sets}
        space = ladder.space_id if ladder else None
        subject = f"{kind} {getattr(of, 'slug', '')}"
        held.act = append(kind=KIND, by=PLATFORM, subject=subject, detail=detail, space=space)
    held.save()
    return 1


def _of_ladder(ladder: Ladder) -> Ended:
    lines = standings(ladder)
    table, deals = (
        season_rows.standings_rows(ladder),
        Counted(season_rows.deal_rows(season_rows.released_sets(ladder, None))),
    )
    mark = fingerprint_of(season.head_of(ladder, None), table, deals)
    winners = first_of(lines) if ladder.final_after is None else final_table(ladder).winners
    return Ended(mark, deals.number, len(lines), winners)


def _of_event(event: Event) -> Ended:
    entrants = list(season_rows.entrant_rows(event))
    deals = Counted(season_rows.deal_rows(season_rows.released_sets(event.ladder, event)))
    mark = fingerprint_of(season.head_of(event.ladder, event), entrants, deals)
    won = Entrant.objects.filter(event=event, place=1).order_by("pk").values_list("bot", flat=True)
    return Ended(mark, deals.number, len(entrants), list(won))


def first_of(lines: Sequence[Standing]) -> list[int]:
    """Return who won before there were final tables: who shares the first rank, or stands above all others."""
    if ranked := [line.bot_id for line in lines if line.rank == 1]:
        return ranked
    top = next((line for line in lines if not line.plays_as), None)
    return [top.bot_id] if top and top.sets else []


class Counted:
    """Passes on what it is given, and says then how many there were."""

    def __init__(self, rows: Iterable[dict[str, Any]]) -> None:
        self._rows, self.number = rows, 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for row in self._rows:
            self.number += 1
            yield row
