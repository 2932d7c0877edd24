"""The index, the OpenAPI document, its browsable form, and the 404 answer."""

import functools
from typing import Any

from django.http import Http404, HttpResponse, HttpResponsePermanentRedirect
from django.urls import resolve, reverse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiJsonRenderer2, OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.config.routes import load_all
from tournaments.core.errors import Refused
from tournaments.web.api.base import View
from tournaments.web.api.shapes.people import IndexShape


class Index(View):
    @extend_schema(responses=IndexShape)
    def get(self, request: Request) -> Response:
        """What is here, and who you are."""
        names = ("audit", "bots", "events", "ladders", "matches", "tokens", "schema", "docs")
        addresses = {name: request.build_absolute_uri(reverse(f"api:{name}")) for name in names}
        return Response({"user": request.user.get_username() or None, **addresses})


@functools.cache
def openapi_document() -> Any:
    load_all("tournaments.site.api_urls")
    return SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]


class Document(View):
    renderer_classes = (OpenApiJsonRenderer2, OpenApiJsonRenderer, OpenApiYamlRenderer)

    @extend_schema(exclude=True)
    def get(self, _request: Request) -> Response:
        return Response(openapi_document())


class Docs(SpectacularSwaggerSplitView):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    url_name = "api:schema"
    title = "Boardroom API"


class Elsewhere(View):
    """An address that is one slash away from a real one leads there; any other is unknown."""

    permission_classes = (AllowAny,)

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        path = request.path
        other = path.rstrip("/") if path.endswith("/") else f"{path}/"
        if not leads_somewhere(other):
            raise Refused("unknown_address", f"There is nothing at {path:.200}; {reverse('api:index')} tells what is.")
        query = request.META.get("QUERY_STRING", "")
        return HttpResponsePermanentRedirect(f"{other}?{query}" if query else other, preserve_request=True)

    post = patch = delete = get


def leads_somewhere(path: str) -> bool:
    try:
        return resolve(path).url_name != "elsewhere"
    except Http404:
        return False
