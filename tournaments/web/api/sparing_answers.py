"""JSON answers that save bandwidth: with an ETag, and compressed for clients that accept it."""

import re
from collections.abc import Callable
from functools import partial
from gzip import compress
from hashlib import sha256
from typing import Final

import brotli
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.web.api.authentication import CookieAuthentication
from tournaments.web.server.unchanged import holds

COMPRESS_FROM = 1000  # bytes
# The first of these that the client accepts. At this quality Brotli takes as much time as gzip, and makes less of it.
CODINGS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "br": partial(brotli.compress, quality=4),
    "gzip": partial(compress, compresslevel=6, mtime=0),
}


def spare_answer(request: Request, response: HttpResponseBase) -> HttpResponseBase:
    """The answer, as short as it can be. What is not rendered yet is looked at when it is."""
    if request.method not in ("GET", "HEAD") or response.status_code != 200 or not isinstance(response, HttpResponse):
        return response
    if isinstance(response, Response):
        response.add_post_render_callback(lambda made: _shorter(request, made))
        return response
    return _shorter(request, response)


def _shorter(request: Request, response: HttpResponse) -> HttpResponse:
    if "json" not in response["Content-Type"] or response.has_header("Content-Encoding"):
        return response
    if not response.has_header("ETag"):
        response["ETag"] = f'W/"{sha256(response.content).hexdigest()[:32]}"'
    patch_vary_headers(response, ("Accept-Encoding",))
    short = len(response.content) < COMPRESS_FROM or client_holds(request, response["ETag"])
    if not short and (coding := _coding_for(request)):
        response.content = CODINGS[coding](response.content)
        response["Content-Encoding"] = coding
    return response


def _coding_for(request: Request) -> str:
    """Return the coding that the client accepts; empty for none, and for who is signed in by a cookie.
    Another site could have their browser ask, and learn by the lengths what an answer to them holds (BREACH,
    CVE-2013-3587). A program with a token asks for nobody else."""
    by_cookie = isinstance(request.successful_authenticator, CookieAuthentication)
    accepted = request.headers.get("Accept-Encoding", "")
    return "" if by_cookie else next((coding for coding in CODINGS if accepts(coding, accepted)), "")


def client_holds(request: Request, etag: str) -> bool:
    """Whether the client says that it has this already, so that it need not be made."""
    return holds(request.headers.get("If-None-Match", ""), etag)


def accepts(coding: str, header: str) -> bool:
    """Whether Accept-Encoding names this coding, or anything, without forbidding it by q=0."""
    weights = {}
    for choice in header.lower().split(","):
        name, _, rest = choice.strip().partition(";")
        weights[name.strip()] = not re.fullmatch(r"\s*q=0(\.0*)?\s*", rest)
    return weights.get(coding, weights.get("*", False))
