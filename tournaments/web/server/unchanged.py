"""An ETag for all that Django answers, and 304 for a client that has the same already (RFC 9110, section 13.1.2)."""

from collections.abc import Callable
from hashlib import blake2b

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

OF_A_BODY = ("Content-Type", "Content-Length", "Content-Encoding", "Content-Range")
Answer = Callable[[HttpRequest], HttpResponseBase]


def holds(if_none_match: str, etag: str) -> bool:
    """Whether one of the client's tags is this one. Proxies that compress make tags weak, so W/ makes no difference."""
    tags = {tag.strip().removeprefix("W/") for tag in if_none_match.split(",")}
    return "*" in tags or etag.removeprefix("W/") in tags


def not_sent_again(get_response: Answer) -> Answer:
    """Middleware, around all that serves files or pages."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = tagged(get_response(request))
        if request.method not in ("GET", "HEAD") or response.status_code not in (200, 206, 416):
            return response
        tags, etag = request.headers.get("If-None-Match", ""), response.get("ETag", "")
        if not etag or not holds(tags, etag):
            return response
        return _without_body(response)

    return respond


def tagged(response: HttpResponseBase) -> HttpResponseBase:
    """Return the response with a tag, if it has a body that may be kept. Pages of a person, whose forms have other
    tokens each time, have none."""
    if not isinstance(response, HttpResponse) or response.status_code != 200 or response.has_header("ETag"):
        return response
    control, kind = response.get("Cache-Control", ""), response.get("Content-Type", "")
    of_a_person = "private" in control and "html" in kind
    if response.content and not of_a_person and "no-store" not in control:
        response["ETag"] = f'W/"{blake2b(response.content, digest_size=12).hexdigest()}"'
    return response


def _without_body(response: HttpResponseBase) -> HttpResponseBase:
    """Return the response itself, for what it has open is closed with it."""
    if isinstance(response, StreamingHttpResponse):
        response.streaming_content = ()
    elif isinstance(response, HttpResponse):
        response.content = b""
    for name in OF_A_BODY:
        if name in response:
            del response[name]
    response.status_code = 304
    return response
