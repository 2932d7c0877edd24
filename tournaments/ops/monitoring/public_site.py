"""The running site, asked from outside through its proxy: what `manage.py doctor --public` finds, by setting."""

import json
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from email.utils import parseaddr
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import get_connection

from tournaments.ops.monitoring.arrivals import PATH, signature
from tournaments.ops.monitoring.findings import Finding
from tournaments.web.live.subscribers import ALIVE
from tournaments.web.server.client_address import nodes_of

PATIENCE, SILENCE = 10.0, 20.0  # seconds for an answer; in which a stream says that it is alive
WATCHED = 80.0  # seconds for a stream: proxies like to cut after a minute, some only at the next sign of life
MARK = "192.0.2.77"  # an address of nobody (RFC 5737), which a client might invent
OTHER_HOST = "other.invalid"
KEY_LENGTH, KEY_LETTERS = 32, 10
EXAMPLES = re.compile(r"insecure|change.?me|example|secret.?key", re.IGNORECASE)
CONFIGURATION = "docs/serve.md has a configuration that does."
Check = Callable[[], Finding]


@dataclass(frozen=True, slots=True)
class PublicSite:
    """The site at an address. `key`: its SECRET_KEY, `token`: its METRICS_TOKEN."""

    address: str
    key: str
    token: str = ""
    http_port: int = 80

    def findings(self, environment: Mapping[str, str]) -> Iterator[Finding]:
        yield self.encryption()
        yield strength(self.key)
        for name in ("DATABASE_URL", "REDIS_URL"):
            is_set = bool(environment.get(name))
            detail = "a server of its own" if is_set else "the built-in one, which is for a trial"
            yield Finding(name, is_set, detail, "" if is_set else "docs/serve.md, Seven settings", vital=False)
        yield finding_of("EMAIL_URL", mail)
        try:
            arrival = self.arrival()
        except (OSError, HTTPException, ValueError) as problem:
            yield Finding("site", works=False, detail=str(problem), remedy="Is SITE_URL the address, and the site up?")
            return
        yield from arrival_findings(arrival, self.address)
        checks: dict[str, Check] = {
            "other hosts": self.other_hosts,
            "uploads": self.uploads,
            "METRICS_TOKEN": self.metrics,
            "cookies": self.cookies,
            "http": self.redirect,
            "streams": self.streams,
        }
        yield from (finding_of(name, check) for name, check in checks.items())

    def encryption(self) -> Finding:
        if self.address.startswith("https://"):
            return Finding("SITE_URL", works=True, detail=self.address)
        detail = f"{self.address} is not https: passwords could be read on their way"
        return Finding("SITE_URL", works=False, detail=detail, remedy="Get a certificate, and write https://.")

    def arrival(self) -> dict[str, Any]:
        """Return how a request with an invented address arrives. Raises OSError, HTTPException, ValueError."""
        invented = {"X-Forwarded-For": MARK, "Forwarded": f"for={MARK}"}
        answer, body = self.ask(PATH, Authorization=signature(self.key), **invented)
        if answer.status in (502, 503, 504):
            raise ValueError(f"{self.address} answers {answer.status}: the site does not run, or is starting.")
        with suppress(ValueError):
            if answer.status == 200 and isinstance(seen := json.loads(body), dict):
                return seen
        raise ValueError(
            f"What answers at {self.address} is not this site, or has another SECRET_KEY (status {answer.status})."
        )

    def other_hosts(self) -> Finding:
        status = 0
        with suppress(ConnectionError, HTTPException):  # such as a connection closed without an answer
            status = self.ask("/", Host=OTHER_HOST)[0].status
        if not status or status >= 400:
            return Finding("other hosts", works=True, detail=f"refused ({status or 'no answer'})")
        return Finding(
            "other hosts",
            works=False,
            detail=f"a request for the host {OTHER_HOST} is answered with {status}",
            remedy="The proxy must hand on the Host of the request, and ALLOWED_HOSTS must not be *.",
        )

    def uploads(self) -> Finding:
        """Whether the largest bundle gets through, which the site itself refuses, for nobody has signed in."""
        size = settings.UPLOAD_BYTES
        with closing(self.connection(PATIENCE)) as line:
            with suppress(ConnectionError):  # a proxy may answer before it has read all
                line.request("POST", "/api/v1/bots/1/versions", bytes(size), {"Content-Type": "application/zip"})
            status = line.getresponse().status
        detail = f"a body of {size >> 20} MB is answered with {status}"
        works = status in (401, 403, 404)
        return Finding(
            "uploads", works, detail, "" if works else f"The proxy must take bodies of 21 MB. {CONFIGURATION}"
        )

    def streams(self) -> Finding:
        """Whether events come at once, and a stream stays, silent or not."""
        with closing(self.connection(PATIENCE)) as line:
            line.request("GET", "/live/stream", headers={"Accept": "text/event-stream"})
            wire: socket.socket = line.sock
            try:
                answer = line.getresponse()
                first = answer.read1()
            except TimeoutError:
                return bad_stream(f"nothing has come within {PATIENCE:.0f} s: the proxy gathers what it should pass on")
            if answer.status != 200 or not first:
                return bad_stream(f"the answer is {answer.status}, without an event")
            return watched_stream(answer, wire)

    def metrics(self) -> Finding:
        name, status = "METRICS_TOKEN", self.ask("/metrics")[0].status
        if status == 200:
            return Finding(name, works=False, detail="/metrics is open to everybody", remedy="Set METRICS_TOKEN.")
        if not self.token:
            detail = "not set: metrics are for the site's machine alone"
            return Finding(name, works=False, detail=detail, remedy="Set it, a long random text.", vital=False)
        status = self.ask("/metrics", Authorization=f"Bearer {self.token}")[0].status
        detail = "opens /metrics, and nothing else does" if status == 200 else f"/metrics answers {status} to it"
        remedy = "" if status == 200 else "Restart the site after a change; the proxy must hand on Authorization."
        return Finding(name, status == 200, detail, remedy)

    def cookies(self) -> Finding:
        cookies = self.ask("/sign-in/")[0].headers.get_all("Set-Cookie") or []
        open_ones = [cookie.partition("=")[0] for cookie in cookies if not is_secure(cookie)]
        if cookies and not open_ones:
            return Finding("cookies", works=True, detail="secure")
        detail = f"{open_ones[0]} is not secure" if open_ones else "the page for signing in sets none"
        return Finding(
            "cookies", works=False, detail=detail, remedy="SITE_URL must be https, and the proxy leave cookies alone."
        )

    def redirect(self) -> Finding:
        host = urlsplit(self.address).hostname or ""
        try:
            with closing(HTTPConnection(host, self.http_port, timeout=PATIENCE)) as line:
                line.request("GET", "/", headers={"Host": host})
                answer = line.getresponse()
        except OSError as problem:
            detail = f"nobody answers at port {self.http_port}: {problem.strerror or problem}"
            return Finding("http", works=False, detail=detail, remedy="Send people on to https.", vital=False)
        if answer.status in (301, 302, 307, 308) and answer.headers.get("Location", "").startswith("https://"):
            return Finding("http", works=True, detail="leads to https")
        detail = f"http is answered with {answer.status}, not with the way to https"
        return Finding("http", works=False, detail=detail, remedy=CONFIGURATION)

    def ask(self, path: str, **headers: str) -> tuple[HTTPResponse, bytes]:
        with closing(self.connection(PATIENCE)) as line:
            line.request("GET", path, headers=headers)
            answer = line.getresponse()
            return answer, answer.read(1 << 20)

    def connection(self, patience: float) -> HTTPConnection:
        parts = urlsplit(self.address)
        host = parts.hostname or ""
        if parts.scheme == "https":
            return HTTPSConnection(host, parts.port, timeout=patience, context=ssl.create_default_context())
        return HTTPConnection(host, parts.port, timeout=patience)


