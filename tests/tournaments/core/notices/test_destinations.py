"""Where webhooks may lead: what the form refuses, what is found out when it is used."""

import socket
from threading import Event
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from tests.factories import a_user
from tests.tournaments.web.pages.conftest import own_counters, signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.core.errors import Refused
from tournaments.core.notices import webhook_addresses
from tournaments.core.notices.webhook_addresses import check_webhook_address, is_public, resolve

__all__ = ["own_counters"]  # fixtures

IMPOSSIBLE = {
    "http://example.org/": "such as https://example.org/hook",  # not secret
    "https://": "such as https://example.org/hook",
    "ftp://example.org/": "such as https://example.org/hook",
    "https://name:word@example.org/": "leave names and passwords out",
    "https://@example.org/": "leave names and passwords out",
    "https://example.org\\@10.0.0.1/": "leave names and passwords out",
    "https://example.org:22/": "port 22 is not for webhooks",
    "https://example.org:99999/": "such as https://example.org/hook",
    "https://example.org:0/": "such as https://example.org/hook",
    "javascript:alert(1)": "such as https://example.org/hook",
    f"https://{'a' * 70}.com/": "1 to 63 letters",
    f"https://{'a.' * 130}com/": "1 to 63 letters",
    "https://a..b/": "1 to 63 letters",
    "https://-a.org/": "1 to 63 letters",
    "https://exa%00mple.org/": "1 to 63 letters",
    "https://example.org/ü": "as codes (%C3%BC)",
    "https://bücher.example/": "in its form xn--",
    "https://example.org/a b": "plain characters",
    "https://ex\u2100mple.org/": "plain characters",
    "https://example.org/\ud800": "plain characters",
    "https://[::1": "such as https://example.org/hook",
    "https://[::1]/": "leads to ::1, which is not a public address",
    "https://127.0.0.1:8443/": "leads to 127.0.0.1, which is not a public address",
    "https://2130706433/": "leads to 127.0.0.1, which is not a public address",
    "https://0x7f.1/": "leads to 127.0.0.1, which is not a public address",
}


@pytest.mark.parametrize("url", IMPOSSIBLE)
def test_an_address_that_cannot_be_is_refused(url: str) -> None:
    with pytest.raises(Refused) as refused:
        check_webhook_address(url)
    assert IMPOSSIBLE[url] in refused.value.detail


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/hook?a=1&b=%20#c",
        "https://example.org.:8443",
        "https://xn--bcher-kva.example/",
        "https://1.1.1.1/",
    ],
)
def test_other_addresses_may_be(url: str) -> None:
    assert check_webhook_address(url).hostname


@pytest.mark.django_db
def test_the_form_says_so_and_no_more_happens() -> None:
    """The addresses are all in one test, for to sign in is what takes time."""
    client = signed_in(a_user())
    for url, why in IMPOSSIBLE.items():
        if url.isprintable():
            page = Html(
                client.post("/webhooks/", {"url": url, "receiver": "json", "kinds": ["fault"]}).content.decode()
            )
            assert why.lower() in page.text.lower(), url


INSIDE = (
    "127.0.0.1 10.0.0.1 192.168.1.1 172.16.0.1 169.254.169.254 100.64.0.1 100.100.100.200 224.0.0.1 0.0.0.0 0.1.2.3 "
    "240.0.0.1 255.255.255.255 198.18.0.1 192.0.0.8 192.0.0.170 192.88.99.1 192.31.196.1 203.0.113.1 168.63.129.16 "
    ":: ::1 fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 fec0::1 ff02::1 ff0e::1 100::1 5f00::1 4000::1 "
    "::10.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:0:127.0.0.1 ::ffff:8.8.8.8 "
    "64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1 2002:7f00:1:: 2002:a00:1:: 2001:0:4136:e378:8000:63bf:3fff:fdd2 "
    "2001:2::1 2001:10::1 2001:20::1 2001:db8::1 3fff::1 3ffe::1"
)


@pytest.mark.parametrize("address", INSIDE.split())
def test_no_webhook_leads_inside(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:2800:220:1:248:1893:25c8:1946", "2a00::1"])
def test_a_public_address_is_public(address: str) -> None:
    assert is_public(address)


def test_no_webhook_leads_to_this_machine_by_its_public_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """No machine of the tests has a public address: the one that all have is taken for one."""
    monkeypatch.setattr(webhook_addresses, "NOT_PUBLIC", [])
    with pytest.raises(Refused, match="this very machine"):
        resolve(check_webhook_address("https://localhost:8443/"))


def test_a_name_with_one_address_inside_is_refused_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    both = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in ("1.1.1.1", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: both)
    with pytest.raises(Refused, match=r"leads to 10\.0\.0\.1"):
        resolve(check_webhook_address("https://1.example/"))


def test_a_name_that_is_never_found_holds_up_nobody(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    over, real = Event(), socket.getaddrinfo

    def slow(*arguments: Any, **more: Any) -> Any:
        over.wait()
        return real(*arguments, **more)

    settings.WEBHOOKS_INSIDE = True
    parts = check_webhook_address("https://localhost/")
    monkeypatch.setattr(socket, "getaddrinfo", slow)
    try:
        for _ in range(64):
            with pytest.raises(OSError, match="was not known within"):
                resolve(parts, 0.001)
        with pytest.raises(OSError, match="too many names"):
            resolve(parts, 0.001)
    finally:
        over.set()
    while not webhook_addresses.LOOKUPS.acquire(timeout=1):
        pass
    webhook_addresses.LOOKUPS.release()
    assert resolve(parts, 5)
