"""The bytes of uploads, for match workers and for those who uploaded them."""

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from tournaments.api.authentication import (
    WORKER,
    CookieAuthentication,
    SignedInOrWorker,
    TokenAuthentication,
    WorkerAuthentication,
)
from tournaments.api.base import FOR_EVER, View, find, held, signed_in, sparing
from tournaments.api.media import Octets
from tournaments.errors import Refused
from tournaments.models import Bundle
from tournaments.ownership import run_by


class OneBundle(View):
    authentication_classes = (TokenAuthentication, WorkerAuthentication, CookieAuthentication)
    permission_classes = (SignedInOrWorker,)
    renderer_classes = (Octets,)

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, sha256: str) -> HttpResponse:
        """An upload, byte for byte."""
        bundle = find(Bundle.objects.defer("content"), sha256, pk=sha256)
        if request.auth != WORKER and not may_fetch(bundle, request):
            raise Refused("not_yours", f"Bundle {sha256} belongs to somebody else.")
        etag = f'"{sha256}"'
        content = b"" if held(request, etag) else bytes(bundle.content)
        response = HttpResponse(content, content_type="application/octet-stream")
        response["Content-Disposition"] = f'attachment; filename="{sha256}"'
        return sparing(request, response, etag, f"private, {FOR_EVER}")


def may_fetch(bundle: Bundle, request: Request) -> bool:
    person = signed_in(request)
    return person.is_staff or bundle.versions.filter(run_by(person, "bot__")).exists()
