"""Posting a notice to somebody's webhook, signed as standardwebhooks.com describes.

The address is a stranger's choice, so it may lead nowhere inside: its name is looked up once, all that it leads to must
be public, and the connection goes to exactly one of these addresses. A redirect is an answer like any other refusal.
"""

import base64
import hmac
import json
import secrets
import socket
import ssl
import time
from contextlib import suppress
from hashlib import sha256
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import ip_address, ip_network
from threading import Timer
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from tournaments.errors import Refused
from tournaments.models import Notice, User, Webhook
from tournaments.notices.outcome import Outcome

MOST = 5  # webhooks of one person
SECONDS = 10.0  # for the whole exchange, however slowly the other side answers
GONE = 410  # nobody wants anything there any more
PREFIX = "whsec_"  # as the standard spells a secret
TUNNELS = [ip_network(net) for net in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")]  # lead elsewhere


def add(*, user: User, url: str, kinds: list[str]) -> Webhook:
    """Raises Refused: bad_address, too_many_webhooks, unknown_kind."""
    check(url)
    if user.webhooks.count() >= MOST:
        raise Refused("too_many_webhooks", f"you have {MOST} webhooks, which is as many as one may have; remove one")
    if wrong := set(kinds) - set(Notice.Kind.values):
        known = ", ".join(Notice.Kind.values)
        raise Refused("unknown_kind", f"{min(wrong)!r:.20} is no kind of notice; there are {known}")
    secret = PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()
    return Webhook.objects.create(user=user, url=url, kinds=sorted(kinds), secret=secret)


def check(url: str) -> SplitResult:
    """Raises Refused (bad_address) with what would be right."""
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        port = 0
    inside = settings.WEBHOOKS_INSIDE
    if parts.scheme not in (("https", "http") if inside else ("https",)) or not parts.hostname or port == 0:
        raise Refused("bad_address", f"{url!r:.80} is no address such as https://example.org/hook")
    if parts.username or parts.password:
        raise Refused("bad_address", "leave names and passwords out of the address; requests are signed instead")
    if not inside and port not in (None, 443) and (port or 0) < 1024:
        raise Refused("bad_address", f"port {port} is not for webhooks; use 443, or one from 1024 on")
    return parts


def post(webhook: Webhook, notice: Notice) -> Outcome:
    body = body_of(notice)
    headers = {"Content-Type": "application/json", **signed(webhook.secret, f"notice_{notice.pk}", body)}
    try:
        parts = check(webhook.url)
        connection = _connect(parts, resolve(parts))
    except Refused as refused:
        return Outcome(refused.detail, final=True)
    except OSError as error:
        return Outcome(f"no connection: {error}")
    return _exchange(connection, parts, body, headers)


def body_of(notice: Notice) -> bytes:
    """`{"type", "timestamp", "data": {"text", "url", ...}}`."""
    data = {"text": notice.text, "url": f"{settings.SITE_URL}{notice.path}", **notice.detail}
    told = {"type": f"boardroom.{notice.kind}", "timestamp": notice.at.isoformat(), "data": data}
    return json.dumps(told, separators=(",", ":")).encode()


def signed(secret: str, name: str, body: bytes, now: float | None = None) -> dict[str, str]:
    """The headers that prove a body ours: HMAC-SHA256 of `id.timestamp.body` with the secret's bytes as the key."""
    stamp = str(int(time.time() if now is None else now))
    key = base64.b64decode(secret.removeprefix(PREFIX))
    mac = hmac.new(key, b".".join([name.encode(), stamp.encode(), body]), sha256).digest()
    return {
        "webhook-id": name,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{base64.b64encode(mac).decode()}",
    }


def resolve(parts: SplitResult) -> str:
    """The one address to go to. Raises Refused (bad_address) if any that the name has is not public, and OSError."""
    found = {str(info[4][0]) for info in socket.getaddrinfo(parts.hostname, _port(parts), type=socket.SOCK_STREAM)}
    for address in found:
        if not settings.WEBHOOKS_INSIDE and not is_public(address):
            raise Refused("bad_address", f"{parts.hostname} leads to {address}, which is no public address")
    return min(found)


def is_public(address: str) -> bool:
    at = ip_address(address.partition("%")[0])
    at = getattr(at, "ipv4_mapped", None) or at
    return at.is_global and not at.is_multicast and not any(at in net for net in TUNNELS if net.version == at.version)


def _port(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)


def _connect(parts: SplitResult, address: str) -> HTTPConnection:
    host = parts.hostname or ""
    raw = socket.create_connection((address, _port(parts)), timeout=SECONDS / 2)
    if parts.scheme == "http":
        plain = HTTPConnection(host, _port(parts))
        plain.sock = raw
        return plain
    context = ssl.create_default_context()
    secure = HTTPSConnection(host, _port(parts), context=context)
    secure.sock = context.wrap_socket(raw, server_hostname=host)
    return secure


def _exchange(connection: HTTPConnection, parts: SplitResult, body: bytes, headers: dict[str, str]) -> Outcome:
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    watch = Timer(SECONDS, _cut, [connection.sock])
    watch.start()
    try:
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        went_well, says = 200 <= answer.status < 300, f"{answer.status} {answer.reason}"
        return Outcome(says, arrived=went_well, final=answer.status == GONE)
    except (OSError, HTTPException) as error:
        return Outcome(f"no answer: {error}")
    finally:
        watch.cancel()
        connection.close()


def _cut(sock: socket.socket) -> None:
    """Whoever waits for it wakes with an error."""
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
