"""Matches and their replays."""

import gzip
from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, Q, QuerySet
from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from bots.viewer.language import told_in
from engine.records import to_plain
from tournaments.core.accounts.organisers import organises
from tournaments.core.accounts.permissions import run_by
from tournaments.core.accounts.spaces import Viewer, open_to
from tournaments.core.accounts.visibility import events_seen_by, seen_by, sets_listed_for
from tournaments.core.config.match_languages import match_language
from tournaments.core.errors import Refused
from tournaments.ledger.matchmaking.seed_chains import proof_of_deal
from tournaments.ledger.statistics.match_pages import Place, ids_in_ladder, ids_of_versions, match_ids
from tournaments.models import Event, Match, MatchSet, Seat, User, Version
from tournaments.web.api.base import FOR_EVER, View, find_row, list_page, read_form, show, sparing, unchanging
from tournaments.web.api.inputs import MatchQuery
from tournaments.web.api.named import named_bot, named_ladder
from tournaments.web.api.openapi import list_shape
from tournaments.web.api.shapes.matches import MatchDetailShape, MatchShape, ProofShape
from tournaments.web.api.sparing_answers import accepts
from tournaments.web.server.languages import language_of_request

# By key, each kind by itself: joined, PostgreSQL reads all versions for the seats of twenty matches.
SEATS = (Prefetch("seats", Seat.objects.order_by("number")), "seats__version__bot__owner")
MATCHES = Match.objects.select_related("set__ladder", "set__event", "set__chain", "result").defer("result__replay")


def matches_of(viewer: User | AnonymousUser) -> QuerySet[Match]:
    """Return the matches of ladders, of what events released, and of checks of own bots; organisers see all."""
    if organises(viewer):
        return MATCHES
    checks = Q(set__checks=None)
    if isinstance(viewer, User):
        checks |= run_by(viewer, "set__checks__bot__")
    return MATCHES.filter(checks, seen_by(viewer))


TIMES = {
    "created_after": "created_at__gte",
    "created_before": "created_at__lt",
    "recorded_after": "result__recorded_at__gte",
    "recorded_before": "result__recorded_at__lt",
}
# What deals has a minute. A lower id may be seen later than a higher one, but not as late as that: who goes forward
# meets none before, and so misses none.
DEALT_WITHIN = timedelta(minutes=1)


def matches_condition(viewer: Viewer, query: Mapping[str, Any]) -> Q:
    """Return the condition on matches: all that they may see of what is named, else what stands in the site's lists."""
    named = query.keys() & {"ladder", "event", "bot", "version"}
    return seen_by(viewer) if named else sets_listed_for(viewer)


def wanted_ids(request: Request, query: Mapping[str, Any]) -> list[int]:
    """Return the ids of the matches on the page, and of one more."""
    ladder, rows = None, Match.objects.filter(matches_condition(request.user, query), set__checks=None)
    cursor = query.get("since", query.get("before"))
    at = Place(cursor, query["page_size"] + 1, "since" in query)
    if "event" in query:
        event = find_row(Event.objects.filter(events_seen_by(request.user)), query["event"], slug=query["event"])
        rows = rows.filter(set__event=event)
    if "ladder" in query:
        ladder = named_ladder(request.user, query["ladder"])
    if "bot" in query and "version" in query:  # whose matches of that version they are, with whatever the bot sat there
        bot = named_bot(request.user, query["bot"])
        rows = rows.filter(pk__in=Seat.objects.filter(version__bot=bot).values("match"))
    if "status" in query:
        rows = rows.filter(status=query["status"])
    rows = matches_within(rows, query)
    few = query.get("status", Match.Status.DONE) != Match.Status.DONE
    # Spot checks, which organisers see, are dealt beside the ladder's own deals.
    rows = rows.filter(set__trial=None) if ladder else rows  # in a trial a bot plays against itself, beside the ladder
    if ladder and not (few or organises(request.user) or "bot" in query or "version" in query):
        return ids_in_ladder(rows, ladder, at)
    rows = rows.filter(set__ladder=ladder) if ladder else rows
    if "bot" in query or "version" in query:
        return ids_of_versions(rows, wanted_versions(query, request.user), at)
    return match_ids(rows, at)


