"""What is on this machine is asked without a proxy, whatever the environment says; all else by it."""

import json
import os
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
from requests.utils import get_environ_proxies

from bots.command.releases import kit_of
from bots.command.site import Site
from bots.loopback import is_loopback
from tests.test_compose import SERVICES
from tournaments.core.config.tracing import spare_loopback
from tournaments.features.sign_on.fetching import Session
from workers.bundles import download

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebooks" / "standings.py"
HERE = ("localhost", "LOCALHOST.", "site.localhost", "127.0.0.1", "127.0.0.2", "127.1", "::1", "::ffff:127.0.0.1")
ODDER = ("0.0.0.0", "::", "0:0:0:0:0:0:0:1", "2130706433")  # noqa: S104 - where requests go, not what listens
ELSEWHERE = ("", None, "localhost.example", "notlocalhost", "128.0.0.1", "10.0.0.1", "boardroom.example", "2001:db8::1")


@pytest.mark.parametrize("host", HERE + ODDER)
def test_this_machine_has_many_names(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ELSEWHERE)
def test_no_other_machine_is_taken_for_this_one(host: str | None) -> None:
    assert not is_loopback(host)


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    """The port of a server, and what it is asked for: whole addresses where it is asked as a proxy."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            body = json.dumps({"here": True}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        Thread(target=http.serve_forever, args=(0.05,), daemon=True).start()
        yield str(http.server_port), asked
        http.shutdown()


@pytest.fixture(autouse=True)
def proxied(server: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        for spelled in (name, name.upper()):
            monkeypatch.setenv(spelled, f"http://127.0.0.1:{server[0]}")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)


def from_notebook(address: str) -> object:
    return runpy.run_path(str(NOTEBOOK))["fetched"](f"{address}/x")


ASKING: dict[str, Callable[[str], object]] = {
    "the kit": lambda address: Site(address, "brd_x").ask("/account"),
    "the kit's version": lambda address: kit_of(Site(address, "brd_x")),
    "a worker": lambda address: download(f"{address}/api/v1/bundles/0", "token"),
    "sign-on": lambda address: Session().get(f"{address}/keys"),
    "a notebook": from_notebook,
}


@pytest.mark.parametrize("name", ASKING)
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_site_on_this_machine_is_asked_directly(name: str, host: str, server: tuple[str, list[str]]) -> None:
    port, asked = server
    ASKING[name](f"http://{host}:{port}")
    assert [urlsplit(path).netloc for path in asked] == [""]


@pytest.mark.parametrize("name", [name for name in ASKING if name != "sign-on"])  # which takes https alone
def test_a_site_elsewhere_is_asked_by_the_proxy(name: str, server: tuple[str, list[str]]) -> None:
    ASKING[name]("http://boardroom.example")
    assert [urlsplit(path).netloc for path in server[1]] == ["boardroom.example"]


def test_the_health_check_of_a_container_asks_its_own_site(server: tuple[str, list[str]], tmp_path: Path) -> None:
    code = SERVICES["web"]["healthcheck"]["test"][3].replace("127.0.0.1:8000", f"127.0.0.1:{server[0]}")
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60, cwd=tmp_path)
    assert [urlsplit(path).netloc for path in server[1]] == [""]


@pytest.mark.parametrize("before", [{}, {"no_proxy": "inner.example"}, {"NO_PROXY": "inner.example"}])
@pytest.mark.parametrize("url", ["http://localhost:4318/v1/traces", "http://127.0.0.1:4318", "http://[::1]:4318"])
def test_collectors_on_this_machine_are_spared_too(
    before: dict[str, str], url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = dict(before)
    spare_loopback(environment)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert get_environ_proxies(url) == {}
    assert get_environ_proxies("http://collector.example").keys() >= {"http"}
    assert (get_environ_proxies("http://inner.example") == {}) == bool(before), os.environ["no_proxy"]
