"""The client's address, to which limits apply."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from tournaments.server.asgi_types import Scope, header


def client_of(scope: Scope, proxies: int) -> str:
    peer = scope.get("client") or ("", 0)
    return address(str(peer[0]), header(scope["headers"], b"x-forwarded-for").decode("latin-1"), proxies)


def address(peer: str, forwarded: str, proxies: int) -> str:
    """The address that our outermost proxy saw, or the connection's own without a proxy.

    Of IPv6 the first half, because a client with one address has all that begin alike.
    """
    listed = forwarded.split(",")[-proxies:] if proxies else []
    given = (listed[0].strip() if listed else "") or peer
    try:
        found: IPv4Address | IPv6Address = ip_address(given)
    except ValueError:
        return given[:64]
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or ip_network((found, 64), strict=False).network_address
    return str(found)
