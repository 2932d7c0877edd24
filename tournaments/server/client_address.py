"""Who is at the other end of a connection, as an address that limits are kept by."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from tournaments.server.asgi_types import Scope, header


def client_of(scope: Scope, proxies: int) -> str:
    peer = scope.get("client") or ("", 0)
    return address(str(peer[0]), header(scope["headers"], b"x-forwarded-for").decode("latin-1"), proxies)


def address(peer: str, forwarded: str, proxies: int) -> str:
    """What our outermost proxy saw, or the connection itself where there is none.

    Of IPv6 the first half, for whoever has one address has all that begin like it.
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
