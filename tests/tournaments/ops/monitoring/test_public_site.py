"""`manage.py doctor --public` asks a real site behind a real nginx, and finds each setting that is wrong."""

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.proxied import KEY, TOKEN, Ground, a_ground, a_proxied_site, caddy, nginx
from tests.tournaments.ops.launcher.processes import ROOT, bare_environment
from tests.tournaments.web.server.stand import Stand
from tournaments.ops.monitoring.findings import Finding
from tournaments.ops.monitoring.public_site import (
    PATIENCE,
    WATCHED,
    PublicSite,
    arrival_findings,
    mail,
    proxies,
    strength,
)
from tournaments.web.live.hub import KEEP_ALIVE

FOR = "proxy_set_header X-Forwarded-For $remote_addr;"
SCHEME = "proxy_set_header X-Forwarded-Proto $scheme;"
HOST = "proxy_set_header Host $host;"
SETTINGS = {"DATABASE_URL": "postgresql://x", "REDIS_URL": "redis://x"}


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    return a_ground(tmp_path_factory.mktemp("public"))


@pytest.fixture(scope="module")
def site(ground: Ground, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Stand]:
    with django_db_blocker.unblock(), a_proxied_site(ground) as stand:
        yield stand


@pytest.fixture
def public(ground: Ground, monkeypatch: pytest.MonkeyPatch, transactional_db: None) -> PublicSite:
    monkeypatch.setenv("SSL_CERT_FILE", str(ground.certificate))
    return PublicSite(ground.address, KEY, TOKEN, ground.http)


