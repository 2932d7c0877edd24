"""A site whose broker asks for passwords and is reached from other hosts through TLS, and worker hosts on bad lines."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection
from redis import Redis

from tests.faults.crew import FOR_WORKERS, ROOT, Crew
from tests.hosts.doors import Certificate, Doors
from tests.hosts.lines import SITE, Line, a_host, ip
from tests.worker_cache import a_cache
from tournaments.ops.launcher.server_start import Say, complain
from tournaments.ops.launcher.valkey import Valkey
from workers.identity import derive

SITES_PASSWORD = "the-site-s-own"


class Guarded(Valkey):
    """Nobody is let in without its password."""

    @property
    def url(self) -> str:
        return f"unix://:{SITES_PASSWORD}@{self.socket}"

    def start(self, say: Say = complain) -> None:
        super().start(say)
        with Redis.from_url(super().url) as redis:
            redis.acl_setuser("default", enabled=True, reset_passwords=True, passwords=[f"+{SITES_PASSWORD}"])


class World:
    """The site's own network, with a door each to the broker, the site, and the database, which is not for workers."""

    def __init__(self, crew: Crew, space: str, site: str) -> None:
        self.crew, self.space = crew, space
        crew.broker.stop()
        crew.broker = Guarded(crew.folder / "guarded", crew.folder / "guarded.log", durable=False)
        crew.broker.start()
        self.redis = Redis.from_url(crew.broker.url)
        self.certificate, self.doors = Certificate(crew.folder, "authority"), Doors()
        self.database = str(next(Path(connection.settings_dict["HOST"]).glob(".s.PGSQL.*[0-9]")))
        ip("-n", space, "addr", "add", f"{SITE}/32", "dev", "lo")
        self.broker_door = self.doors.open(space, str(crew.broker.socket), self.certificate)
        self.site_door = self.doors.open(space, urlsplit(site).port or 80, self.certificate)
        self.database_door = self.doors.open(space, self.database)

    def reaches(self, *targets: int | str) -> list[bool]:
        return reached(["ip", "netns", "exec", self.space, sys.executable], *targets)

    def close(self) -> None:
        self.doors.close()
        self.redis.close()


class Host:
    """A worker host: a network of its own that ends in a line to the site, and no file of the site's database."""

    def __init__(self, world: World, name: str, number: int, space: str) -> None:
        self.world, self.name = world, name
        self.line = Line(world.space, space, number, (world.broker_door, world.site_door))
        self.log = world.crew.folder / f"worker-{name}.log"
        self.process: subprocess.Popen[bytes] | None = None
        hide = 'mount -t tmpfs none "$0" && exec "$@"'
        self._on_it = ["ip", "netns", "exec", space, "sh", "-c", hide, str(Path(world.database).parent)]

    def start(self, authority: Certificate) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self._on_it, sys.executable, "-m", "workers"],
                cwd=ROOT,
                env=self._environment(authority),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        return self.process

    def _environment(self, authority: Certificate) -> dict[str, str]:
        kept = {name: os.environ[name] for name in FOR_WORKERS if name in os.environ}
        return kept | {
            "REDIS_URL": f"rediss://:{SITES_PASSWORD}@{SITE}:{self.world.broker_door}/0",
            "SITE_URL": f"https://{SITE}:{self.world.site_door}",
            "WORKER_TOKEN": derive(self.name, settings.WORKER_TOKEN).token,
            "WORKER_CACHE": a_cache(self.world.crew.folder / f"cache-{self.name}"),
            "SSL_CERT_FILE": str(authority.file),
        }

    def reaches(self, *targets: int | str) -> list[bool]:
        """Return which ports of the site, and which sockets by their paths, let a program on this host connect."""
        return reached([*self._on_it, sys.executable], *targets)

    def close(self) -> None:
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.line.close()


def reached(python: list[str], *targets: int | str) -> list[bool]:
    command = [*python, str(Path(__file__).with_name("reach.py")), SITE, json.dumps(targets)]
    answers: list[bool] = json.loads(subprocess.run(command, capture_output=True, check=True, timeout=60).stdout)
    return answers


@contextmanager
def a_world(crew: Crew, site: str, *names: str) -> Iterator[tuple[World, list[Host]]]:
    with ExitStack() as stack:
        world = World(crew, stack.enter_context(a_host("site")), site)
        stack.callback(world.close)
        hosts = []
        for number, name in enumerate(names, 2):
            hosts.append(Host(world, name, number, stack.enter_context(a_host(name))))
            stack.callback(hosts[-1].close)
        yield world, hosts


def why_not() -> str:
    """Why there can be no such hosts here; nothing if there can."""
    if os.geteuid():
        return "only root can make network namespaces"
    for program in ("ip", "mount", "openssl"):
        if not shutil.which(program):
            return f"the program {program} is not installed"
    if not Path("/dev/net/tun").exists():
        return "there is no /dev/net/tun"
    try:
        with a_host("try"):
            return ""
    except subprocess.CalledProcessError as error:
        return f"no network namespace can be made: {error.stderr.strip()}"
