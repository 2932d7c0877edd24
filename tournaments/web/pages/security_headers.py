"""Security headers of every answer, and bodies that no view reads."""

from collections.abc import Callable, Mapping, Sequence

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from tournaments.core.errors import PROBLEM, problem
from tournaments.ledger.competitors.upload_sizes import largest_upload
from tournaments.web.pages.query_values import whole
from tournaments.web.server.body_lengths import UPLOADS, budget_of

Answer = Callable[[HttpRequest], HttpResponse]


def policy_header(rules: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{directive} {' '.join(sources)}" for directive, sources in rules.items())


# The API's reader and Django's admin are other people's pages: they style in place and carry pictures as data.
LOOSER = {"style-src": ["'self'", "'unsafe-inline'"], "img-src": ["'self'", "data:"]}


def security_headers(get_response: Answer) -> Answer:
    """Middleware: a Content-Security-Policy from `SECURE_CSP`, and no use of the visitor's devices."""
    strict, looser = policy_header(settings.SECURE_CSP), policy_header({**settings.SECURE_CSP, **LOOSER})

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        foreign = request.path.startswith(("/api/v1/docs/", "/admin/"))
        response.headers.setdefault("Content-Security-Policy", looser if foreign else strict)
        response.headers.setdefault(
            "Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        )
        return response

    return respond


def largest_body(get_response: Answer) -> Answer:
    """Middleware: a body larger than any we take is refused by its announced length, before anything reads it.

    Django limits what is not a file, and reads no further than Content-Length: with this the limit holds for all.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        most = budget_of(request.path)
        length = whole(request.headers.get("Content-Length") or "0")
        if length is not None and length <= most.most:
            return get_response(request)
        if request.path.startswith("/api/"):
            detail = f"The request is too large: at most {most.most:,} bytes are taken here."
            return JsonResponse(problem("too_large", detail, 413), status=413, content_type=PROBLEM)
        context = {"bundle": largest_upload() << 20 if most is UPLOADS else 0, "most": most.most}
        return render(request, "413.html", context, status=413)

    return respond
