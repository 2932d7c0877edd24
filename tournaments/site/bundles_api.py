"""The bytes of uploads, for match workers and for those who uploaded them."""

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from tournaments.core.accounts.organisers import organises
from tournaments.core.accounts.permissions import run_by
from tournaments.core.accounts.spaces import organised_by
from tournaments.core.errors import Refused
from tournaments.features.worker_door.bundles_api import check_ticket
from tournaments.models import Bundle
from tournaments.web.api.authentication import (
    WORKER,
    CookieAuthentication,
    SignedInOrWorker,
    TokenAuthentication,
    WorkerAuthentication,
)
from tournaments.web.api.base import FOR_EVER, View, api_user, find_row, sparing
from tournaments.web.api.parsers import Octets
from tournaments.web.api.sparing_answers import client_holds
from workers.bundles import TICKET


class OneBundle(View):
    authentication_classes = (TokenAuthentication, WorkerAuthentication, CookieAuthentication)
    permission_classes = (SignedInOrWorker,)
    renderer_classes = (Octets,)

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, sha256: str) -> HttpResponse:
        """An upload, byte for byte."""
        bundle = find_row(Bundle.objects.defer("content").exclude(size=0), sha256, pk=sha256)
        if request.auth == WORKER:
            check_ticket(request.headers.get(TICKET, ""), sha256)
        elif not may_fetch(bundle, request):
            raise Refused("not_yours", f"Bundle {sha256} belongs to somebody else.")
        etag = f'"{sha256}"'
        content = b"" if client_holds(request, etag) else bytes(bundle.content)
        response = HttpResponse(content, content_type="application/octet-stream")
        response["Content-Disposition"] = f'attachment; filename="{sha256}"'
        return sparing(response, etag, f"private, {FOR_EVER}")


def may_fetch(bundle: Bundle, request: Request) -> bool:
    person = api_user(request)
    seen = run_by(person, "bot__") | organised_by(person, "bot__space")
    return organises(person) or bundle.versions.filter(seen).exists()
