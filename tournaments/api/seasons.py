"""Past seasons, each as one file."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from tournaments.api.base import View, read
from tournaments.api.events import event_of
from tournaments.api.inputs import SeasonQuery
from tournaments.api.named import ladder_of
from tournaments.api.parsers import Octets
from tournaments.dumps.season import event_season, ladder_season
from tournaments.own_data.streamed_zip import Files, zipped

SENT = {(200, "application/octet-stream"): OpenApiTypes.BINARY}


class LadderSeason(View):
    renderer_classes = (Octets,)

    @extend_schema(parameters=[SeasonQuery], responses=SENT)
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        """The season of a closed ladder as one zip file: `python3 -m tournaments.ratings` makes its table again."""
        ladder, query = ladder_of(request.user, slug), read(SeasonQuery, request.query_params)
        return sent(slug, ladder_season(ladder, replays=query["replays"]))


class EventSeason(View):
    renderer_classes = (Octets,)

    @extend_schema(parameters=[SeasonQuery], responses=SENT)
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        """An event that is over as one zip file: `python3 -m tournaments.ratings` makes its places again."""
        event, query = event_of(request, slug), read(SeasonQuery, request.query_params)
        return sent(slug, event_season(event, replays=query["replays"]))


def sent(slug: str, files: Files) -> StreamingHttpResponse:
    name = {"Content-Disposition": f'attachment; filename="{slug}-season.zip"'}
    return StreamingHttpResponse(zipped(files), content_type="application/octet-stream", headers=name)
