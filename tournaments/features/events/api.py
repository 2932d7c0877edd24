"""Events: what they are, their standings and entrants."""

from django.db.models import Count, Q, QuerySet
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.accounts.spaces import listed_for
from tournaments.core.accounts.visibility import events_seen_by
from tournaments.core.errors import Refused
from tournaments.features.events.check_in import check_in
from tournaments.features.events.progress import EventProgress
from tournaments.features.events.registration import decline, register, withdraw_from_event
from tournaments.features.events.shapes import EntrantShape, EventShape, PlanShape
from tournaments.models import Entrant, Event
from tournaments.web.api.base import View, api_user, find_row, list_page, paged, read_form, show, unchanging
from tournaments.web.api.inputs import EntryBody, EventQuery, PageQuery
from tournaments.web.api.named import named_bot
from tournaments.web.api.openapi import list_shape

ENTRANTS = Entrant.objects.select_related("event__ladder", "bot__owner", "version")


def events_to_list(request: Request) -> QuerySet[Event]:
    rows = Event.objects.filter(events_seen_by(request.user)).select_related("ladder", "organiser", "previous")
    waiting = Q(entrants__status=Entrant.Status.WAITING)
    left_before = Q(entrants__status=Entrant.Status.WITHDRAWN, entrants__version=None)
    entered = Count("entrants", filter=~waiting & ~left_before)
    return rows.annotate(entered=entered, queued=Count("entrants", filter=waiting))


def requested_event(request: Request, slug: str) -> Event:
    return find_row(events_to_list(request), slug, slug=slug)


class Events(View):
    @extend_schema(parameters=[EventQuery], responses=list_shape(EventShape))
    def get(self, request: Request) -> Response:
        """Events, newest first."""
        query = read_form(EventQuery, request.query_params)
        rows = events_to_list(request).filter(listed_for(request.user, "ladder__space"))
        return list_page(EventShape, rows.filter(status=query["status"]) if "status" in query else rows, query, request)


class OneEvent(View):
    @extend_schema(responses=EventShape)
    def get(self, request: Request, slug: str) -> Response:
        """One event: its format, its start and its progress."""
        return Response(show(EventShape, requested_event(request, slug), request))


class OnePlan(View):
    @extend_schema(responses=PlanShape)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The event's standings from the public results: tables, rounds with their matches, byes, winners.

        Each row says what the bot still needs. Its ETag changes when anything does.
        """
        event = requested_event(request, slug)
        if event.started_at is None:
            raise Refused("not_started", f"{event} has not been started; there is nothing to show yet.")
        return unchanging(show(PlanShape, EventProgress(event, request.user), request), "private, no-cache")


class Entrants(View):
    @extend_schema(parameters=[PageQuery], responses=list_shape(EntrantShape))
    def get(self, request: Request, slug: str) -> Response:
        """Who takes part, the last to register first."""
        return paged(EntrantShape, request, ENTRANTS.filter(event=requested_event(request, slug)))

    @extend_schema(request=EntryBody, responses={201: EntrantShape})
    def post(self, request: Request, slug: str) -> Response:
        """Register a bot of yours. It plays with the version that is active when the event starts."""
        event, wanted = requested_event(request, slug), read_form(EntryBody, request.data)["bot"]
        entrant = register(event=event, bot=named_bot(request.user, wanted), by=api_user(request))
        address = reverse("api:entrant", args=[slug, entrant.pk])
        shown = show(EntrantShape, ENTRANTS.get(pk=entrant.pk), request)
        return Response(shown, 201, headers={"Location": address})


class OneEntrant(View):
    @extend_schema(responses=EntrantShape)
    def get(self, request: Request, slug: str, entrant: int) -> Response:
        """One entrant of the event."""
        return Response(
            show(EntrantShape, find_row(ENTRANTS, entrant, pk=entrant, event=requested_event(request, slug)), request)
        )

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, entrant: int) -> HttpResponse:
        """Withdraw a bot of yours: before the start it leaves, later it is no longer paired."""
        found = find_row(ENTRANTS, entrant, pk=entrant, event=requested_event(request, slug))
        withdraw_from_event(entrant=found, by=api_user(request))
        return HttpResponse(status=204)


class CheckIn(View):
    @extend_schema(request=None, responses=EntrantShape)
    def post(self, request: Request, slug: str, entrant: int) -> Response:
        """Check in a bot of yours before the start, also from the waiting list."""
        found = find_row(ENTRANTS, entrant, pk=entrant, event=requested_event(request, slug))
        check_in(entrant=found, by=api_user(request))
        return Response(show(EntrantShape, ENTRANTS.get(pk=entrant), request))


class Decline(View):
    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, slug: str) -> HttpResponse:
        """Decline an invitation to the event. An organiser may invite you again."""
        decline(event=requested_event(request, slug), by=api_user(request))
        return HttpResponse(status=204)
