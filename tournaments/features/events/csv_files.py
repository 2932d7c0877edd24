"""An event's tables as CSV files, as far as the results are public."""

from collections.abc import Iterator

from django.http import Http404, HttpRequest, HttpResponse

from tournaments.core.accounts.visibility import seen_by
from tournaments.core.csv_text import Row
from tournaments.features.events.progress import EventProgress
from tournaments.models import Match, MatchSet
from tournaments.web.pages.csv_files import SEATED, SEATS, seat_row
from tournaments.web.pages.csv_text import csv_file
from tournaments.web.pages.lookup import event_or_404
from tournaments.web.pages.sentences import say

PLACINGS = ("stage", "title", "place", "bot_id", "bot", "owner", "version", "points", "sets", "status")
ROUNDS = ("stage", "round", "table", "repetition")


def placings(request: HttpRequest, slug: str) -> HttpResponse:
    """Return one row for each place, of all stages or of `?stage=`."""
    event = event_or_404(slug, request.user)
    if event.started_at is None:
        raise Http404(say("%(event)s has not been started; it has no table yet.", event=event))
    rows = _placed(EventProgress(event, request.user), request.GET.get("stage"))
    return csv_file(f"{slug}-placings", PLACINGS, rows)


def _placed(progress: EventProgress, stage: str | None) -> Iterator[Row]:
    for table in progress.standings:
        for line in table.lines if stage in (None, table.stage) else ():
            bot = line.entrant.bot
            who = (line.rank, bot.pk, bot.name, bot.owner.username)
            version = line.entrant.version
            played = (version.number if version else None, line.row.points, line.row.sets)
            yield (table.stage, table.title, *who, *played, line.entrant.status)


def matches_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Return one row for each seat of each match that was played."""
    event = event_or_404(slug, request.user)
    played = Match.objects.filter(seen_by(request.user), set__event=event, status=Match.Status.DONE)
    seats = SEATED.filter(match__in=played.exclude(set__status=MatchSet.Status.VOID))
    rows = ((*seat.match.set.pairing.split("/"), *seat_row(seat)) for seat in seats)
    return csv_file(f"{slug}-matches", (*ROUNDS, *SEATS), rows)
