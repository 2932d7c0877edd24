"""A ladder played by workers that come in by the door, over bad lines and through nginx as docs/serve has it: one is
killed in mid-match, and one lies."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from engine import replay
from tests.factories import a_bot, a_ladder, an_upload
from tests.faults.crew import FOR_WORKERS, ROOT
from tests.hosts.conftest import Patient
from tests.hosts.lines import SITE, Line, a_host, inside, ip
from tests.hosts.test_hosts import PATIENCE, SLOW, assert_sound, at_work, fresh
from tests.hosts.world import why_not
from tests.proxied import Ground, certify, nginx
from tests.worker_cache import a_cache
from tournaments.features.worker_door.actions import AdmitWorker, AllowOutsideWorkers, RevokeTokens
from tournaments.features.worker_door.tokens import digest_of, new_worker_secret
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.models import Attempt, Result, Worker
from tournaments.ops.launcher.processes import WEB
from workers.door_worker import STOPPED

pytestmark = pytest.mark.django_db(transaction=True)
EAST, LIAR = "east@_outside", "liar@_outside"
LIARS_LOG = "liar"
PORT = 8000  # of the web server, on the site's own host


class SiteHost(Patient):
    """The site as docs/serve.md has it, on a host of its own: all its programs, and nginx before its web server."""

    def __init__(self, folder: Path, space: str) -> None:
        super().__init__(folder, f"http://127.0.0.1:{PORT}")
        self.space, self.ground = space, Ground(folder, host="boardroom.example")
        certify(self.ground)

    def start(self, *names: str) -> None:
        with inside(self.space):
            super().start(*names)

    @contextmanager
    def serving(self) -> Iterator[None]:
        command = [sys.executable, "-m", "granian", *WEB, "--port", str(PORT), "tournaments.asgi:application"]
        environment = self._environment("web") | {"SITE_URL": self.ground.address, "PROXIES": "1"}
        with (self.folder / "web.log").open("ab") as log, inside(self.space), ExitStack() as stack:
            site = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True)
            stack.callback(site.wait)
            stack.callback(os.killpg, site.pid, signal.SIGKILL)
            stack.enter_context(nginx(self.ground, PORT))
            closing = stack.pop_all()
        with closing:
            yield


class DoorHost:
    """A host whose line leads to the site's proxy, with a worker that has an address and a token."""

    def __init__(self, site: SiteHost, name: str, space: str, *program: str) -> None:
        secret, names = new_worker_secret(), site.folder / "hosts"
        names.write_text(f"127.0.0.1 localhost\n{SITE} {site.ground.host}\n")
        AdmitWorker(name, None, digest_of(secret), None).do(by="the operator", reason="they ask to help")
        named = ("sh", "-c", 'mount --bind "$0" /etc/hosts && exec "$@"', str(names))
        worker = (sys.executable, *program, "--site", site.ground.address, "--processes", "1")
        self._command = ["ip", "netns", "exec", space, *named, *worker]
        kept = {name: os.environ[name] for name in FOR_WORKERS if name in os.environ}
        self._environment = kept | {
            "WORKER_TOKEN": secret,
            "WORKER_CACHE": a_cache(site.folder / f"cache-{name}"),
            "SSL_CERT_FILE": str(site.ground.certificate),
        }
        self.log = site.folder / f"{name}.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self._command,
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @property
    def code(self) -> int | None:
        """Return the code with which it ended."""
        return self.process.poll() if self.process else None

    def kill(self) -> None:
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@pytest.fixture
def place(live_server: Any, tmp_path: Path) -> Iterator[tuple[SiteHost, DoorHost, DoorHost]]:
    """The site's host, and the workers' two; `live_server` has the database seen by other processes."""
    if reason := why_not():
        assert not os.environ.get("CI"), f"the door is not tested from other hosts: {reason}"
        pytest.skip(f"THE DOOR IS NOT TESTED FROM OTHER HOSTS HERE: {reason}")
    with ExitStack() as stack:
        space = stack.enter_context(a_host("site"))
        site = SiteHost(tmp_path, space)
        stack.callback(site.close)
        stack.enter_context(site.serving())
        ip("-n", space, "addr", "add", f"{SITE}/32", "dev", "lo")
        programs = {"east": ("manage.py", "worker"), "liar": ("-m", "tests.hosts.door_liar")}
        hosts = []
        for number, (name, program) in enumerate(programs.items(), 2):
            host = stack.enter_context(a_host(name))
            hosts.append(DoorHost(site, name, host, *program))
            stack.callback(Line(space, host, number, (443,)).close)
            stack.callback(hosts[-1].kill)
        yield site, hosts[0], hosts[1]


def test_a_ladder_is_played_with_one_worker_killed_and_one_lying(place: tuple[SiteHost, DoorHost, DoorHost]) -> None:
    crew, east, liar = place
    ladder = a_ladder(players=2, sets_wanted=1000)
    AllowOutsideWorkers(ladder, "yes").do(by="the operator", reason="many hands")
    for number in range(3):
        version = an_upload(a_bot(), SLOW + f"# {number}\n".encode())
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    crew.start("recorder", "dispatcher", "worker")  # the site's own, which checks the uploads
    crew.until("the bots to play", lambda: ladder.entries.filter(status="playing").count() == 3, PATIENCE)
    east.start()
    liar.start()
    crew.until("both to have played", lambda: players() >= {EAST, LIAR}, PATIENCE)
    crew.until("east to be at a match", at_work(EAST).exists, PATIENCE)
    lost = at_work(EAST).last()
    east.kill()
    assert lost
    crew.until("the match to be sent again", lambda: fresh(lost).outcome != "playing", PATIENCE)
    east.start()
    crew.until("the match to be recorded", Result.objects.filter(match=lost.match_id).exists, PATIENCE)
    crew.until("the liar to rest", Worker.objects.filter(name=LIAR, status="drained").exists, PATIENCE)
    crew.until("it to hear so", lambda: crew.says(LIARS_LOG, f"resting: the worker {LIAR} is drained"), PATIENCE)
    before = Result.objects.filter(worker__startswith=f"{EAST}/").count()
    crew.until("east to play on", lambda: Result.objects.filter(worker__startswith=f"{EAST}/").count() > before, 90)
    RevokeTokens("east", None).do(by="the operator", reason="its machine was sold")
    crew.until("east to end", lambda: east.code == STOPPED, 60)
    assert crew.says("east", "the token is unknown or was revoked; ask the organisers for another one [bad_token]")
    liar.kill()
    for name in ("worker", "dispatcher", "recorder"):  # what is recorded meanwhile would be rated between two looks
        crew.stop(name)
    assert_sound(ladder)
    assert crew.says(LIARS_LOG, "not_yours: this worker does not have that lease")
    assert Attempt.objects.filter(worker__startswith=f"{LIAR}/", outcome="refused").exists()
    for result in Result.objects.filter(worker__startswith=f"{LIAR}/").select_related("match__set"):
        read = replay.read_replay(bytes(result.replay))
        replay.verify(read)
        assert read.seed == result.match.set.seed


def players() -> set[str]:
    return {worker.partition("/")[0] for worker in Result.objects.values_list("worker", flat=True)}
