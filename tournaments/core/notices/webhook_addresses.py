"""Checks of webhook addresses against server-side request forgery: they must not lead inside our network.

A malformed address is refused when it is typed. The rest is checked on use: its name is resolved once, all addresses
must be public, and the connection goes to exactly these addresses, so that a name which resolves differently a moment
later (DNS rebinding) changes nothing.
"""

import re
import socket
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from threading import BoundedSemaphore
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.core.notices.daemon_threads import run_in_daemon_thread

CHARACTERS = re.compile(r"[!-~]{1,300}")
LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
NAME = re.compile(rf"(?=.{{1,254}}\Z){LABEL}(?:\.{LABEL})*\.?", re.IGNORECASE)
LOOKUP_SECONDS = 5.0
LOOKUPS = BoundedSemaphore(64)  # at once: a lookup cannot be cancelled, so some may last for a while

# Listed here, because versions of Python differ. Of IPv6 nothing outside of 2000::/3 is public: not what
# holds an IPv4 address (mapped, translated, NAT64), not fec0::/10.
PUBLIC_IPV6 = IPv6Network("2000::/3")
NOT_PUBLIC: Sequence[IPv4Network | IPv6Network] = [
    ip_network(net)
    for net in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.168.0.0/16", "198.51.100.0/24", "203.0.113.0/24"),
        "192.88.99.0/24",  # relays of 6to4
        *("192.31.196.0/24", "192.52.193.0/24", "192.175.48.0/24", "2620:4f:8000::/48"),  # AS112 and AMT
        "198.18.0.0/15",  # benchmarks
        *("224.0.0.0/4", "240.0.0.0/4"),  # multicast, reserved
        "168.63.129.16/32",  # metadata service of a large provider
        "2001::/23",  # Teredo, ORCHID, benchmarks
        "2002::/16",  # 6to4: leads to an IPv4 address
        *("2001:db8::/32", "3ffe::/16", "3fff::/20"),  # documentation, and returned
    )
]


def check_webhook_address(url: str) -> SplitResult:
    """Raises Refused: bad_address, with a sentence that says what is right."""
    parts = _split(url)
    schemes = ("https", "http") if settings.WEBHOOKS_INSIDE else ("https",)
    if parts.scheme not in schemes or not parts.hostname:
        raise _no_address(url)
    if "@" in parts.netloc:
        raise Refused("bad_address", "leave names and passwords out of the address; requests are signed instead")
    if not settings.WEBHOOKS_INSIDE and parts.port not in (None, 443) and (parts.port or 0) < 1024:
        raise Refused("bad_address", "port %(port)s is not for webhooks; use 443, or one from 1024 on", port=parts.port)
    _check_host(parts.hostname)
    return parts


def port_of(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)


def resolve(parts: SplitResult, seconds: float = LOOKUP_SECONDS) -> list[str]:
    """The addresses to connect to, in order of preference. Raises Refused (bad_address: one is not public), OSError."""
    host = parts.hostname or ""
    found = _look_up(host, port_of(parts), seconds)
    for address in found:
        _refuse_inside(host, address)
    return found


def is_public(address: str) -> bool:
    at = ip_address(address)
    if at.version == PUBLIC_IPV6.version and at not in PUBLIC_IPV6:
        return False
    return not any(at in net for net in NOT_PUBLIC if net.version == at.version)


def _split(url: str) -> SplitResult:
    if not CHARACTERS.fullmatch(url):
        how = Sentence(
            "it has up to 300 plain characters: write others in the path as codes (%C3%BC), a name in its form xn--…"
        )
        raise Refused("bad_address", "%(url)s cannot be the address of a webhook; %(how)s", url=f"{url:.80}", how=how)
    try:
        parts = urlsplit(url)
        wrong = parts.port == 0
    except ValueError:
        wrong = True
    if wrong:
        raise _no_address(url)
    return parts


def _no_address(url: str) -> Refused:
    return Refused("bad_address", "%(url)s is not an address such as https://example.org/hook", url=f"{url:.80}")


def _check_host(host: str) -> None:
    if ":" not in host and not NAME.fullmatch(host):
        how = Sentence("the parts between its dots have 1 to 63 letters, digits and hyphens each")
        raise Refused("bad_address", "%(host)s is not the name of a host; %(how)s", host=f"{host:.80}", how=how)
    with suppress(OSError):  # a name: resolved on use; a number in any spelling is known
        for info in socket.getaddrinfo(host, None, flags=socket.AI_NUMERICHOST):
            _refuse_inside(host, str(info[4][0]))


def _refuse_inside(host: str, address: str) -> None:
    if settings.WEBHOOKS_INSIDE:
        return
    if not is_public(address):
        raise Refused(
            "bad_address",
            "%(host)s leads to %(address)s, which is not a public address",
            host=f"{host:.80}",
            address=address,
        )
    if _is_ours(address):
        raise Refused("bad_address", "%(host)s leads to this very machine, behind its firewall", host=f"{host:.80}")


def _is_ours(address: str) -> bool:
    """Whether this machine has the address: only then a socket can be bound to it."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.bind((address, 0))
        return True
    return False


def _look_up(host: str, port: int, seconds: float) -> list[str]:
    if not LOOKUPS.acquire(blocking=False):
        raise OSError("too many names are being looked up; it is tried again")
    lookup = run_in_daemon_thread(lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    lookup.add_done_callback(lambda _: LOOKUPS.release())
    try:
        found = lookup.result(seconds)
    except TimeoutError:
        raise OSError(f"where {host} is was not known within {seconds:.0f} s") from None
    return list(dict.fromkeys(str(info[4][0]) for info in found))