def finding_of(name: str, check: Check) -> Finding:
    """Return what a check finds, or how it failed."""
    try:
        return check()
    except (OSError, HTTPException) as problem:
        return Finding(name, works=False, detail=f"{type(problem).__name__}: {problem}")


def strength(key: str) -> Finding:
    if not key:
        remedy = "Give this command the environment of the site, or its --data."
        return Finding("SECRET_KEY", works=False, detail="not set", remedy=remedy)
    if len(key) < KEY_LENGTH or len(set(key)) < KEY_LETTERS or EXAMPLES.search(key):
        remedy = "openssl rand -hex 32 makes one. Everybody has to sign in again."
        return Finding("SECRET_KEY", works=False, detail="can be guessed", remedy=remedy)
    return Finding("SECRET_KEY", works=True, detail="long and random")


def mail() -> Finding:
    """Whether the mail server takes a letter of ours: it is asked, and none is sent."""
    if not settings.CAN_MAIL:
        detail = "not set: no e-mail, and whoever has lost a password asks an organiser"
        return Finding("EMAIL_URL", works=False, detail=detail, remedy="docs/serve.md, Seven settings", vital=False)
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    server: Any = get_connection()
    server.open()  # with the password
    try:
        code, text = server.connection.mail(sender)
    finally:
        server.close()
    if code == 250:
        return Finding("EMAIL_URL", works=True, detail=f"takes letters of {sender}")
    detail = f"the server refuses letters of {sender}: {text.decode(errors='replace')}"
    return Finding("EMAIL_URL", works=False, detail=detail, remedy="Set EMAIL_FROM.")


