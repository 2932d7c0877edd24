"""Range requests for files (RFC 9110, section 14): one range of bytes, to resume a download."""

import re
from collections.abc import Iterator
from pathlib import Path

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

PIECE = 256 << 10  # bytes read at once
RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


class NotThere(Exception):
    """No byte of the file lies in the range."""


def wanted_range(header: str, size: int) -> tuple[int, int] | None:
    """The first byte and the last; None for the whole file, as several ranges get too. Raises NotThere."""
    found = RANGE.fullmatch(header.replace(" ", ""))
    if found is None or found[1] == found[2] == "":
        return None
    if found[1] == "":  # so many from the end
        first, last = max(0, size - int(found[2])), size - 1
        empty = int(found[2]) == 0 or size == 0
    else:
        first, last = int(found[1]), min(int(found[2] or size - 1), size - 1)
        empty = first >= size
        if found[2] and int(found[2]) < int(found[1]):
            return None
    if empty:
        raise NotThere
    return first, last


def served(request: HttpRequest, path: Path, etag: str, kind: str) -> HttpResponseBase:
    """The file, or a part of it. Raises FileNotFoundError."""
    size = path.stat().st_size
    if_range = request.headers.get("If-Range", etag)
    try:
        part = wanted_range(request.headers.get("Range", ""), size) if if_range == etag else None
    except NotThere:
        return _with(HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"}), etag)
    first, last = part or (0, size - 1)
    response = _body(request, path, first, last + 1 - first)
    response["Content-Type"], response["Content-Length"] = kind, str(last + 1 - first)
    if part:
        response.status_code, response["Content-Range"] = 206, f"bytes {first}-{last}/{size}"
    return _with(response, etag)


def _with(response: HttpResponseBase, etag: str) -> HttpResponseBase:
    response["ETag"], response["Accept-Ranges"], response["Cache-Control"] = etag, "bytes", "public, no-cache"
    return response


def _body(request: HttpRequest, path: Path, first: int, length: int) -> HttpResponseBase:
    if request.method == "HEAD":
        return HttpResponse()
    return StreamingHttpResponse(_pieces(path, first, length))


def _pieces(path: Path, first: int, length: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(first)
        while piece := file.read(min(PIECE, length)):
            length -= len(piece)
            yield piece
