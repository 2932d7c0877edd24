"""What all views of the API share: forms, lookups, pages and ETags."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, ClassVar, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpResponse, QueryDict
from django.utils.cache import patch_vary_headers
from drf_spectacular.utils import extend_schema
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import BaseParser
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.throttling import BaseThrottle
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

from tournaments.core.accounts.suspension import check_writes
from tournaments.core.errors import Refused
from tournaments.models import User
from tournaments.web.api import other_sites, rate_limit_headers
from tournaments.web.api.authentication import CookieAuthentication, SignedInToWrite, TokenAuthentication
from tournaments.web.api.inputs import EmptyBody, Form, PageQuery
from tournaments.web.api.parsers import Json
from tournaments.web.api.sparing_answers import spare_answer
from tournaments.web.api.throttles import Everyone

M = TypeVar("M", bound=Model)
V = TypeVar("V", bound="View")
FOR_EVER = "max-age=31536000, immutable"


class View(APIView):
    http_method_names = ["get", "head", "post", "patch", "delete"]
    authentication_classes: Sequence[type[BaseAuthentication]] = (TokenAuthentication, CookieAuthentication)
    permission_classes: Sequence[type[BasePermission]] = (SignedInToWrite,)
    throttle_classes: Sequence[type[BaseThrottle]] = (Everyone,)
    parser_classes: Sequence[type[BaseParser]] = (Json,)
    renderer_classes: Sequence[type[BaseRenderer]] = (JSONRenderer,)
    varies: ClassVar[Sequence[str]] = ()  # by which other headers its answers differ
    while_suspended: ClassVar[bool] = False  # whether an account that is suspended may write here

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method not in SAFE_METHODS and not self.while_suspended:
            check_writes(request.user)

    def handle_exception(self, exc: Exception) -> Response:
        """A refusal is JSON even where the view returns another type."""
        self.request.accepted_renderer, self.request.accepted_media_type = JSONRenderer(), "application/json"
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """The response may depend on the user, so caches must keep users apart."""
        final = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(final, ("Authorization", "Cookie", *self.varies))
        final.setdefault("Cache-Control", "no-store")
        rate_limit_headers.write_rate_limit_headers(request, final)
        other_sites.allow(request, final)
        return spare_answer(request, final)


def verb_view(view: type[V], name: str, about: str, body: type[Form], responses: object, **which: object) -> type[V]:
    """Return the view of one verb: it takes a POST of `body`, and `do` answers it, knowing `which` verb it is."""

    def post(self: Any, request: Request, **where: Any) -> HttpResponse:
        return self.do(request, **where)  # type: ignore[no-any-return]

    post.__doc__ = about
    documented = extend_schema(request=None if body is EmptyBody else body, responses=responses)
    return type(name, (view,), {"body": body, "post": documented(post), **which})


def api_user(request: Request) -> User:
    """The user, where the view's permission admits only people."""
    assert isinstance(request.user, User)
    return request.user


def read_form(form: type[Form], data: Any) -> dict[str, Any]:
    """Return what was sent, if it is right. An empty filter is refused, and not left out. Raises ValidationError."""
    sent = data.dict() if isinstance(data, QueryDict) else data
    filled = form(data=sent)
    if not isinstance(sent, dict):
        shown = f"{json.dumps(sent):.60}"
        raise ValidationError({"body": [f"The body must be a JSON object{filled.takes()}, not {shown}."]})
    if filled.is_valid():
        return dict(filled.validated_data)
    empty = not data and not isinstance(data, QueryDict)
    nothing = {"body": [f"No fields were sent; send a JSON object{filled.takes()}."]} if empty else {}
    raise ValidationError({**nothing, **filled.errors})


def find_row(rows: QuerySet[M], called: object, **by: object) -> M:
    """The one row; `called` is what the asker called it. Raises Refused(unknown_...)."""
    found = rows.filter(**by).first()
    if found is None:
        what = rows.model.__name__.removeprefix("Api").lower()
        raise Refused(f"unknown_{what}", f"There is no {what} {called}.")
    return found


def show(shape: type[BaseSerializer[Any]], row: object, request: Request) -> Any:
    return shape(row, context={"viewer": request.user}).data


def list_page(
    shape: type[BaseSerializer[Any]], rows: QuerySet[M], query: Mapping[str, Any], request: Request
) -> Response:
    """One page of `rows`, found by the last id of the one before: as quick at any depth, uncounted."""
    forward = "since" in query  # else the newest come first
    cursor = "since" if forward else "before"
    if cursor in query:
        rows = rows.filter(**{"pk__gt" if forward else "pk__lt": query[cursor]})
    size = query["page_size"]
    found = list(rows.order_by("pk" if forward else "-pk")[: size + 1])
    more = len(found) > size
    address = replace_query_param(request.build_absolute_uri(), cursor, found[size - 1].pk) if more else None
    results = shape(found[:size], many=True, context={"viewer": request.user}).data
    return Response({"results": results, "next": address})


def paged(shape: type[BaseSerializer[Any]], request: Request, rows: QuerySet[M]) -> Response:
    """A page of a list that takes no filters."""
    return list_page(shape, rows, read_form(PageQuery, request.query_params), request)


def sparing(response: HttpResponse, etag: str, caching: str) -> HttpResponse:
    """Return the response with its ETag; if the client has the same, it is not sent (`server.unchanged`)."""
    response["ETag"], response["Cache-Control"] = etag, caching
    return response


def unchanging(data: Any, caching: str) -> HttpResponse:
    """JSON under the hash of its text."""
    return unchanging_text(JSONRenderer().render(data), caching)


def unchanging_text(text: bytes, caching: str) -> HttpResponse:
    etag = f'W/"{sha256(text).hexdigest()[:32]}"'
    return sparing(HttpResponse(text, content_type="application/json"), etag, caching)
