"""The bytes of uploads, for match workers and for those who uploaded them."""

import re

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from tournaments.core.accounts.organisers import organises
from tournaments.core.accounts.permissions import run_by
from tournaments.core.accounts.spaces import organised_by
from tournaments.core.broker.worker_identity import plays_for, worker_of_token
from tournaments.core.errors import Refused
from tournaments.core.feature import questions
from tournaments.features.examinations import rules as examinations
from tournaments.features.practice import turns
from tournaments.ledger.dispatch import leases
from tournaments.models import Bundle, Examination, Match, Practice, SurveyAnswers
from tournaments.web.api.authentication import (
    WORKER,
    CookieAuthentication,
    SignedInOrWorker,
    TokenAuthentication,
    WorkerAuthentication,
    secret_after,
)
from tournaments.web.api.base import FOR_EVER, View, api_user, find_row, sparing
from tournaments.web.api.parsers import Octets
from tournaments.web.api.sparing_answers import client_holds
from workers.bundles import TICKET

TICKETS = re.compile(r"(match|practice|examination) (-?[0-9]{1,15}) ([0-9]{1,9}) ([0-9a-f]{64})")


class OneBundle(View):
    authentication_classes = (TokenAuthentication, WorkerAuthentication, CookieAuthentication)
    permission_classes = (SignedInOrWorker,)
    renderer_classes = (Octets,)

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, sha256: str) -> HttpResponse:
        """An upload, byte for byte."""
        bundle = find_row(Bundle.objects.defer("content").exclude(size=0), sha256, pk=sha256)
        if request.auth == WORKER:
            check_bundle_ticket(
                bundle, request.headers.get(TICKET, ""), worker_of_token(secret_after(request, WORKER) or "") or ""
            )
        elif not may_fetch(bundle, request):
            raise Refused("not_yours", f"Bundle {sha256} belongs to somebody else.")
        etag = f'"{sha256}"'
        content = b"" if client_holds(request, etag) else bytes(bundle.content)
        response = HttpResponse(content, content_type="application/octet-stream")
        response["Content-Disposition"] = f'attachment; filename="{sha256}"'
        return sparing(response, etag, f"private, {FOR_EVER}")


def check_bundle_ticket(bundle: Bundle, ticket: str, worker: str) -> None:
    """Raises Refused unless the ticket (`workers.bundles.ticket`) is of an order in hand that needs this bundle, and
    for which the worker plays."""
    found = TICKETS.fullmatch(ticket)
    what, number, turn, secret = (found[1], int(found[2]), int(found[3]), found[4]) if found else ("", 0, 0, "")
    needs = {"match": match_needs, "practice": practice_needs, "examination": examination_needs}
    if not found or not needs[what](number, turn, secret, bundle) or not plays_for(worker, order_space(what, number)):
        raise Refused("not_sent", f"A worker gets bundle {bundle.pk} with the order of a match in which it plays.")


def order_space(what: str, number: int) -> str:
    """The space of an order; "" is the site."""
    if what == "match":
        return Match.objects.values_list("set__space__slug", flat=True).get(pk=number) or ""
    if what == "examination":
        return Examination.objects.values_list("version__bot__space__slug", flat=True).get(pk=number) or ""
    if number < 0:
        return SurveyAnswers.objects.values_list("survey__ladder__space__slug", flat=True).get(pk=-number) or ""
    space = turns.space_of_practice(Practice.objects.select_related("ladder__space").get(pk=number))
    return space.slug if space else ""


def practice_needs(number: int, turn: int, secret: str, bundle: Bundle) -> bool:
    awaits = questions().awaits(-number, turn, bundle.pk) if number < 0 else turns.awaits_turn(number, turn, bundle.pk)
    return awaits and turns.knows_turn_secret(number, turn, secret)


def examination_needs(number: int, turn: int, secret: str, bundle: Bundle) -> bool:
    """Raises Refused if the turn is over."""
    if not examinations.knows_examination_secret(number, turn, secret):
        return False
    current = Examination.objects.filter(pk=number, turn=turn, status=Examination.Status.ASKED)
    if not current.exists():
        raise Refused("lease_over", f"Turn {turn} of examination {number} is over: nobody waits for it any more.")
    return current.filter(version__bundle=bundle).exists()


def match_needs(number: int, lease: int, secret: str, bundle: Bundle) -> bool:
    """Raises Refused if the lease is over: an order may lie in its queue for longer, and that is no worker's fault."""
    if not leases.knows_lease_secret(number, lease, secret):
        return False
    leased = Match.objects.filter(pk=number, lease=lease, status=Match.Status.LEASED)
    if not leased.exists():
        raise Refused("lease_over", f"Lease {lease} of match {number} is over: nobody waits for it any more.")
    return leased.filter(seats__version__bundle=bundle, seats__withdrawn=False).exists()


def may_fetch(bundle: Bundle, request: Request) -> bool:
    person = api_user(request)
    seen = run_by(person, "bot__") | organised_by(person, "bot__space")
    return organises(person) or bundle.versions.filter(seen).exists()
