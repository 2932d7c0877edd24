"""Real workers, one of them a space's own, which comes by the door: each plays what is its own to play, in both ways
that a space may choose, and people there wait for the space's bots as briefly as anywhere."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from statistics import median
from typing import Any

import pytest

from engine.records import to_plain
from tests.factories import SAMPLE, a_ladder, a_user, a_version
from tests.faults.crew import FOR_WORKERS, ROOT, Crew
from tests.patience import looks
from tests.spaces import a_space
from tests.worker_cache import a_cache
from tournaments.core.accounts.api_tokens import make_token
from tournaments.features.practice.turns import PracticeState
from tournaments.features.spaces.actions import ChangeWorkers
from tournaments.features.worker_door.actions import AdmitWorker
from tournaments.features.worker_door.tokens import digest_of, new_worker_secret
from tournaments.ledger.competitors.uploads import create_bot
from tournaments.ledger.ladders.official_fit import recompute
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Attempt, Examination, Ladder, MatchSet, Practice, Result, Space, User, Version
from tournaments.ops.launcher.first_processes import free_port
from tournaments.ops.launcher.processes import WEB

pytestmark = pytest.mark.django_db(transaction=True)
LAB = "lab@bio1"
LONGEST_WAIT = 20.0  # seconds, of a person, on a busy machine; the test prints what it was


class Site:
    """The site as it is served, and the door's worker of a space."""

    def __init__(self, crew: Crew, space: Space) -> None:
        self.crew, self.port, self.token = crew, free_port(0), ""
        crew.site = self.url = f"http://127.0.0.1:{self.port}"
        web = [sys.executable, "-m", "granian", *WEB, "--host", "127.0.0.1", "--port", str(self.port)]
        self.web = self._start([*web, "tournaments.asgi:application"], crew._environment("web"), "web")
        secret = new_worker_secret()
        AdmitWorker("lab", space, digest_of(secret), None).do(by="the operator", reason="ours")
        kept = {name: os.environ[name] for name in FOR_WORKERS if name in os.environ}
        variables = {"SITE_URL": self.url, "WORKER_TOKEN": secret, "WORKER_CACHE": a_cache(crew.folder / "cache-lab")}
        command = [sys.executable, "manage.py", "worker", "--processes", "1", "--practices", "1"]
        self.lab = self._start(command, kept | variables, "lab")

    def _start(self, command: list[str], environment: dict[str, str], name: str) -> subprocess.Popen[bytes]:
        with (self.crew.folder / f"{name}.log").open("ab") as log:
            streams = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log}
            return subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True, **streams)  # type: ignore[call-overload, no-any-return]

    def close(self) -> None:
        for process in (self.lab, self.web):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def ask(self, user: User, path: str, body: object = None) -> Any:
        self.token = self.token or make_token(user=user, name="test")
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/api/v1/{path}", data, headers)  # noqa: S310  of this machine
        with urllib.request.urlopen(request) as answer:  # noqa: S310
            return json.loads(answer.read())

    def play(self, user: User, ladder: Ladder, turns: int) -> list[float]:
        """Play so many turns of a practice, and return how long the person waited for each."""
        waits: list[float] = []
        began = time.monotonic()
        game = self.ask(user, "practices", {"ladder": ladder.slug, "seats": ["sample-random", "person"]})
        while len(waits) < turns and game["status"] != "over":
            game = self._asked(user, game["id"])
            waits.append(time.monotonic() - began)
            action = PracticeState.of(Practice.objects.get(pk=game["id"])).run.match.questions[1].default()
            began = time.monotonic()
            body = {"turn": len(Practice.objects.get(pk=game["id"]).script), "action": to_plain(action)}
            self.ask(user, f"practices/{game['id']}/answers", body)
        return waits

    def _asked(self, user: User, number: int) -> Any:
        for _ in looks(LONGEST_WAIT):
            game = self.ask(user, f"practices/{number}")
            assert game["status"] != "failed", game
            if game["status"] in ("asking", "over"):
                return game
        raise AssertionError(f"no answer in {LONGEST_WAIT} s\n{self.crew.logs()}")


@pytest.fixture
def space() -> Space:
    return a_space("bio1", organiser=a_user("tess"))


@pytest.fixture
def site(crew: Crew, space: Space) -> Iterator[Site]:
    crew.settings = "tournaments.settings"
    made = Site(crew, space)
    yield made
    made.close()


def sets(ladder: Ladder, count: int, space: Space | None = None, owner: User | None = None) -> list[MatchSet]:
    """Make sets of two bots that are new there, whose checks are played as everything is."""
    bots = [create_bot(owner=owner or a_user(), game="zaibatsu", name=f"{ladder} {n}", space=space) for n in range(2)]
    versions = [a_version(bot, SAMPLE + f"# {bot.pk}\n".encode()) for bot in bots]
    return [create_set(ladder=ladder, versions=[version.pk for version in versions]) for _ in range(count)]


def players_of(ladder: Ladder) -> set[str]:
    played = Result.objects.filter(match__set__ladder=ladder).values_list("worker", flat=True)
    return {worker.partition("/")[0] for worker in played}


def over(ladder: Ladder) -> bool:
    return not ladder.sets.filter(status="open").exists()


def test_a_worker_of_a_space_plays_for_it_alone_and_the_sites_play_for_both(
    crew: Crew, site: Site, space: Space
) -> None:
    teacher = User.objects.get(username="tess")
    space_ladder, open_ladder = (
        a_ladder(slug, players=2, space=of, status=Ladder.Status.PAUSED)
        for slug, of in (("bio1-main", space), ("open", None))
    )
    sets(space_ladder, 2, space, teacher)
    sets(open_ladder, 2)
    ChangeWorkers(space, "own").do(by=teacher, reason="ours are quick")
    crew.start("recorder", "dispatcher")
    crew.until("the space's sets", lambda: over(space_ladder))
    assert players_of(space_ladder) == {LAB}
    assert not Attempt.objects.filter(match__set__ladder=open_ladder).exclude(worker="").exists()
    crew.until("its bots to be examined", Examination.objects.filter(matches__gt=0).exists)
    waits = site.play(teacher, space_ladder, 12)
    assert len(waits) == 12
    print(f"a person waited {waits[0]:.2f} s first, then {median(waits[1:]):.2f} s, at most {max(waits[1:]):.2f} s")

    crew.start("worker-site")
    crew.until("the site's sets", lambda: over(open_ladder))
    assert players_of(open_ladder) == {"worker-site"}
    site.lab.terminate()
    assert site.lab.wait(60) == 0
    version = Version.objects.filter(bot__space=space).values_list("pk", flat=True)
    more = create_set(ladder=space_ladder, versions=list(version))
    ChangeWorkers(space, "all").do(by=teacher, reason="ours are away")
    crew.until("the site's to help out", lambda: over(space_ladder))
    assert {result.worker.partition("/")[0] for result in Result.objects.filter(match__set=more)} == {"worker-site"}
    assert (recompute(ladder=space_ladder), recompute(ladder=open_ladder)) == ({}, {})
