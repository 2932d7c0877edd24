"""Whom a limit applies to: one client has one address, however it, and its proxies, spell it."""

from ipaddress import IPv4Address, IPv6Address
from typing import Any

import pytest
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from tournaments.web.server.client_address import client_address, client_of
from tournaments.web.server.request_rates import asker_address

PROXY, UNNAMED = "10.0.0.1", "behind 10.0.0.1"


@pytest.mark.parametrize(
    ("peer", "forwarded", "proxies", "address"),
    [
        ("192.0.2.1", "", 0, "192.0.2.1"),
        ("192.0.2.1", "198.51.100.9", 0, "192.0.2.1"),
        (PROXY, "198.51.100.9", 1, "198.51.100.9"),
        (PROXY, "203.0.113.5, 198.51.100.9", 1, "198.51.100.9"),
        (PROXY, "203.0.113.5, 198.51.100.9, 10.0.0.2", 2, "198.51.100.9"),
        (PROXY, "198.51.100.9", 2, "198.51.100.9"),
        (PROXY, "", 1, PROXY),
        ("2001:db8:1:2:3:4:5:6", "", 0, "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::1", "", 0, "2001:db8:1:2::"),
        ("::ffff:192.0.2.1", "", 0, "192.0.2.1"),
        ("fe80::1%eth0", "", 0, "fe80::"),
        ("", "", 0, ""),
        (PROXY, "x" * 1000, 1, UNNAMED),
        (PROXY, "198.51.100.9:51234", 1, "198.51.100.9"),
        (PROXY, ' "198.51.100.9:51234" ', 1, "198.51.100.9"),
        (PROXY, "[2001:db8:1:2::7]:443", 1, "2001:db8:1:2::"),
        (PROXY, '"[2001:DB8:1:2:0:0:0:7]:_port"', 1, "2001:db8:1:2::"),
        (PROXY, "2001:db8:1:2::7%25eth0", 1, "2001:db8:1:2::"),
        (PROXY, "[::ffff:192.0.2.1]:80", 1, "192.0.2.1"),
        (PROXY, "::FFFF:c000:201", 1, "192.0.2.1"),
        (PROXY, "unknown", 1, UNNAMED),
        (PROXY, "_SEVKISEK", 1, UNNAMED),
        (PROXY, "198.51.100.9, unknown", 1, UNNAMED),
        (PROXY, "198.51.100.9,", 1, PROXY),
        (PROXY, "198.51.100.999", 1, UNNAMED),
    ],
)
def test_who_is_at_the_other_end(peer: str, forwarded: str, proxies: int, address: str, settings: Any) -> None:
    settings.PROXIES = proxies
    request = RequestFactory().get("/", REMOTE_ADDR=peer, HTTP_X_FORWARDED_FOR=forwarded)
    assert asker_address(request) == address
    scope = {"client": (peer, 1), "headers": [(b"x-forwarded-for", forwarded.encode())]}
    assert client_of(scope, proxies) == address


@pytest.mark.parametrize(
    ("forwarded", "proxies", "address"),
    [
        ("for=198.51.100.9", 1, "198.51.100.9"),
        ("For=198.51.100.9;proto=https;by=203.0.113.43", 1, "198.51.100.9"),
        ('by="for=1.2.3.4" ; for="198.51.100.9:4711"', 1, "198.51.100.9"),
        ('for="[2001:db8:1:2::7]:4711"', 1, "2001:db8:1:2::"),
        ("for=[2001:db8:1:2::7]:4711", 1, "2001:db8:1:2::"),
        ('for=1.2.3.4, for="[::ffff:198.51.100.9]"', 1, "198.51.100.9"),
        ("for=1.2.3.4, for=198.51.100.9,for=10.0.0.2", 2, "198.51.100.9"),
        ("for=unknown", 1, UNNAMED),
        ('for="_gazonk"', 1, UNNAMED),
        ("proto=https", 1, UNNAMED),
        # What a client wrote before its proxy's element, or into its host, takes nothing of it away.
        ('for="1.2.3.4, for="[2001:db8:1:2::7]:4711"', 1, "2001:db8:1:2::"),
        ('for=1.2.3.4;x=", for=198.51.100.9;by="10.0.0.2"', 1, "198.51.100.9"),
        ('for=198.51.100.9;host="a,for=1.2.3.4"', 1, "198.51.100.9"),
        ('host="a;for=1.2.3.4";for=198.51.100.9', 1, "198.51.100.9"),
        ('for=198.51.100.9;host="a,for=\\"1.2.3.4"', 1, "198.51.100.9"),
        (",;,=, for=198.51.100.9", 1, "198.51.100.9"),
        ("for=198.51.100.9", 0, PROXY),
    ],
)
def test_the_header_of_the_standard_names_the_same_client(
    forwarded: str, proxies: int, address: str, settings: Any
) -> None:
    settings.PROXIES = proxies
    assert asker_address(RequestFactory().get("/", REMOTE_ADDR=PROXY, HTTP_FORWARDED=forwarded)) == address


def test_who_makes_up_the_other_header_gets_no_address_of_their_own() -> None:
    """A proxy writes one of the two, and lets through what the client wrote into the other."""
    agreed = client_address(PROXY, "198.51.100.9", "for=198.51.100.9:80", 1)
    made_up = {client_address(PROXY, "198.51.100.9", f"for=192.0.2.{number}", 1) for number in range(9)}
    made_up |= {client_address(PROXY, f"192.0.2.{number}", "for=198.51.100.9", 1) for number in range(9)}
    assert (agreed, made_up) == ("198.51.100.9", {UNNAMED})


@given(st.ip_addresses(), st.integers(0, 65535), st.text(st.characters(codec="latin-1")))
def test_neither_port_nor_spelling_nor_what_stands_before_makes_another_client(
    address: IPv4Address | IPv6Address, port: int, before: str
) -> None:
    bracketed = f"[{address.exploded.upper()}]" if address.version == 6 else str(address)
    spelled = [str(address), f" {bracketed}", f"{bracketed}:{port}", f'"{bracketed}:{port}"']
    plain = client_address(str(address), "", "", 0)
    assert {client_address(PROXY, f"{before},{text}", "", 1) for text in spelled} == {plain}
    assert {client_address(PROXY, "", f'{before}, for="{bracketed}:{port}"', 1)} == {plain}
