"""Events for calendars, as RFC 5545 describes the file: lines of at most 75 bytes, times in UTC.

A program that asks again finds an event by its UID, so what changes takes the place of what was.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from tournaments.core.accounts.visibility import events_listed_for
from tournaments.core.config.plain_text import clean_text, one_line
from tournaments.models import Act, Event
from tournaments.web.pages.lookup import event_or_404
from tournaments.web.pages.sentences import say

LONGEST = 75  # bytes of a line, without its end
LATEST = 100  # events of the site
SHORTEST = timedelta(seconds=1)  # an entry may not end when it begins
ESCAPES = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})
STATES = {Event.Status.DRAFT: "TENTATIVE", Event.Status.CANCELLED: "CANCELLED"}
DATED = Q(starts_at__isnull=False) | Q(started_at__isnull=False)
HEAD = ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Boardroom//Events//EN", "CALSCALE:GREGORIAN")


def event_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    event = event_or_404(slug, request.user)
    if not (event.started_at or event.starts_at):
        raise Http404(say("%(event)s has no date yet.", event=event))
    return calendar_response([event], event.slug)


def all_events_calendar(request: HttpRequest) -> HttpResponse:
    """Return the latest events that are listed for whoever asks; a calendar that subscribes to it is nobody."""
    events = Event.objects.filter(DATED, events_listed_for(request.user)).exclude(status=Event.Status.DRAFT)
    return calendar_response(list(events.select_related("ladder").order_by("-pk")[:LATEST]), "events")


def calendar_response(events: list[Event], name: str) -> HttpResponse:
    lines = (*HEAD, *calendar_lines(events), "END:VCALENDAR")
    response = HttpResponse("".join(map(folded, lines)), content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.ics"'
    response["Cache-Control"] = "private, no-cache"
    return response


def calendar_lines(events: list[Event]) -> Iterator[str]:
    acts = Act.objects.filter(subject__in=[f"event {event.slug}" for event in events]).order_by("number")
    changed = dict(acts.values_list("subject", "at"))  # of each the last
    for event in events:
        yield from lines_of_event(event, changed)


def lines_of_event(event: Event, changed: Mapping[str, datetime]) -> Iterator[str]:
    """Yield the event, and the end of its registration while there is one to come."""
    times = (event.created_at, changed.get(f"event {event.slug}"), event.started_at, event.ended_at)
    stamp, begin = max(filter(None, times)), event.started_at or event.starts_at
    assert begin is not None
    end = max(event.ended_at, begin + SHORTEST) if event.ended_at and event.ended_at > begin else None
    description = "\n".join(filter(None, [event.ladder.game_title, *clean_text(event.description).splitlines()]))
    yield from entry_lines(event, "event", one_line(event.title), stamp, begin, end, description)
    if event.closes_at and event.status == Event.Status.REGISTRATION:
        title = one_line(f"Registration closes: {event.title}")
        yield from entry_lines(event, "registration", title, stamp, event.closes_at, None, "")


def entry_lines(
    event: Event, kind: str, title: str, stamp: datetime, begin: datetime, end: datetime | None, description: str
) -> Iterator[str]:
    page = f"{settings.SITE_URL}{reverse('event', args=[event.slug])}"
    yield "BEGIN:VEVENT"
    yield f"UID:{kind}-{event.pk}@{urlsplit(settings.SITE_URL).hostname}"
    yield f"DTSTAMP:{in_utc(stamp)}"
    yield f"DTSTART:{in_utc(begin)}"
    if end:
        yield f"DTEND:{in_utc(end)}"
    yield f"SUMMARY:{title.translate(ESCAPES)}"
    if description:
        yield f"DESCRIPTION:{description.translate(ESCAPES)}"
    yield f"URL:{page}"
    yield f"STATUS:{STATES.get(Event.Status(event.status), 'CONFIRMED')}"
    yield "END:VEVENT"


def in_utc(time: datetime) -> str:
    return time.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def folded(line: str) -> str:
    """Return the line with its end; a longer one goes on after a space in the next, between two characters."""
    parts, part = list[str](), ""
    for character in line:
        if len((part + character).encode()) > LONGEST:
            parts.append(part)
            part = " "
        part += character
    return "\r\n".join([*parts, part, ""])
