"""The client's address, to which limits apply: the one parser of X-Forwarded-For (as proxies write it) and Forwarded
(RFC 7239)."""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from tournaments.web.server.asgi_types import Scope, header

HEADERS = (b"x-forwarded-for", b"forwarded")
PORT = re.compile(r"\[(.*)\](?::[\w.-]+)?|([^:]*):[\w.-]+")
PAIR = r"""([\w!#$%&'*+.^`|~-]+)=([^\s";,\\]+|"(?:[^"\\]|\\.)*")"""
PAIRS = re.compile(PAIR)
ELEMENT = re.compile(rf"\s*{PAIR}(?:\s*;\s*{PAIR})*\s*;?\s*")


def client_of(scope: Scope, proxies: int) -> str:
    peer = scope.get("client") or ("", 0)
    listed, forwarded = (header(scope["headers"], name).decode("latin-1") for name in HEADERS)
    return client_address(str(peer[0]), listed, forwarded, proxies)


def client_address(peer: str, x_forwarded_for: str, forwarded: str, proxies: int) -> str:
    """Return the address that our outermost proxy saw, or the connection's own without a proxy.

    Of IPv6 the first half, because a client with one address has all that begin alike. Clients whom the proxy does not
    name by an address count as one together: pseudonyms may differ with each request. So do those for whom both headers
    differ, because a proxy that writes one of them lets through what the client wrote into the other.
    """
    hops = (x_forwarded_for.split(",")[-proxies:], nodes_of(forwarded, proxies)) if proxies else ()
    clients = {limited_part(nodes[0]) for nodes in hops if any(nodes)}
    if not clients:
        return limited_part(peer) or peer[:64]
    return (clients.pop() if len(clients) == 1 else "") or f"behind {peer}"[:64]


def nodes_of(forwarded: str, most: int) -> list[str]:
    """Return whom the last elements are `for`, read from the end: clients wrote what stands before, with any quotes."""
    nodes: list[str] = []
    end = start = len(forwarded)
    while start > 0 and len(nodes) < most:
        start = forwarded.rfind(",", 0, start)
        if ELEMENT.fullmatch(forwarded, start + 1, end):
            pairs = PAIRS.findall(forwarded, start + 1, end)
            nodes.insert(0, next((value for name, value in pairs if name.lower() == "for"), "unknown"))
            end = start
    return nodes


def limited_part(node: str) -> str:
    """Return the address without its port, zone and spelling; empty for what is none."""
    address = address_in(node)
    if isinstance(address, IPv6Address):
        return str(ip_network((int(address), 64), strict=False).network_address)
    return str(address or "")


def address_in(node: str) -> IPv4Address | IPv6Address | None:
    """Return the address in such as `192.0.2.1:443`, `"[2001:db8::1]:443"` or `::ffff:192.0.2.1`, if there is one."""
    text = node.strip().strip('"').strip()
    bare = PORT.fullmatch(text)
    host = (bare[1] or bare[2] or "") if bare else text
    try:
        address = ip_address(host.partition("%")[0].strip())
    except ValueError:
        return None
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address
