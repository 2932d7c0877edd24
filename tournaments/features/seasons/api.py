"""Past seasons, each as one file."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.accounts.spaces import spaces_open_to
from tournaments.features.events.api import requested_event
from tournaments.features.seasons.archive import archived, with_winners
from tournaments.features.seasons.season_file import event_season, ladder_season
from tournaments.ledger.dumps.streamed_zip import Files, zipped
from tournaments.models import Bot, PastSeason
from tournaments.web.api.base import View, find_row, list_page, read_form
from tournaments.web.api.inputs import ArchiveQuery, SeasonQuery
from tournaments.web.api.named import named_ladder
from tournaments.web.api.openapi import list_shape
from tournaments.web.api.parsers import Octets


class WinnerShape(serializers.Serializer[Bot]):
    bot = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class PastSeasonShape(serializers.Serializer[PastSeason]):
    id = serializers.IntegerField()
    kind = serializers.SerializerMethodField()
    slug = serializers.SerializerMethodField()
    title = serializers.SerializerMethodField()
    ended_at = serializers.DateTimeField()
    entrants = serializers.IntegerField(help_text="Bots in the final table.")
    sets = serializers.IntegerField()
    winners = serializers.SerializerMethodField()
    fingerprint = serializers.CharField(help_text="Of its file; empty where it ended before there were any.")
    act = serializers.IntegerField(source="act.number", default=None, allow_null=True, help_text="The entry with it.")

    def get_kind(self, past: PastSeason) -> str:
        """`ladder` or `event`: its file is at `/api/v1/{kind}s/{slug}/season`."""
        return "event" if past.event else "ladder"

    def get_slug(self, past: PastSeason) -> str:
        """Of the ladder or the event."""
        return str(getattr(past.event or past.ladder, "slug", ""))

    def get_title(self, past: PastSeason) -> str:
        return str(past.event or past.ladder)

    @extend_schema_field(WinnerShape(many=True))
    def get_winners(self, past: PastSeason) -> list[dict[str, object]]:
        """Who shares the first place, by their names of today."""
        [found] = with_winners([past])
        return [{"bot": bot.pk, "name": bot.name} for bot in found.winners]


class Seasons(View):
    @extend_schema(parameters=[ArchiveQuery], responses=list_shape(PastSeasonShape))
    def get(self, request: Request) -> Response:
        """The archive: ladders that are closed and events that are over, the newest first."""
        query = read_form(ArchiveQuery, request.query_params)
        space = (
            find_row(spaces_open_to(request.user), query["space"], slug=query["space"]) if "space" in query else None
        )
        return list_page(PastSeasonShape, archived(request.user, space), query, request)


SENT = {(200, "application/octet-stream"): OpenApiTypes.BINARY}


class LadderSeason(View):
    renderer_classes = (Octets,)

    @extend_schema(parameters=[SeasonQuery], responses=SENT)
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        """The season of a closed ladder as one zip file: `python3 -m tournaments.ratings` makes its table again."""
        ladder, query = named_ladder(request.user, slug), read_form(SeasonQuery, request.query_params)
        return season_download(slug, ladder_season(ladder, replays=query["replays"]))


class EventSeason(View):
    renderer_classes = (Octets,)

    @extend_schema(parameters=[SeasonQuery], responses=SENT)
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        """An event that is over as one zip file: `python3 -m tournaments.ratings` makes its places again."""
        event, query = requested_event(request, slug), read_form(SeasonQuery, request.query_params)
        return season_download(slug, event_season(event, replays=query["replays"]))


def season_download(slug: str, files: Files) -> StreamingHttpResponse:
    name = {"Content-Disposition": f'attachment; filename="{slug}-season.zip"'}
    return StreamingHttpResponse(zipped(files), content_type="application/octet-stream", headers=name)
