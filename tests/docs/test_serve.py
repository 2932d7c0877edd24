"""docs/serve: the proxies' configurations, with a real nginx and a real Caddy before the real site."""

import json
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection, RemoteDisconnected
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

import pytest
from django.contrib.auth.hashers import make_password
from pytest_django.plugin import DjangoDbBlocker

from tests.factories import a_bot
from tests.proxied import SERVE, Ground, a_ground, a_proxied_site, caddy, nginx
from tests.tournaments.ops.launcher.processes import ROOT
from tests.tournaments.web.api.test_upload_sizes import with_weights
from tests.tournaments.web.server.conftest import Played, a_match
from tests.tournaments.web.server.stand import Ear, Stand
from tournaments.core.accounts.api_tokens import make_token
from tournaments.models import User

MB, OCTETS = 1 << 20, "application/octet-stream"
PROXIES = {"nginx": nginx, "caddy": caddy}


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    return a_ground(tmp_path_factory.mktemp("proxied"))


@pytest.fixture(scope="module")
def site(ground: Ground, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Stand]:
    with django_db_blocker.unblock(), a_proxied_site(ground) as stand:
        yield stand


@pytest.fixture(scope="module", params=PROXIES)
def proxy(request: pytest.FixtureRequest, ground: Ground, site: Stand) -> Iterator[str]:
    with PROXIES[request.param](ground, site.port):
        yield request.param


@pytest.fixture
def line(ground: Ground, proxy: str, transactional_db: None) -> Iterator[HTTPSConnection]:
    with closing(HTTPSConnection("localhost", ground.https, timeout=20, context=ground.context)) as line:
        yield line


def ask(line: HTTPConnection, method: str, path: str, body: bytes | None = None, **headers: str) -> HTTPResponse:
    line.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    return line.getresponse()


def test_five_megabytes_arrive_and_twenty_two_do_not(line: HTTPSConnection) -> None:
    bot = a_bot()
    headers = {"Authorization": f"Bearer {make_token(user=bot.owner, name='laptop')}", "Content_Type": OCTETS}
    path = f"/api/v1/bots/{bot.pk}/versions?filename=bot.zip"
    answer = ask(line, "POST", path, with_weights(5 * MB - 4000), **headers)
    assert (answer.status, json.loads(answer.read())["size"] > 4.9 * MB) == (201, True)
    line.close()
    try:
        assert ask(line, "POST", path, bytes(22 * MB), **headers).status in (413, 502)  # of nginx, of Caddy
    except (ConnectionError, RemoteDisconnected):
        """It has closed the connection before it had everything."""


def test_a_match_is_watched_as_it_is_played(line: HTTPSConnection, site: Stand) -> None:
    match: Played = a_match(site)
    with closing(ask(line, "GET", match.path, Accept="text/event-stream")) as answer:
        assert answer.status == 200
        ear = Ear(answer)
        match.tell(0, 3, absent={})
        assert ear.next("scene")["frame"]["at"] <= 3
        match.tell(3, 8)  # what is told of the match is seen before it is over
        assert ear.next("frame")


def test_one_signs_in(line: HTTPSConnection, ground: Ground) -> None:
    User.objects.create(username="ada", password=make_password("the password of ada", hasher="scrypt"))
    answer = ask(line, "GET", "/sign-in/")
    cookie = (answer.headers["Set-Cookie"] or "").partition(";")[0]
    matched = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', answer.read())
    assert matched
    form = {"csrfmiddlewaretoken": matched[1].decode(), "username": "ada", "password": "the password of ada"}
    kind = "application/x-www-form-urlencoded"
    posted = {"Cookie": cookie, "Origin": ground.address, "Content_Type": kind}
    answer = ask(line, "POST", "/sign-in/", urlencode(form).encode(), **posted)
    cookies = answer.headers.get_all("Set-Cookie") or []
    assert (answer.status, any(text.startswith("__Host-sessionid=") for text in cookies)) == (302, True)


def test_another_host_gets_nothing(line: HTTPSConnection, ground: Ground) -> None:
    for host in ("other.example", "127.0.0.1", "boardroom"):
        try:
            status = ask(line, "GET", "/", Host=host).status
        except (ConnectionError, RemoteDisconnected):
            status = 444
        assert status >= 400, host
        line.close()


