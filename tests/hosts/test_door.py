"""A ladder played by workers that come in by the door, over bad lines: one is killed in mid-match, and one lies."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from engine import replay
from tests.bench.whole_site import free_port
from tests.factories import a_bot, a_ladder, an_upload
from tests.faults.crew import FOR_WORKERS, ROOT, Crew
from tests.hosts.conftest import Patient
from tests.hosts.doors import Certificate, Doors
from tests.hosts.lines import SITE, Line, a_host, ip
from tests.hosts.test_hosts import PATIENCE, SLOW, assert_sound, at_work, fresh
from tests.hosts.world import why_not
from tests.worker_cache import a_cache
from tournaments.features.worker_door.actions import AdmitWorker, AllowOutsideWorkers
from tournaments.features.worker_door.tokens import digest_of, new_worker_secret
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.models import Attempt, Result, Worker
from tournaments.ops.launcher.processes import WEB

pytestmark = pytest.mark.django_db(transaction=True)
EAST, LIAR = "east@_outside", "liar@_outside"
LIARS_LOG = "liar"


class DoorHost:
    """A host whose line leads to the site's one door, with a worker that has an address and a token."""

    def __init__(self, crew: Crew, name: str, space: str, door: int, authority: Certificate, *program: str) -> None:
        secret = new_worker_secret()
        AdmitWorker(name, None, digest_of(secret), None).do(by="the operator", reason="they ask to help")
        self._command = ["ip", "netns", "exec", space, sys.executable, *program, "--site", f"https://{SITE}:{door}"]
        kept = {name: os.environ[name] for name in FOR_WORKERS if name in os.environ}
        self._environment = kept | {
            "WORKER_TOKEN": secret,
            "WORKER_CACHE": a_cache(crew.folder / f"cache-{name}"),
            "SSL_CERT_FILE": str(authority.file),
        }
        self.log = crew.folder / f"{name}.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self._command, "--processes", "1"],
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def kill(self) -> None:
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@pytest.fixture
def place(live_server: Any, tmp_path: Path) -> Iterator[tuple[Crew, DoorHost, DoorHost]]:
    """The site as it is served, and the two hosts; `live_server` has the database seen by other processes."""
    if reason := why_not():
        assert not os.environ.get("CI"), f"the door is not tested from other hosts: {reason}"
        pytest.skip(f"THE DOOR IS NOT TESTED FROM OTHER HOSTS HERE: {reason}")
    with ExitStack() as stack:
        port = free_port()
        crew = Patient(tmp_path, f"http://127.0.0.1:{port}")
        stack.callback(crew.close)
        web = [sys.executable, "-m", "granian", *WEB, "--host", "127.0.0.1", "--port", str(port)]
        with (crew.folder / "web.log").open("ab") as log:
            site = subprocess.Popen(
                [*web, "tournaments.asgi:application"],
                cwd=ROOT,
                env=crew._environment("web") | {"PROXIES": "1"},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        stack.callback(site.wait)
        stack.callback(os.killpg, site.pid, signal.SIGKILL)
        space, doors = stack.enter_context(a_host("site")), Doors()
        stack.callback(doors.close)
        ip("-n", space, "addr", "add", f"{SITE}/32", "dev", "lo")
        certificate = Certificate(crew.folder, "authority")
        door = doors.open(space, port, certificate)
        hosts = []
        for number, (name, *program) in enumerate(
            (("east", "manage.py", "worker"), ("liar", "-m", "tests.hosts.door_liar")), 2
        ):
            own = stack.enter_context(a_host(name))
            hosts.append(DoorHost(crew, name, own, door, certificate, *program))
            stack.callback(Line(space, own, number, (door,)).close)
            stack.callback(hosts[-1].kill)
        yield crew, hosts[0], hosts[1]


def test_a_ladder_is_played_with_one_worker_killed_and_one_lying(place: tuple[Crew, DoorHost, DoorHost]) -> None:
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
    for host in (east, liar):
        host.kill()
    for name in ("worker", "dispatcher", "recorder"):  # what is recorded meanwhile would be rated between two looks
        crew.stop(name)
    assert_sound(ladder)
    assert crew.says(LIARS_LOG, "not_yours: this worker did not take that lease")
    assert Attempt.objects.filter(worker__startswith=f"{LIAR}/", outcome="refused").exists()
    for result in Result.objects.filter(worker__startswith=f"{LIAR}/").select_related("match__set"):
        read = replay.read_replay(bytes(result.replay))
        replay.verify(read)
        assert read.seed == result.match.set.seed


def players() -> set[str]:
    return {worker.partition("/")[0] for worker in Result.objects.values_list("worker", flat=True)}
