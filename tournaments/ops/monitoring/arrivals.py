"""/arrivalz: how a request of `manage.py doctor --public` arrived here, for whoever knows the SECRET_KEY."""

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, HttpResponse, JsonResponse

from tournaments.web.server.request_rates import asker_address

PATH = "/arrivalz"
SALT, WORD = "boardroom.arrivals", "doctor"
FRESH = 60  # seconds for which a signature is good


def signature(key: str) -> str:
    return TimestampSigner(key=key, salt=SALT).sign(WORD)


def arrival_page(request: HttpRequest) -> HttpResponse:
    """Answer with what the proxies made of the request, and with the settings that have to fit them."""
    try:
        TimestampSigner(salt=SALT).unsign(request.headers.get("Authorization", ""), max_age=FRESH)
    except BadSignature:
        detail = "This is told to `manage.py doctor --public` with the SECRET_KEY of this site."
        return JsonResponse({"code": "not_signed", "detail": detail}, status=404)
    return JsonResponse(
        {
            "client": asker_address(request),
            "x_forwarded_for": request.headers.get("X-Forwarded-For", ""),
            "forwarded": request.headers.get("Forwarded", ""),
            "scheme": request.scheme,
            "host": request.headers.get("Host", ""),
            "protocol": request.META["SERVER_PROTOCOL"],
            "proxies": settings.PROXIES,
            "site_url": settings.SITE_URL,
            "debug": settings.DEBUG,
        }
    )
