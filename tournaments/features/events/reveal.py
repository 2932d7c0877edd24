"""The table after the next round, shown to a hall place by place, the last first. It publishes nothing."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.features.events.actions import ReleaseRound
from tournaments.features.events.progress import EventProgress, StageStandings, StandingsRow
from tournaments.models import Event, MatchSet
from tournaments.web.pages.desk.access import check_here, organisers_here
from tournaments.web.pages.lookup import event_or_404
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.sentences import say


@dataclass(frozen=True, slots=True)
class Shown:
    """Lines of a table, from its last; the latest to be shown comes first."""

    lines: list[StandingsRow]
    left: int  # that are still to be shown

    @property
    def further(self) -> int:
        return len(self.lines) + 1

    @property
    def back(self) -> int:
        return len(self.lines) - 1


def next_progress(event: Event, request: HttpRequest) -> EventProgress:
    """Return what everybody will see when the next round is released. Raises Http404 where there is none to release."""
    if event.released is None or event.started_at is None or event.status == Event.Status.CANCELLED:
        raise Http404(say("No results of %(event)s are held back.", event=event))
    following = event.sets.filter(round=event.released + 1)
    if not following.exists() or following.filter(status=MatchSet.Status.OPEN).exists():
        number = event.released + 1
        raise Http404(say("Round %(round)s of %(event)s has not been played to its end.", round=number, event=event))
    progress = EventProgress(event, request.user)
    progress.last_round = event.released + 1
    return progress


def shown_of(table: StageStandings, most: int) -> Shown:
    """Return the last `most` lines. Who is disqualified has no place to be shown."""
    placed = [line for line in table.lines if line.entrant.status != "disqualified"]
    count = min(most, len(placed))
    return Shown(placed[len(placed) - count :], len(placed) - count)


@organisers_here
def reveal(request: HttpRequest, slug: str) -> HttpResponse:
    """`?shown=`: how many places; `?stage=`: of which table, else of the last."""
    event = event_or_404(slug, request.user)
    check_here(request, event.ladder.space_id)
    progress = next_progress(event, request)
    tables = {table.stage: table for table in progress.standings}
    chosen = request.GET.get("stage", next(reversed(tables), ""))
    if chosen not in tables:
        raise Http404(say("%(event)s has no such table.", event=event))
    context = {"event": event, "round": progress.last_round, "tables": tables.values(), "table": tables[chosen]}
    shown = shown_of(tables[chosen], whole(request.GET.get("shown")) or 0)
    publish = ReleaseRound.kind
    return render(request, "events/reveal.html", {**context, "shown": shown, "publish": publish})
