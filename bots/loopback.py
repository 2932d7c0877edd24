"""Addresses of this very machine, which no proxy reaches: requests to them are sent without one."""

from ipaddress import IPv4Address, IPv6Address, ip_address
from socket import inet_aton
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request

NO_PROXY = "localhost,127.0.0.1,::1,[::1]"  # as libraries read it from the environment; urllib keeps the brackets


class Proxies(ProxyHandler):
    """The environment's, but not on the way to this machine. For `build_opener`."""

    def proxy_open(self, req: Request, proxy: str, type: str) -> object:  # noqa: A002 - urllib calls it so
        if is_loopback(urlsplit(req.full_url).hostname):
            return None  # on to the next handler, which connects
        return super().proxy_open(req, proxy, type)


def is_loopback(host: str | None) -> bool:
    name = (host or "").lower().rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = address_of(name)
    return address is not None and (address.is_loopback or address.is_unspecified)


def address_of(name: str) -> IPv4Address | IPv6Address | None:
    """Return the address, also of such as 127.1, which the system's resolver takes."""
    try:
        address = ip_address(name) if ":" in name else IPv4Address(inet_aton(name))
    except (ValueError, OSError):
        return None
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address