def watch(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """A stream is watched no longer than that."""
    assert WATCHED >= 60.0 + KEEP_ALIVE
    monkeypatch.setattr("tournaments.ops.monitoring.public_site.WATCHED", seconds)


def bad(findings: Iterator[Finding]) -> dict[str, str]:
    return {finding.name: finding.detail for finding in findings if not finding.works}


def test_of_a_site_that_is_set_as_the_page_says_nothing_is_missing(
    public: PublicSite, ground: Ground, site: Stand, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch(monkeypatch, KEEP_ALIVE + 2)
    with a_mail_server("250 fine") as port, nginx(ground, site.port):
        use_mail(settings, port)
        findings = list(public.findings(SETTINGS))
    assert bad(iter(findings)) == {}
    assert {"SITE_URL", "SECRET_KEY", "PROXIES", "EMAIL_URL", "METRICS_TOKEN", *SETTINGS} <= {
        finding.name for finding in findings
    }


@pytest.mark.parametrize(
    ("replaced", "name", "detail"),
    [
        ({FOR: ""}, "PROXIES", "the proxy adds no address of the client"),
        ({FOR: 'proxy_set_header X-Forwarded-For "$remote_addr, $server_addr";'}, "PROXIES", "2 come with a request"),
        ({'proxy_set_header Forwarded "";': ""}, "PROXIES", "hands on a Forwarded header"),
        ({HOST: ""}, "Host", "arrives as boardroom"),
        ({SCHEME: ""}, "X-Forwarded-Proto", "says http where people use https"),
        ({"proxy_http_version 1.1;": ""}, "proxy's version", "HTTP/1.0 between the proxy and the site"),
    ],
)
def test_what_the_proxy_makes_of_a_request_is_seen(
    replaced: dict[str, str], name: str, detail: str, public: PublicSite, ground: Ground, site: Stand
) -> None:
    with nginx(ground, site.port, replaced):
        wrong = bad(arrival_findings(public.arrival(), public.address))
    assert list(wrong) == [name]
    assert detail in wrong[name]


@pytest.mark.parametrize("written", ["$proxy_add_x_forwarded_for", "$remote_addr:$remote_port"])
def test_other_ways_to_write_the_clients_address_are_as_good(
    written: str, public: PublicSite, ground: Ground, site: Stand
) -> None:
    with nginx(ground, site.port, {FOR: f'proxy_set_header X-Forwarded-For "{written}";'}):
        assert bad(arrival_findings(public.arrival(), public.address)) == {}


def test_a_proxy_that_takes_a_megabyte_is_named(public: PublicSite, ground: Ground, site: Stand) -> None:
    with nginx(ground, site.port, {"client_max_body_size 21m;": "client_max_body_size 1m;"}):
        finding = public.uploads()
    assert (finding.works, finding.detail) == (False, "a body of 20 MB is answered with 413")


@pytest.mark.parametrize(
    ("replaced", "detail"),
    [
        ({"proxy_buffering off;": "proxy_ignore_headers X-Accel-Buffering;"}, "nothing has come within"),
        ({"proxy_read_timeout 60s;": "proxy_read_timeout 3s;"}, "it was cut after 3 s"),
    ],
)
def test_a_stream_that_is_gathered_or_cut_is_named(
    replaced: dict[str, str],
    detail: str,
    public: PublicSite,
    ground: Ground,
    site: Stand,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tournaments.ops.monitoring.public_site.PATIENCE", min(PATIENCE, 8.0))
    with nginx(ground, site.port, replaced):
        finding = public.streams()
    assert not finding.works
    assert detail in finding.detail


def test_a_stream_that_is_cut_though_it_speaks_is_named(
    public: PublicSite, ground: Ground, site: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Balancers do so that give every answer a minute in all. Caddy cuts at the first sign of life after its time."""
    watch(monkeypatch, 2 * KEEP_ALIVE + 3)
    with caddy(ground, site.port, {"read_header 10s": f"read_header 10s\n\t\t\twrite {KEEP_ALIVE + 1:.0f}s"}):
        finding = public.streams()
    assert (finding.works, finding.vital) == (False, False)
    assert re.fullmatch(r"it was cut after \d\d s, silent or not", finding.detail)


def test_what_is_open_to_everybody_is_named(public: PublicSite, ground: Ground, site: Stand) -> None:
    token = f'proxy_pass http://boardroom; proxy_set_header Authorization "Bearer {TOKEN}";'
    with nginx(ground, site.port, {"proxy_pass http://boardroom;": token}):
        assert public.metrics().detail == "/metrics is open to everybody"
    any_host = {"return 444;": "", HOST: "proxy_set_header Host localhost;", " default_server": ""}
    any_host |= {"server_name boardroom.example;": "server_name boardroom.example other.invalid;"}
    with nginx(ground, site.port, any_host):
        assert "other.invalid is answered with 200" in public.other_hosts().detail
    with nginx(ground, site.port, {"ssl_protocols": "proxy_cookie_flags ~ nosecure; ssl_protocols"}):
        assert public.cookies().detail == "__Host-csrftoken is not secure"
    with nginx(ground, site.port, {"return 308 https://$host$request_uri;": "return 200;"}):
        assert public.redirect().detail == "http is answered with 200, not with the way to https"


def test_the_sites_own_settings_are_found(public: PublicSite, ground: Ground, site: Stand) -> None:
    loose = {"PROXIES": "0", "METRICS_TOKEN": "", "ALLOWED_HOSTS": "*", "DEBUG": "1", "SITE_URL": "http://localhost"}
    with a_proxied_site(ground, **loose) as stand, nginx(ground, stand.port):
        seen = bad(arrival_findings(public.arrival(), public.address))
        assert public.metrics().detail == "/metrics answers 404 to it"
        assert PublicSite(ground.address, KEY).metrics().detail == "not set: metrics are for the site's machine alone"
        assert public.cookies().detail == "csrftoken is not secure"
    assert seen["PROXIES"].startswith("1 come with a request, and PROXIES is 0: the site takes 127.0.0.1")
    assert "the running site has http://localhost" in seen["SITE_URL"]
    assert {"DEBUG", "X-Forwarded-Proto"} <= seen.keys()


def test_another_site_and_a_site_that_is_away_are_named(public: PublicSite, ground: Ground, site: Stand) -> None:
    with nginx(ground, site.port):
        other = bad(PublicSite(ground.address, "another key, long enough to be a good one").findings(SETTINGS))
    assert "is not this site, or has another SECRET_KEY (status 404)" in other["site"]
    with nginx(ground, 1):
        assert "answers 502: the site does not run" in bad(public.findings(SETTINGS))["site"]
    nowhere = bad(PublicSite("https://nowhere.invalid", KEY).findings({}))
    assert {"site", "DATABASE_URL", "REDIS_URL"} <= nowhere.keys()
    assert bad(PublicSite("http://127.0.0.1:1", KEY).findings(SETTINGS)).keys() >= {"SITE_URL", "site"}


def test_a_stranger_is_told_nothing_of_requests(ground: Ground, site: Stand) -> None:
    assert site.ask("/arrivalz")[0].status == 404
    assert site.ask("/arrivalz", Authorization="doctor:1:x")[0].status == 404
    assert site.ask("/arrivalz", "POST")[0].status == 405


@pytest.mark.parametrize("key", ["secret", "a" * 60, "change-me-7f1c0b9e5a3d48826e4fd1c7b0a9835e", "12" * 30])
def test_a_key_that_can_be_guessed_is_named(key: str) -> None:
    assert (strength(key).works, strength(key).detail) == (False, "can be guessed")
    assert (strength("").detail, strength(KEY).works) == ("not set", True)


def test_the_number_of_proxies_is_that_of_the_addresses_behind_the_invented_one() -> None:
    arrival = {"forwarded": "", "proxies": 2, "client": "198.51.100.9"}
    assert proxies({**arrival, "x_forwarded_for": "192.0.2.77, 198.51.100.9, 10.0.0.2"}).works
    assert not proxies({**arrival, "x_forwarded_for": "192.0.2.77, 198.51.100.9"}).works
    elements = {"x_forwarded_for": "", "forwarded": "for=192.0.2.77, for=198.51.100.9", "proxies": 1}
    assert proxies({**arrival, **elements}).works


@contextmanager
def a_mail_server(answer: str) -> Iterator[int]:
    """It says this to whoever names a sender."""
    with socket.create_server(("127.0.0.1", 0)) as door:

        def serve() -> None:
            with door.accept()[0] as line, line.makefile("rwb") as words:
                words.write(b"220 here\r\n")
                words.flush()
                for word in words:
                    says = answer if word.lower().startswith(b"mail") else "250 here"
                    words.write(f"{says}\r\n".encode())
                    words.flush()

        Thread(target=serve, daemon=True).start()
        yield door.getsockname()[1]


def use_mail(settings: Any, port: int) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"  # the tests' own keeps letters
    settings.CAN_MAIL, settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_USE_TLS = True, "127.0.0.1", port, False
    settings.DEFAULT_FROM_EMAIL = "Boardroom <noreply@boardroom.example>"


def test_mail_that_is_refused_or_reaches_nobody_is_named(settings: Any, public: PublicSite) -> None:
    with a_mail_server("553 not your name") as port:
        use_mail(settings, port)
        assert mail().detail == "the server refuses letters of noreply@boardroom.example: not your name"
    use_mail(settings, 1)
    findings = {finding.name: finding for finding in public.findings(SETTINGS)}
    assert "Connection refused" in findings["EMAIL_URL"].detail
    settings.CAN_MAIL = False
    assert (mail().vital, "not set" in mail().detail) == (False, True)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("https://boardroom.example/club", "SITE_URL must be the scheme, the host and, if it needs one, the port"),
        ("boardroom.example", "it begins with neither https:// nor http://"),
        ("https://nowhere.invalid/", "ok       SITE_URL           https://nowhere.invalid\n"),  # with a slash
    ],
)
def test_the_command_says_what_is_wrong_with_an_address(address: str, says: str, tmp_path: Path) -> None:
    environment = bare_environment(SITE_URL=address, SECRET_KEY=KEY)
    command = [sys.executable, str(ROOT / "manage.py"), "doctor", "--public", "--data", str(tmp_path / "none")]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    assert says in done.stdout + done.stderr
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
