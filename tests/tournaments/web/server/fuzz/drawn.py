"""One odd request, as bytes, drawn from a source of chance."""

from random import Random

PATHS = (
    "/",
    "/live/",
    "/ladders/main/",
    "/ladders/none/",
    "/live/stream",
    "/live/ladders/main/stream",
    "/live/matches/1/stream",
    "/matches/1/",
    "/matches/1/events.jsonl",
    "/matches/1/card.png",
    "/sign-in/",
    "/upload/",
    "/healthz",
    "/readyz?exclude=workers",
    "/oembed/?url=x",
    "/static/boardroom/site.js",
    "/api/v1/",
    "/api/v1/matches?ladder=main",
    "/api/v1/ladders/main/ledger",
    "/api/v1/ladders/main/standings",
    "/api/v1/audit/log",
    "/api/v1/schema/",
    "/api/v1/tokens",
)
METHODS = ("GET",) * 6 + (
    "HEAD",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "get",
    "BREW",
    "G\x00T",
    "A" * 300,
)
NUMBERS = (
    "0",
    "1",
    "-1",
    "5",
    "4999999",
    "5242880",
    "99999999",
    "9" * 19,
    "9" * 40,
    "9" * 5000,
    "1e3",
    "0x10",
    "²",
    "٣",
    "",
)
VALUES = (
    *NUMBERS,
    "x",
    "*",
    'W/"x"',
    "bytes=0-",
    "bytes=-1",
    "bytes=9-1",
    "bytes=0-0,2-3",
    "bytes=²-",
    "chunked",
    "gzip",
)
NAMES = (
    "Range",
    "If-Range",
    "If-None-Match",
    "If-Match",
    "If-Modified-Since",
    "Last-Event-ID",
    "Accept",
    "Accept-Encoding",
    "Accept-Language",
    "Authorization",
    "Cookie",
    "Content-Type",
    "Content-Encoding",
    "Connection",
    "Upgrade",
    "Expect",
    "X-Forwarded-For",
    "X-Forwarded-Proto",
    "X-Request-ID",
    "X_Forwarded_For",
    "Origin",
    "Referer",
    "Traceparent",
    "Boardroom-Stream",
    "Host",
)
EVENTS = ("1-²", "²-1", "1-", "-1", "1-1-1", f"{'9' * 5000}-1", f"1-{'9' * 5000}", "\xff-\xfe", "1-1\x00", "９-９")
PREFIXES = ("bytes=", "Basic ", "Bearer ", "sessionid=", "multipart/form-data; boundary=", "q=", "")


def request(chance: Random) -> bytes:
    if chance.random() < 0.03:
        return chance.randbytes(chance.choice((1, 30, 3000)))
    method, body = chance.choice(METHODS), b""
    headers = [("Host", "127.0.0.1"), *(_header(chance) for _ in range(chance.randrange(6)))]
    if chance.random() < 0.3 or method == "POST":
        headers, body = _with_body(chance, headers)
    lines = [
        f"{method} {_path(chance)} HTTP/1.{chance.choice('1111109')}",
        *(f"{name}: {value}" for name, value in headers),
    ]
    return "\r\n".join(lines).encode("utf-8" if chance.random() < 0.5 else "latin-1", "replace") + b"\r\n\r\n" + body


def _path(chance: Random) -> str:
    path = chance.choice(PATHS)
    odd = chance.random()
    if odd < 0.1:
        path = path.replace("1", chance.choice(NUMBERS), 1)
    elif odd < 0.2:
        path += chance.choice(("%00", "%ff%fe", "/../..", "//", "?" + "a=1&" * 500, "?page=²", "?before=" + "9" * 5000))
    elif odd < 0.25:
        path = "/" + "".join(chance.choice("%/.\\a0?#;=&~é") for _ in range(chance.choice((5, 50, 4000))))
    return path


def _header(chance: Random) -> tuple[str, str]:
    if chance.random() < 0.3:
        return "Last-Event-ID", chance.choice(EVENTS)
    value = chance.choice(PREFIXES) + chance.choice(VALUES)
    if chance.random() < 0.1:
        value = "".join(chr(chance.randrange(32, 255)) for _ in range(chance.choice((10, 300, 9000))))
    name = chance.choice(NAMES) if chance.random() < 0.9 else "X-" + "a" * chance.choice((1, 100, 5000))
    return name, value


def _with_body(chance: Random, headers: list[tuple[str, str]]) -> tuple[list[tuple[str, str]], bytes]:
    """Add a body whose length is announced rightly, wrongly, twice, or in chunks that are none."""
    body = chance.randbytes(chance.choice((0, 1, 100, 70_000)))
    length = str(len(body)) if chance.random() < 0.5 else chance.choice(NUMBERS)
    if chance.random() < 0.2:
        return [*headers, ("Transfer-Encoding", "chunked")], b"%x\r\n" % chance.choice((1, 10**9, 16**20)) + body
    again = [("Content-Length", chance.choice(NUMBERS))] if chance.random() < 0.1 else []
    return [*headers, ("Content-Length", length), *again], body
