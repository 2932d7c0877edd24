"""Posting a notice to a webhook. A redirect counts as a refusal.

It ends after SECONDS at the latest, whatever the other side does: the socket is shut then, and the thread wakes.
"""

import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from http.client import HTTPConnection, HTTPException
from threading import Timer
from time import monotonic
from urllib.parse import SplitResult

from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.core.notices.outcome import DeliveryOutcome
from tournaments.core.notices.webhook_addresses import LOOKUP_SECONDS, check_webhook_address, port_of, resolve
from tournaments.core.notices.webhook_bodies import body_of
from tournaments.core.notices.webhook_signature import signature_headers
from tournaments.models import Notice, Webhook

SECONDS = 10.0  # for all of it: the name, the connection, the handshake, the answer
GONE = 410  # the receiver wants nothing any more


def post(webhook: Webhook, notice: Notice) -> DeliveryOutcome:
    body, end = body_of(webhook, notice), monotonic() + SECONDS
    headers = {"Content-Type": "application/json"}
    if webhook.receiver == Webhook.Receiver.PROGRAM:
        headers |= signature_headers(webhook.secret, f"notice_{notice.pk}", body)
    try:
        parts = check_webhook_address(webhook.url)
        sock = _connect(resolve(parts, min(SECONDS, LOOKUP_SECONDS)), port_of(parts), end)
    except Refused as refused:
        return DeliveryOutcome(refused.detail, final=True)
    except OSError as error:
        return DeliveryOutcome(Sentence("no connection: %(text)s", text=error))
    return _until(end, sock, parts, body, headers)


def _connect(addresses: Sequence[str], port: int, end: float) -> socket.socket:
    problem = OSError("the time was over before it was reached")
    for address in addresses:
        if (left := end - monotonic()) > 0:
            try:
                return socket.create_connection((address, port), timeout=left)
            except OSError as error:
                problem = error
    raise problem


def _until(
    end: float, sock: socket.socket, parts: SplitResult, body: bytes, headers: dict[str, str]
) -> DeliveryOutcome:
    if parts.scheme == "https":
        sock = _authorities().wrap_socket(sock, server_hostname=parts.hostname, do_handshake_on_connect=False)
    watch = Timer(max(0.0, end - monotonic()), _cut, [sock])
    watch.start()
    try:
        outcome = _exchange(sock, parts, body, headers)
    except (OSError, HTTPException) as error:
        outcome = DeliveryOutcome(Sentence("no answer: %(text)s", text=error))
    finally:
        watch.cancel()
        sock.close()
    return (
        outcome
        if monotonic() < end
        else DeliveryOutcome(Sentence("no answer within %(seconds)s s", seconds=f"{SECONDS:.0f}"))
    )


@cache
def _authorities() -> ssl.SSLContext:
    return ssl.create_default_context()


def _exchange(sock: socket.socket, parts: SplitResult, body: bytes, headers: dict[str, str]) -> DeliveryOutcome:
    if isinstance(sock, ssl.SSLSocket):
        sock.do_handshake()
    connection = HTTPConnection(parts.hostname or "", port_of(parts))
    connection.sock = sock
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection.request("POST", path, body, {"Host": parts.netloc, **headers})
    answer = connection.getresponse()
    with answer:
        went_well, says = 200 <= answer.status < 300, f"{answer.status} {answer.reason}"
    return DeliveryOutcome(says, arrived=went_well, final=answer.status == GONE)


def _cut(sock: socket.socket) -> None:
    """The waiting thread wakes with an error. Not TLS's own shutdown, which would talk to the other side."""
    with suppress(OSError):
        socket.socket.shutdown(sock, socket.SHUT_RDWR)
