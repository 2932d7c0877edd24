"""Scripts of other sites may read what is public: without cookie or token, and only by GET.

There is no preflight, so a browser sends neither a token nor another method from another site; and where a session's
cookie or a token came with the request, its answer is not for others.
"""

from django.conf import settings
from django.http import HttpResponseBase
from rest_framework.request import Request

TOLD = "ETag, RateLimit, RateLimit-Policy, Retry-After, Content-Disposition, Content-Range"


def allow(request: Request, response: HttpResponseBase) -> None:
    known = "Authorization" in request.headers or settings.SESSION_COOKIE_NAME in request.COOKIES
    if request.method in ("GET", "HEAD") and not known:
        response["Access-Control-Allow-Origin"] = "*"
        response["Access-Control-Expose-Headers"] = TOLD