def test_http_leads_to_https(ground: Ground, proxy: str) -> None:
    with closing(HTTPConnection("localhost", ground.http, timeout=20)) as plain:
        answer = ask(plain, "GET", "/ladders/?page=2")
    assert answer.status == 308
    assert answer.headers["Location"].startswith("https://localhost")
    assert answer.headers["Location"].endswith("/ladders/?page=2")


def test_a_connection_that_says_nothing_is_closed_and_costs_the_site_none(
    ground: Ground, proxy: str, line: HTTPSConnection
) -> None:
    with socket.create_connection(("localhost", ground.https), timeout=20):
        assert ask(line, "GET", "/healthz").status == 200


UNITS = sorted(SERVE.glob("*.service")) + sorted(SERVE.glob("*.timer"))
# What docs/serve/boardroom.service takes away, as far as that goes without systemd.
CONFINED = """
mount --make-rprivate / && mount --bind {state} {state} && chown 65534:65534 {state} || exit 77
mount --bind /proc/sys /proc/sys && mount -o remount,ro,bind /proc/sys
[ ! -d /usr/lib/modules ] || mount -t tmpfs -o mode=000,ro none /usr/lib/modules
mount -o remount,ro,bind / || exit 77
umask 077
exec setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \\
    env -u HOME TMPDIR={state} {python} -c "$0"
"""
TRIAL = """
import tempfile
from pathlib import Path
from workers.sandbox.arena import Arena
with tempfile.TemporaryDirectory() as store, Arena.start(Path(store)) as arena:
    print(arena.tier)
"""
BREAKING = (
    "RestrictNamespaces SystemCallFilter ProtectControlGroups ProtectHostname PrivateUsers MemoryDenyWriteExecute"
)


def test_the_sandbox_holds_under_what_the_unit_takes_away() -> None:
    """The sandbox runs as another user without privileges, who may write in one folder and has no HOME."""
    with TemporaryDirectory(prefix="boardroom-unit-", dir="/var/tmp") as state:
        script = CONFINED.format(state=state, python=sys.executable)
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", script, TRIAL], check=False, capture_output=True, text=True, cwd=ROOT
        )
        if "unshare:" in done.stderr or "Permission denied" in done.stderr or done.returncode == 77:
            pytest.skip(f"NOT TESTED: the sandbox under the unit: {done.stderr.strip()}")
    assert done.stdout.strip() in ("namespaces", "landlock"), done.stderr


def test_the_unit_takes_nothing_away_that_the_sandbox_needs() -> None:
    """It makes namespaces and control groups, names its box, and mounts; JavaScript writes code."""
    settings = re.findall(r"^(\w+)=(.*)", (SERVE / "boardroom.service").read_text(), re.MULTILINE)
    assert not set(BREAKING.split()) & {name for name, _ in settings}
    assert {("NoNewPrivileges", "yes"), ("ProtectSystem", "strict"), ("Delegate", "memory pids")} <= set(settings)


def test_the_backup_of_the_unit_is_the_command_of_the_docs() -> None:
    """`sh` makes the name; systemd makes %% a sign of percent."""
    text = (SERVE / "boardroom-backup.service").read_text()
    assert re.search(r"manage\.py backup /var/backups/boardroom/\$\(date \+%%u\)\.backup'$", text, re.MULTILINE)
    assert "EnvironmentFile=/etc/boardroom/site" in text


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_systemd_reads_each_unit_without_a_word(unit: Path, tmp_path: Path) -> None:
    """Programs and users of the units are replaced: they are not there."""
    if not (tool := shutil.which("systemd-analyze")):
        pytest.skip("NOT TESTED: the units of docs/serve, for there is no systemd-analyze")
    for path in UNITS:
        text = path.read_text().replace("/opt/boardroom/.venv/bin/python", "/bin/true")
        text = text.replace("/opt/boardroom", str(ROOT)).replace("User=boardroom", "User=root")
        (tmp_path / path.name).write_text(text)
    done = subprocess.run([tool, "verify", str(tmp_path / unit.name)], check=False, capture_output=True, text=True)
    complaints = [line for line in done.stderr.splitlines() if unit.name in line]
    assert (complaints, done.returncode) == ([], 0), done.stderr
