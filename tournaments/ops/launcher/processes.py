"""The processes of the platform on one machine: how each is started, and which variables each gets."""

import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from engine.outside import VARIABLE
from tournaments.ops.launcher.subprocess_group import ROOT, Program
from workers.identity import derive

PYTHON = Path(sys.executable)
# A match worker runs untrusted code: it gets the addresses of the broker and the site, and no secret of theirs.
LOGS = ("LOG_LEVEL", "LOG_FORMAT")
FOR_ANY = ("PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "SSL_CERT_FILE", *LOGS)
FOR_WORKERS = (
    *FOR_ANY,
    VARIABLE,
    "PYTHONPATH",  # where games from outside may lie
    "REDIS_URL",
    "SITE_URL",
    "WORKER_CACHE",
    "WORKER_CACHE_MB",
    "WORKER_PROOFS",
    "MIN_SANDBOX",
    "SANDBOX",
    "ARENA_SOCKET",
    "ARENA_UNSAFE",
)
# A stream is a request that does not end: many may be open, and they must not keep the server from leaving.
STREAMS = ("--backpressure", "5000", "--workers-kill-timeout", "2")
# Bytes of one connection that are buffered before we read them: with thousands waiting, all of it is in memory.
SMALL_BUFFERS = ("--http", "1", "--http1-buffer-size", "65536")
LOG = ("--log-level", "warning", "--log-config", str(ROOT / "tournaments/ops/launcher" / "web_log.json"))
WEB = ("--interface", "asginl", "--no-ws", *LOG, *SMALL_BUFFERS, *STREAMS)
PROOFS = Path(sys.prefix) / "proofs"  # of what works on this machine, for all data folders
DRAIN_SECONDS = 20.0  # for the match in hand


def web_program(environment: Mapping[str, str], data: Path, port: int) -> Program:
    web = (PYTHON, "-m", "granian", *WEB, "--host", "127.0.0.1", "--port", str(port), "tournaments.asgi:application")
    # The master process stops its own child, so it gets SIGTERM, not SIGKILL.
    log = data / "logs" / "web.log"
    return Program("web", web, environment, log, orphan_signal=signal.SIGTERM, stop_order=2)


def doorkeeper_program(environment: Mapping[str, str], data: Path, port: int) -> Program:
    """Answers that the site is starting, until the web server answers."""
    command = (PYTHON, "-m", "tournaments.ops.launcher.doorkeeper", str(port))
    return Program("doorkeeper", command, environment, data / "logs" / "doorkeeper.log")


def site_programs(environment: Mapping[str, str], data: Path, port: int) -> list[Program]:
    """Web, dispatcher and recorder: they use the database."""
    return [web_program(environment, data, port), *clockwork_programs(environment, data)]


def clockwork_programs(environment: Mapping[str, str], data: Path) -> list[Program]:
    """Dispatcher and recorder."""
    manage, logs = ROOT / "manage.py", data / "logs"
    recorder = (PYTHON, "-m", "tournaments.ledger.recording")
    return [
        Program("recorder", recorder, environment, logs / "recorder.log", stop_order=1),
        Program("dispatcher", (PYTHON, manage, "dispatch"), environment, logs / "dispatcher.log"),
    ]


def worker_programs(environment: Mapping[str, str], data: Path, count: int) -> list[Program]:
    """Match workers: one process each, one match at a time, each pinned to one core. And one for practice, which is
    not pinned: people wait for it."""
    matches = [_worker(f"worker-{number + 1}", environment, data, WORKER_CORE=str(number)) for number in range(count)]
    return [*matches, _worker("practices", environment, data, WORKER_PRACTICES="1")]


def _worker(name: str, environment: Mapping[str, str], data: Path, **settings: str) -> Program:
    allowed = {name: environment[name] for name in FOR_WORKERS if name in environment}
    allowed.setdefault("WORKER_CACHE", str(data / "bundles"))
    allowed.setdefault("WORKER_PROOFS", str(PROOFS))
    variables = {**allowed, **_token(name, environment), **settings}
    return Program(
        name, (PYTHON, "-m", "workers"), variables, data / "logs" / f"{name}.log", stop_timeout=DRAIN_SECONDS
    )


def _token(name: str, environment: Mapping[str, str]) -> dict[str, str]:
    """The worker's own key, not the one that all keys are derived from."""
    return {"WORKER_TOKEN": derive(name, environment["WORKER_TOKEN"]).token}
