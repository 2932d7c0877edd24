"""Ladders: what they are, who leads, who plays."""

from django.db.models import Prefetch, QuerySet
from django.http import HttpResponse, StreamingHttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.accounts.spaces import Viewer, listed_for, open_to
from tournaments.ledger.ladders.entries import enter_in_ladder, withdraw_bot
from tournaments.ledger.ladders.left_entries import left_in
from tournaments.ledger.ladders.rating_ledger import ledger_lines
from tournaments.ledger.ladders.rating_moves import latest_rated, moves_of
from tournaments.ledger.ladders.shadow_ratings import shadow_lines, shadow_of
from tournaments.models import Bot, Entry, FinalRun, Ladder
from tournaments.web.api.base import View, api_user, find_row, paged, read_form, show, unchanging_text
from tournaments.web.api.inputs import EntryBody, MovesQuery, PageQuery
from tournaments.web.api.named import named_bot, named_ladder
from tournaments.web.api.openapi import list_shape
from tournaments.web.api.shapes.ladders import EntryShape, LadderShape, MovesShape, StandingsShape
from tournaments.web.api.standings_text import standings_text

LADDERS = Ladder.objects.prefetch_related(Prefetch("final_runs", FinalRun.objects.select_related("act")))


def shadow_in(ladder: Ladder) -> dict[str, object] | None:
    shadow = shadow_of(ladder)
    if not shadow:
        return None
    facts = {"value": shadow.ladder.luck.value["name"], "hash": shadow.hash, "sets": shadow.sets, "phi": shadow.phi}
    return {**facts, "lines": list(shadow_lines(shadow).values())}


def reach_of_ladder(ladder: Ladder) -> str:
    """Return who may keep what is told of the ladder, for a header: `private` or `public`."""
    return "private" if ladder.space_id else "public"


ENTRIES = Entry.objects.select_related("ladder", "bot__owner")


def entries_seen_by(viewer: Viewer) -> QuerySet[Entry]:
    return ENTRIES.filter(open_to(viewer, "ladder__space"))


class Ladders(View):
    @extend_schema(parameters=[PageQuery], responses=list_shape(LadderShape))
    def get(self, request: Request) -> Response:
        """Ladders, newest first."""
        return paged(LadderShape, request, LADDERS.filter(listed_for(request.user)))


class OneLadder(View):
    @extend_schema(responses=LadderShape)
    def get(self, request: Request, slug: str) -> Response:
        """One ladder and the settings its matches are played under."""
        return Response(show(LadderShape, find_row(LADDERS.filter(open_to(request.user)), slug, slug=slug), request))


class Standings(View):
    @extend_schema(responses=StandingsShape)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The whole table, best first. Its ETag changes when it does."""
        ladder = named_ladder(request.user, slug)
        beside = {"left": left_in(ladder), "shadow": shadow_in(ladder)}
        return unchanging_text(standings_text(ladder, beside, request), f"{reach_of_ladder(ladder)}, no-cache")


class LedgerLines(View):
    @extend_schema(responses={(200, "application/x-ndjson"): OpenApiTypes.STR})
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        """The input of the ratings, as JSON Lines; `python3 -m tournaments.ratings` computes the table from it."""
        lines = ledger_lines(named_ladder(request.user, slug))
        name = f'attachment; filename="{slug}.jsonl"'
        return StreamingHttpResponse(lines, content_type="application/x-ndjson", headers={"Content-Disposition": name})


class Moves(View):
    @extend_schema(parameters=[MovesQuery], responses=MovesShape)
    def get(self, request: Request, slug: str) -> Response:
        """Why a bot's ratings from the exact fit changed, day by day, for its latest versions."""
        ladder = named_ladder(request.user, slug)
        bot = find_row(
            Bot.objects.filter(open_to(request.user)),
            number := read_form(MovesQuery, request.query_params)["bot"],
            pk=number,
        )
        row = {"ladder": slug, "bot": bot.pk, "moves": moves_of(ladder, latest_rated(ladder, bot))}
        return Response(show(MovesShape, row, request))


class Entries(View):
    @extend_schema(parameters=[PageQuery], responses=list_shape(EntryShape))
    def get(self, request: Request, slug: str) -> Response:
        """Who has entered, newest first."""
        return paged(EntryShape, request, ENTRIES.filter(ladder=named_ladder(request.user, slug)))

    @extend_schema(request=EntryBody, responses={201: EntryShape})
    def post(self, request: Request, slug: str) -> Response:
        """Enter a bot of yours. One that was withdrawn may enter again."""
        ladder = named_ladder(request.user, slug)
        wanted = read_form(EntryBody, request.data)["bot"]
        entry = enter_in_ladder(ladder=ladder, bot=named_bot(request.user, wanted), by=api_user(request))
        address = reverse("api:entry", args=[slug, entry.pk])
        return Response(show(EntryShape, entry, request), 201, headers={"Location": address})


class OneEntry(View):
    @extend_schema(responses=EntryShape)
    def get(self, request: Request, slug: str, entry: int) -> Response:
        """One bot's place in the ladder."""
        return Response(
            show(EntryShape, find_row(entries_seen_by(request.user), entry, pk=entry, ladder__slug=slug), request)
        )

    @extend_schema(responses={200: EntryShape})
    def delete(self, request: Request, slug: str, entry: int) -> Response:
        """Withdraw a bot of yours: it is no longer paired; sets under way are finished."""
        found = find_row(entries_seen_by(request.user), entry, pk=entry, ladder__slug=slug)
        return Response(show(EntryShape, withdraw_bot(entry=found, by=api_user(request)), request))
