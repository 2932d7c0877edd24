"""The platform's real processes and a broker of their own, on the database of the tests, to be killed at will."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection

from tests.faults.stepped import FOLDER
from tests.patience import looks
from tests.worker_cache import a_cache
from tournaments.ops.launcher.valkey import Valkey

ROOT = Path(__file__).resolve().parents[2]
DISPATCHER = (sys.executable, "manage.py", "dispatch")
RECORDER = (sys.executable, "-m", "tournaments.ledger.recording")
WORKER = (sys.executable, "-m", "tests.faults.stepped", "workers")  # its heartbeats come as often as leases end
PROGRAMS = {
    "dispatcher": DISPATCHER,
    "recorder": RECORDER,
    "worker": WORKER,
    "worker_liar": (sys.executable, "-m", "tests.faults.liar"),
    "worker_older": (sys.executable, "-m", "tests.faults.older", "worker"),
    "recorder_older": (sys.executable, "-m", "tests.faults.older", *RECORDER[2:]),
}
FOR_WORKERS = ("PATH", "HOME", "LANG")


class Crew:
    """Processes by name; each has a log in `folder`."""

    def __init__(self, folder: Path, site: str) -> None:
        self.folder, self.site = folder, site
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.settings, self.checks = "tests.faults.hurried", 0.0  # of the site's programs; the share of spot checks
        self.broker = Valkey(folder / "valkey", folder / "valkey.log")
        self.broker.start()

    def start(self, *names: str) -> None:
        for name in names:
            with (self.folder / f"{name}.log").open("ab") as log:
                self.running[name] = subprocess.Popen(
                    PROGRAMS[name.partition("-")[0]],
                    cwd=ROOT,
                    env=self._environment(name),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )

    def _environment(self, name: str) -> dict[str, str]:
        shared = {"REDIS_URL": self.broker.url, "SITE_URL": self.site, "WORKER_TOKEN": settings.WORKER_TOKEN}
        if name.startswith("worker"):
            kept = {key: os.environ[key] for key in FOR_WORKERS if key in os.environ}
            own_variables = {
                "WORKER_CACHE": a_cache(self.folder / "cache"),
                "WORKER_NAME": name.replace("_", "-"),
                FOLDER: str(self.folder),
            }
            return {**kept, **shared, **own_variables}
        url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
        more = {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": self.settings, "SPOT_CHECKS": str(self.checks)}
        return {**os.environ, **shared, **more}

    def kill(self, name: str) -> None:
        """Kill as the kernel would: at once, and all it started with it."""
        process = self.running.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def kill_broker(self) -> None:
        assert self.broker.process
        os.killpg(self.broker.process.pid, signal.SIGKILL)
        self.broker.process.wait()

    def stop(self, name: str) -> int:
        """Ask it to leave and return its exit code."""
        process = self.running.pop(name)
        process.terminate()
        return process.wait(60)

    def stop_all(self) -> dict[str, int]:
        """Ask all to leave at once; their exit codes."""
        for process in self.running.values():
            process.terminate()
        return {name: self.running.pop(name).wait(60) for name in list(self.running)}

    def close(self) -> None:
        for name in list(self.running):
            self.kill(name)
        self.broker.stop()

    def says(self, name: str, words: str) -> bool:
        return self.times(name, words) > 0

    def times(self, name: str, words: str) -> int:
        """How often it has said so."""
        return (self.folder / f"{name}.log").read_text().count(words)

    def _tend(self) -> None:
        """A match worker may leave, when all it plays is void, to be started again; nobody else may."""
        for name in [name for name, process in self.running.items() if process.poll() is not None]:
            assert name.startswith("worker"), f"the {name} ended by itself\n{self.logs()}"
            self.start(name)

    def logs(self) -> str:
        return "\n".join(f"--- {log.name}\n{log.read_text()[-3000:]}" for log in sorted(self.folder.glob("*.log")))

    def until(self, what: str, look: Callable[[], bool], seconds: float = 90) -> None:
        for _ in looks(seconds):
            if look():
                return
            self._tend()
        raise AssertionError(f"{what}: not within {seconds:g} s\n{self.logs()}")