def arrival_findings(arrival: Mapping[str, Any], address: str) -> Iterator[Finding]:
    """Yield what the proxies made of a request."""
    if arrival["site_url"] != address:
        detail = f"the running site has {arrival['site_url']}, and this command {address}"
        yield Finding("SITE_URL", works=False, detail=detail, remedy="Restart the site after a change.")
    if arrival["debug"]:
        yield Finding("DEBUG", works=False, detail="shows errors to everybody", remedy="Unset it.")
    yield proxies(arrival)
    parts, host = urlsplit(address), arrival["host"]
    kept = host.partition(":")[0] == parts.netloc.partition(":")[0]
    detail = "of the request is kept" if kept else f"arrives as {host}"
    yield Finding("Host", kept, detail, "" if kept else f"The proxy must hand it on. {CONFIGURATION}")
    same = arrival["scheme"] == parts.scheme
    detail = f"says {arrival['scheme']}" if same else f"says {arrival['scheme']} where people use {parts.scheme}"
    yield Finding("X-Forwarded-Proto", same, detail, "" if same else f"The proxy must set it. {CONFIGURATION}")
    modern = arrival["protocol"] not in ("HTTP/1", "HTTP/1.0")
    detail = "HTTP/1.1 or newer" if modern else "HTTP/1.0 between the proxy and the site"
    remedy = "" if modern else "proxy_http_version 1.1; streams and connections that stay need it."
    yield Finding("proxy's version", modern, detail, remedy)


def proxies(arrival: Mapping[str, Any]) -> Finding:
    """Whether PROXIES is the number of addresses that ours have added to those that the client invented."""
    listed = [node.strip() for node in arrival["x_forwarded_for"].split(",") if node.strip()]
    elements = nodes_of(arrival["forwarded"], 100)
    added = max(len(behind_mark(listed)), len(behind_mark(elements)))
    count, client = arrival["proxies"], arrival["client"]
    if not added:
        detail, remedy = "the proxy adds no address of the client", "It must set X-Forwarded-For."
    elif added != count:
        detail = f"{added} come with a request, and PROXIES is {count}: the site takes {client} for the client"
        remedy = f"PROXIES={added} if all of them are addresses that your proxies have added; else mend the proxy."
    elif client.startswith("behind "):
        detail, remedy = "the proxy hands on a Forwarded header as clients wrote it", "It must remove that."
    else:
        return Finding("PROXIES", works=True, detail=f"{count}; the site sees you as {client}")
    return Finding("PROXIES", works=False, detail=detail, remedy=f"{remedy} {CONFIGURATION}")


def behind_mark(nodes: list[str]) -> list[str]:
    """Return the addresses that follow the invented one."""
    return nodes[nodes.index(MARK) + 1 :] if MARK in nodes else nodes


def is_secure(cookie: str) -> bool:
    attributes = {part.strip().lower() for part in cookie.split(";")[1:]}
    return "secure" in attributes and cookie.startswith("__Host-")


def watched_stream(answer: HTTPResponse, wire: socket.socket) -> Finding:
    """Whether a stream that has begun stays. That viewers ask again after a cut is a comfort, so it is not vital."""
    began, left, chunk, alive = time.monotonic(), WATCHED, b".", False
    try:
        while chunk and left > 0:
            wire.settimeout(min(SILENCE, left))
            chunk = answer.read1()
            alive |= ALIVE in chunk
            left = began + WATCHED - time.monotonic()
    except TimeoutError:
        if left > SILENCE:
            return bad_stream(f"nothing more has come within {SILENCE:.0f} s")
        left = 0.0
    except (OSError, HTTPException):
        """It was cut."""
    if left <= 0:
        return Finding("streams", works=True, detail=f"arrive at once, and stay: watched for {WATCHED:.0f} s")
    cut = f"it was cut after {time.monotonic() - began:.0f} s"
    if not alive:
        return bad_stream(cut)
    remedy = "Browsers ask again after two seconds. Better let whatever is below /live/ last."
    return Finding("streams", works=False, detail=f"{cut}, silent or not", remedy=remedy, vital=False)


def bad_stream(detail: str) -> Finding:
    remedy = f"The proxy must not gather /live/, and wait at least 30 s between two bytes. {CONFIGURATION}"
    return Finding("streams", works=False, detail=detail, remedy=remedy)
