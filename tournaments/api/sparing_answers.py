"""JSON answers that save bandwidth: compressed for clients that accept it, 304 for those that have the same already."""

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
from django.utils.http import parse_etags
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.authentication import CookieAuthentication

COMPRESS_FROM = 1000  # bytes
# The first of these that the client accepts. At this quality Brotli takes as much time as gzip, and makes less of it.
CODINGS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "br": partial(brotli.compress, quality=4),
    "gzip": partial(compress, compresslevel=6, mtime=0),
}


def spare(request: Request, response: HttpResponseBase) -> HttpResponseBase:
    """The answer, as short as it can be. What is not rendered yet is looked at when it is."""
    if request.method != "GET" or response.status_code != 200 or not isinstance(response, HttpResponse):
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
    if held(request, response["ETag"]):
        return _unchanged(response)
    patch_vary_headers(response, ("Accept-Encoding",))
    if len(response.content) >= COMPRESS_FROM and (coding := _coding_for(request)):
        response.content = CODINGS[coding](response.content)
        response["Content-Encoding"] = coding
    return response


def _unchanged(response: HttpResponse) -> HttpResponse:
    short = HttpResponse(status=304)
    del short["Content-Type"]
    for name, value in response.items():
        if name not in ("Content-Type", "Content-Length"):
            short[name] = value
    return short


def _coding_for(request: Request) -> str:
    """To who is signed in by a cookie nothing is: another site could have their browser ask, and learn by the lengths
    what an answer to them holds (BREACH, CVE-2013-3587). A program with a token asks for nobody else."""
    by_cookie = isinstance(request.successful_authenticator, CookieAuthentication)
    accepted = request.headers.get("Accept-Encoding", "")
    return "" if by_cookie else next((coding for coding in CODINGS if accepts(coding, accepted)), "")


def held(request: Request, etag: str) -> bool:
    """Whether the client says that it has this already."""
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return "*" in known or etag.removeprefix("W/") in {tag.removeprefix("W/") for tag in known}


def accepts(coding: str, header: str) -> bool:
    """Whether Accept-Encoding names this coding, or anything, without forbidding it by q=0."""
    weights = {}
    for choice in header.lower().split(","):
        name, _, rest = choice.strip().partition(";")
        weights[name.strip()] = not re.fullmatch(r"\s*q=0(\.0*)?\s*", rest)
    return weights.get(coding, weights.get("*", False))
