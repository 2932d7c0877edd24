"""The site behind a real proxy, which has the very configuration of docs/serve, but for addresses and paths."""

import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.patience import looks
from tests.tournaments.ops.launcher.processes import ROOT
from tests.tournaments.web.server.stand import Stand, a_stand
from tournaments.ops.launcher.first_processes import free_port

SERVE = ROOT / "docs" / "serve"
AROUND = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; {user}
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    include {folder}/boardroom.conf;
}}
"""
TOKEN = "a token of Prometheus, long enough"
KEY = "7f1c0b9e5a3d48826e4fd1c7b0a9835e"


@dataclass(frozen=True, slots=True)
class Ground:
    """Ports, and a certificate for the host that is its own authority."""

    folder: Path
    https: int = 443
    http: int = 80
    host: str = "localhost"

    @property
    def address(self) -> str:
        return f"https://{self.host}:{self.https}".removesuffix(":443")

    @property
    def certificate(self) -> Path:
        return self.folder / "site.pem"

    @property
    def context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.certificate))


def needed(program: str) -> str:
    if path := shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin"):
        return path
    pytest.skip(f"NOT TESTED: the site behind {program}. Debian: apt-get install {program}")


def a_ground(folder: Path) -> Ground:
    ground = Ground(folder, free_port(0), free_port(0))
    certify(ground)
    return ground


def certify(ground: Ground) -> None:
    kind = ("-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    names = ("-subj", f"/CN={ground.host}", "-addext", f"subjectAltName=DNS:{ground.host}")
    files = ("-keyout", str(ground.folder / "site.key"), "-out", str(ground.certificate))
    subprocess.run(["openssl", "req", *kind, *names, *files], check=True, capture_output=True)


@contextmanager
def a_proxied_site(ground: Ground, **more: str) -> Iterator[Stand]:
    """The site, as the table of docs/serve.md sets it."""
    settings = {"SITE_URL": ground.address, "PROXIES": "1", "METRICS_TOKEN": TOKEN, "SECRET_KEY": KEY, **more}
    with a_stand(**settings) as stand:
        yield stand


def changed(text: str, replaced: Mapping[str, str]) -> str:
    for old, new in replaced.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


@contextmanager
def nginx(ground: Ground, site: int, replaced: Mapping[str, str] | None = None) -> Iterator[None]:
    """docs/serve/nginx.conf. `replaced`: what an operator has done otherwise."""
    text = changed((SERVE / "nginx.conf").read_text(), replaced or {})
    addresses = {
        "127.0.0.1:8000": f"127.0.0.1:{site}",
        "boardroom.example": ground.host,
        f"/etc/letsencrypt/live/{ground.host}/fullchain.pem": str(ground.certificate),
        f"/etc/letsencrypt/live/{ground.host}/privkey.pem": str(ground.folder / "site.key"),
    }
    if ground.https != 443:  # on a machine that is shared with others
        addresses |= {
            "listen 80": f"listen 127.0.0.1:{ground.http}",
            "listen [::]:80": f"listen 127.0.0.2:{ground.http}",
            "listen 443": f"listen 127.0.0.1:{ground.https}",
            "listen [::]:443": f"listen 127.0.0.2:{ground.https}",
        }
    for old, new in addresses.items():
        text = text.replace(old, new)
    (ground.folder / "boardroom.conf").write_text(text)
    user = "user root;" if os.geteuid() == 0 else ""  # who may enter the folder of the test
    (ground.folder / "nginx.conf").write_text(AROUND.format(folder=ground.folder, user=user))
    log = ground.folder / "error.log"
    command = [needed("nginx"), "-p", str(ground.folder), "-c", str(ground.folder / "nginx.conf"), "-e", str(log)]
    with running(command, ground, log):
        yield


@contextmanager
def caddy(ground: Ground, site: int, replaced: Mapping[str, str] | None = None) -> Iterator[None]:
    """docs/serve/Caddyfile, with our certificate."""
    text = changed((SERVE / "Caddyfile").read_text(), replaced or {}).replace("127.0.0.1:8000", f"127.0.0.1:{site}")
    tls = f"localhost:{ground.https} {{\n\ttls {ground.certificate} {ground.folder / 'site.key'}"
    text = text.replace("boardroom.example {", tls)
    ports = f"\thttp_port {ground.http}\n\thttps_port {ground.https}\n\tadmin off\n\tskip_install_trust\n\tservers {{"
    (ground.folder / "Caddyfile").write_text(re.sub("\tservers {", ports, text, count=1))
    log = ground.folder / "error.log"
    with running([needed("caddy"), "run", "--config", str(ground.folder / "Caddyfile")], ground, log):
        yield


@contextmanager
def running(command: list[str], ground: Ground, log: Path) -> Iterator[None]:
    kept = {**os.environ, "HOME": str(ground.folder), "XDG_DATA_HOME": str(ground.folder)}
    with log.open("ab") as errors:
        process = subprocess.Popen(command, stdout=errors, stderr=errors, env=kept)
    try:
        assert any(answers(ground.https) or process.poll() is not None for _ in looks(30.0))
        assert process.poll() is None, log.read_text()
        yield
    finally:
        process.terminate()
        process.wait(20)


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