def wanted_versions(query: Mapping[str, Any], viewer: Viewer) -> list[int]:
    """One, or else all of a bot."""
    if "version" in query:
        return [
            find_row(Version.objects.filter(open_to(viewer, "bot__space")), query["version"], pk=query["version"]).pk
        ]
    bot = named_bot(viewer, query["bot"])
    return list(bot.versions.values_list("pk", flat=True))


def matches_within(rows: QuerySet[Match], query: Mapping[str, Any]) -> QuerySet[Match]:
    if "since" in query:
        rows = rows.filter(created_at__lt=timezone.now() - DEALT_WITHIN)
    return rows.filter(**{column: query[name] for name, column in TIMES.items() if name in query})


def asked_language(request: Request) -> AbstractContextManager[None]:
    """Return a context in which stories of matches are told in the language that is asked for."""
    accepted = request.headers.get("Accept-Language", "").encode("latin-1", "replace")
    return told_in(match_language(language_of_request(b"", accepted).decode()))


class Matches(View):
    varies = ("Accept-Language",)

    @extend_schema(parameters=[MatchQuery], responses=list_shape(MatchShape))
    def get(self, request: Request) -> Response:
        """Matches of ladders, newest first, or forward from one with `since`."""
        query = read_form(MatchQuery, request.query_params)
        rows = MATCHES.filter(pk__in=wanted_ids(request, query)).prefetch_related(*SEATS)
        with asked_language(request):
            return list_page(MatchShape, rows, query, request)


class OneMatch(View):
    varies = ("Accept-Language",)

    @extend_schema(responses=MatchDetailShape)
    def get(self, request: Request, match: int) -> HttpResponse:
        """One match. Its seed is shown when its whole set is over; evidence of faults, to the bot's owner."""
        details = matches_of(request.user).prefetch_related(*SEATS, "seats__faults", "attempts")
        with asked_language(request):
            shown = show(MatchDetailShape, find_row(details, match, pk=match), request)
        return unchanging(shown, "private, no-cache")


class Replay(View):
    @extend_schema(responses={(200, "application/json"): OpenApiTypes.OBJECT})
    def get(self, request: Request, match: int) -> HttpResponse:
        """The replay's file, for `python3 -m engine.verify`. It never changes; its ETag is the digest inside it."""
        found = find_row(matches_of(request.user).defer(None), match, pk=match)
        if found.set.status == MatchSet.Status.OPEN:
            raise Refused(
                "set_still_open", f"Match {match} is of a set still played; its replay shows when all of it is over."
            )
        if found.status != Match.Status.DONE:
            raise Refused("not_played", f"Match {match} was never played to its end, so it has no replay.")
        if not found.result.replay:
            raise Refused("forgotten", f"Match {match} was played a while ago; its replay is no longer kept.")
        of = found.set
        hidden = of.ladder is None or of.space_id or of.event is not None  # an event's may be held back from others
        caching = f"{'private' if hidden else 'public'}, {FOR_EVER}"
        digest = found.result.rewritten or found.result.digest
        return sparing(replay_response(found, request), f'W/"{digest}"', caching)


class Proof(View):
    @extend_schema(responses=ProofShape)
    def get(self, request: Request, match: int) -> Response:
        """The proof of its deal, for `python3 -m engine.verify`; available when all sets dealt until then are over."""
        found = find_row(matches_of(request.user), match, pk=match)
        name = f'attachment; filename="{found.set.game}-match-{found.pk}-proof.json"'
        return Response(to_plain(proof_of_deal(found.set)), headers={"Content-Disposition": name})


def replay_response(match: Match, request: Request) -> HttpResponse:
    packed = accepts("gzip", request.headers.get("Accept-Encoding", ""))
    stored = bytes(match.result.replay)
    response = HttpResponse(stored if packed else gzip.decompress(stored), content_type="application/json")
    if packed:
        response["Content-Encoding"] = "gzip"
    response["Content-Disposition"] = f'attachment; filename="{match.set.game}-match-{match.pk}.json"'
    response["Vary"] = "Accept-Encoding"
    return response
